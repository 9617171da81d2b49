"""The kinds of agents that ``webbench.toml`` and ``--webbench-agent`` know, and what a kind has to offer.

A kind is a module, named in `KINDS` and imported when an agent of that kind is chosen. It offers:

``Options``
    A pydantic model derived from `AgentOptions`, or from `ModelOptions` if there is an endpoint: the keys of
    ``[agents.<name>]``. Its ``type`` is a ``Literal``. ``inline`` says what the text after ``type:`` stands for on the
    command line. Keep the module light: it is imported when options are read.
``make(options, kit) -> Agent``
    A fresh agent for one episode; `SettingsError` if it cannot be made. Do not connect yet: an agent that talks to an
    endpoint is `Equipped`, and opens its endpoints in ``run`` with ``kit.endpoint(options, equipment)``.
``check(options, kit) -> str``, optional
    Asks each endpoint of the agent (the text helper, too) one tiny question before the first episode, and says what
    answered. What is wrong is raised: `SettingsError`, `EndpointError`, `BadReply`.

Errors that such an agent lets through: `EndpointError` makes the episode unscored and has it repeated, `SettingsError`
stops the session, `BadReply` is the agent's failure.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from ..errors import SettingsError
from .base import Agent, Equipment, Usage

if TYPE_CHECKING:
    from .endpoint.transport import Endpoint

KEY_OF_HOST: Final = {
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.openai.com": "OPENAI_API_KEY",
    "api.typesafe.ai": "TYPESAFE_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
}
"""Variables that these services' own documentation names; they hold the key if the user names none."""
_INLINE: Final = re.compile(r"(?P<model>\S+?)@(?P<url>https?://\S+)")


class AgentOptions(BaseModel):
    """Keys that every agent's table in ``webbench.toml`` may have."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: str
    parallel: int | None = Field(
        None, ge=1, strict=True, description="episodes at a time, over all workers of this machine and all agents of "
        "the same endpoint and model"
    )  # fmt: skip

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """The options that ``rest`` stands for in ``type:rest`` on the command line."""
        raise SettingsError(f"{rest!r}: agents of this type need a table in webbench.toml")

    def secret_names(self) -> Iterable[str]:
        """Variables, besides the keys of services, whose values must not reach any file."""
        return ()


class Service(BaseModel):
    """A model behind an endpoint."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(description="base address, such as https://api.openai.com/v1")
    model: str = Field(min_length=1, description="what the service calls the model")
    key: str | None = Field(
        None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="NAME of the environment variable that holds the key"
    )

    @field_validator("url")
    @classmethod
    def _usable(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            parts.port  # noqa: B018 - raises where it is no number
        except ValueError as error:
            raise ValueError(f"is no address ({error})") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must begin with http:// or https:// and name a host")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("must hold no user, password, query or fragment; a key goes into an environment variable")
        return url.rstrip("/")

    @property
    def key_name(self) -> str | None:
        """The variable that holds the key: the one that was named, else the service's usual one."""
        return self.key or KEY_OF_HOST.get(urlsplit(self.url).hostname or "")


class ModelOptions(AgentOptions, Service):
    """The same for agents with a model; inline as ``type:model@url``."""

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``model@https://host/v1``."""
        found = _INLINE.fullmatch(rest)
        if found is None:
            raise SettingsError(f"{rest!r}: write model@url, such as my-model@https://host/v1")
        return found.groupdict()


class Price(BaseModel):
    """US dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)

    def of(self, usage: Usage) -> float:
        """What ``usage`` costs, in US dollars."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What an agent is made with. ``root`` is the folder that relative paths in its options start from."""

    name: str
    seed: int = 0
    root: Path = field(default_factory=Path)
    secret: Callable[[str], SecretStr | None] = lambda _name: None
    """The value of an environment variable, or of one in ``.env``."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    patient: bool = True
    """Whether to wait for an endpoint that is overloaded; a check before the first episode gives up soon."""

    def key(self, service: Service) -> SecretStr | None:
        """The service's key; `SettingsError` if the variable that was named is not set."""
        name = service.key_name
        value = self.secret(name) if name else None
        if value is None and service.key:
            raise SettingsError(
                f"agent {self.name!r}: its key is to be found in {name}, which is neither an environment variable nor "
                f"in {self.root / '.env'}"
            )
        return value

    def endpoint(
        self,
        service: Service,
        equipment: Equipment | None = None,
        *,
        timeout: float = 60.0,
        headers: Mapping[str, str] | None = None,
        key_header: str = "authorization",
    ) -> Endpoint:
        """A connection to ``service``; to be closed. ``key_header`` is ``x-api-key`` where a bearer is not wanted."""
        from .endpoint.transport import Endpoint

        return Endpoint(
            service.url,
            key=self.key(service),
            key_header=key_header,
            headers=headers or {},
            timeout=timeout if self.patient else min(timeout, 30.0),
            gate=equipment.gate if equipment else None,
            tries=3 if self.patient else 2,
            waited=equipment.waited if equipment else lambda _seconds: None,
            name=self.name,
        )

    def price(self, service: Service) -> Price | None:
        """What the service's model costs, if the price table says so."""
        return self.prices.get(service.model)


class Kind(NamedTuple):
    """Where a kind of agents lives (a module below ``pytest_webbench.agents``), and what it is."""

    module: str
    what: str
    bare: bool = False
    """Whether its name alone makes an agent: it needs no options."""


KINDS: Final[Mapping[str, Kind]] = {
    "chat": Kind("chat", "a chat model (OpenAI-compatible or Anthropic) chooses each action"),
    "command": Kind("command", "any program, given a browser's CDP address"),
    "decision": Kind("decision", "a decision model answers typed questions about the page"),
    "heuristic": Kind("heuristic", "no model: follows the words of the goal", bare=True),
    "http": Kind("http", "a running agent service, given a browser's CDP address"),
    "python": Kind("dotted", "a class or function of yours, package.module:Name"),
    "replay": Kind("replay", "repeats a recorded episode"),
}


class KindModule(Protocol):
    """What the module of a kind offers; see above."""

    Options: type[AgentOptions]

    @staticmethod
    def make(options: Any, kit: Kit, /) -> Agent:
        """A fresh agent for one episode."""


def load_kind(name: str) -> KindModule:
    """The module of a kind that is in `KINDS`."""
    return cast(KindModule, importlib.import_module(f".{KINDS[name].module}", __package__))
