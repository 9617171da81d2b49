"""Agent types: what ``type`` in ``webbench.toml`` and ``type:`` in ``--webbench-agent`` can name.

A type is an `AgentType`. Those in `BUILT_IN_TYPES` belong to this package; other distributions
offer theirs by entry points of the group ``pytest_webbench.agents``. A type's module is imported
when an agent of that type is configured or chosen, so it may import whatever it needs.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import SecretStr

from .. import _entry_points
from ..errors import SettingsError
from .base import Agent
from .options import AgentOptions, Price, Service
from .prices import KeptPrice, Pricing

BASELINES: Final = ("noop", "random", "scripted")
"""Agents without options; see `agents.baselines`."""
BUILT_IN_TYPES: Final[Mapping[str, str]] = {
    "chat": ".chat.agent_type",
    "command": ".command.agent_type",
    "heuristic": ".heuristic",
    "http": ".http",
    "python": ".dotted",
    "replay": ".replay",
}
"""Each built-in type's module in this package; its `AgentType` is called ``AGENT_TYPE``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildContext:
    """What an agent is built with."""

    name: str
    """What messages call the agent."""
    seed: int = 0
    root: Path = field(default_factory=Path)
    """The folder that relative paths in options start from."""
    secret: Callable[[str], SecretStr | None] = lambda _name: None
    """Returns the value of a variable from the environment or from ``.env``; None if not set."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    patient: bool = True
    """Whether to keep trying an overloaded endpoint. The check before the first episode is not."""

    def require_secret(self, name: str, *, option: str) -> SecretStr:
        """The value of the variable ``name``, as ``option`` says; `SettingsError` if not set."""
        value = self.secret(name)
        if value is None:
            raise SettingsError(
                f"agent {self.name!r}: {option}: the variable {name} is set neither in the "
                f"environment nor in {self.root / '.env'}"
            )
        return value

    def key(self, service: Service) -> SecretStr | None:
        """The service's key. `SettingsError` if the user has named a variable that is not set."""
        if service.replies == "replay":
            return None  # nothing is asked
        if service.key:
            return self.require_secret(service.key, option="key")
        if service.key_name is None:
            return None
        return self.secret(service.key_name)

    def price(self, service: Service) -> Pricing:
        """What the service's model costs.

        ``[prices]`` in ``webbench.toml`` counts, else the prices of ``genai-prices``.
        """
        return self.prices.get(service.model) or KeptPrice(service)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentType:
    """A type of agents.

    An agent that talks to an endpoint should be `NeedsContext` and connect in ``run``, through
    `agents.endpoint.open_endpoint`. Errors that its ``run`` lets through are believed:
    `EndpointError` makes the episode unscored and has it repeated, `SettingsError` stops the
    session, `BadReply` is the agent's failure.
    """

    summary: str
    """One line for ``webbench agents``."""
    options: type[AgentOptions]
    """Model of the keys of ``[agents.<name>]``, derived from `AgentOptions` or `ModelOptions`."""
    make: Callable[[Any, BuildContext], Agent]
    """Makes a fresh agent for one episode from an object of ``options``, without connecting to
    anything yet. `SettingsError` if it cannot be made."""
    check: Callable[[Any, BuildContext], str] | None = None
    """Asks each endpoint of the agent one tiny question before the first episode, and returns what
    answered. Raises `SettingsError`, `EndpointError` or `BadReply` if something is wrong."""
    bare: bool = False
    """Whether the type's name alone is an agent, because all its options have defaults."""
    trusted: bool = True
    """Whether the episode runner believes errors of the kinds above. False where the agent is
    arbitrary code of the user's, which could make every task unscored that it does not like."""


class ListedType(NamedTuple):
    """A type as ``webbench agents`` lists it."""

    name: str
    summary: str
    """Empty if there is a problem."""
    problem: str = ""
    """Why the type cannot be used, if so."""


def agent_type_names() -> list[str]:
    """The names of all types, built in or offered by other distributions, in order."""
    return sorted({*BUILT_IN_TYPES, *_entry_points.names(_entry_points.AGENTS)})


def is_agent_type(name: str) -> bool:
    """Whether there is a type of this name; it may still turn out to be broken."""
    return name in BUILT_IN_TYPES or name in _entry_points.names(_entry_points.AGENTS)


def load_agent_type(name: str) -> AgentType:
    """The type called ``name``; `SettingsError` if there is none or it cannot be used."""
    owners = _entry_points.owners(_entry_points.AGENTS, name)
    if owners and name in (*BUILT_IN_TYPES, *BASELINES):
        raise SettingsError(
            f"{' and '.join(owners)} offers an agent type {name!r} in {_entry_points.AGENTS}, "
            f"but that name is built in; uninstall {' and '.join(owners)}, or have it renamed"
        )
    if name in BUILT_IN_TYPES:
        built_in: AgentType = importlib.import_module(BUILT_IN_TYPES[name], __package__).AGENT_TYPE
        return built_in
    found = _entry_points.load(_entry_points.AGENTS, name)
    if not isinstance(found, AgentType):
        raise SettingsError(
            f"{owners[0]} offers {name!r} in {_entry_points.AGENTS}, but that is of type "
            f"{type(found).__name__}, not a pytest_webbench.agents.AgentType"
        )
    return found


def list_agent_types() -> list[ListedType]:
    """All types with their summaries. Broken ones are listed with what is wrong with them."""
    return [_listed(name) for name in agent_type_names()]


def _listed(name: str) -> ListedType:
    try:
        return ListedType(name, load_agent_type(name).summary)
    except SettingsError as error:
        return ListedType(name, "", str(error))
