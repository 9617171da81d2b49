"""``webbench.toml`` and ``.env``: which agents there are, what they cost, where their keys are.

What a kind of agents has to offer to be named there is told in `agents.types`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from ..checks.naming import unknown
from ..errors import Problem, SettingsError, TaskFileError
from ..task.problems import Path_, validate
from ..task.toml import Toml, read_toml
from .types import KINDS, AgentOptions, Kit, Price, Service, load_kind

CONFIG_FILE: Final = "webbench.toml"
ENV_FILE: Final = ".env"
BASELINES: Final = ("noop", "random", "scripted")
FROM_FIXTURE: Final = "fixture"
"""Stands for: whatever the ``webbench_agent`` fixture of the user's conftest gives."""
BUILT_IN: Final = tuple(sorted((*BASELINES, *(name for name, kind in KINDS.items() if kind.bare))))
SHORTEST_KEY: Final = 8
"""Characters; shorter ones are placeholders such as ``EMPTY``, which occur in ordinary text."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    agents: dict[str, dict[str, Any]] = Field(default_factory=dict)
    prices: dict[str, dict[str, Any]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What ``webbench.toml`` in the folder ``root`` says; without one, nothing is configured."""

    root: Path
    agents: Mapping[str, AgentOptions] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Path) -> Configuration:
        """The configuration; `TaskFileError` with everything that is wrong with it."""
        path = root / CONFIG_FILE
        if not path.is_file():
            return cls(root=root)
        toml, problems = read_toml(path), list[Problem]()
        raw = validate(_File, toml.data, toml.lines, problems)
        reader = _Reader(toml, problems)
        agents = {name: reader.agent(name, table) for name, table in (raw.agents if raw else {}).items()}
        prices = {
            name: reader.model(Price, ("prices", name), table) for name, table in (raw.prices if raw else {}).items()
        }
        if problems:
            raise TaskFileError(str(path), problems)
        return cls(
            root=root,
            agents={name: options for name, options in agents.items() if options is not None},
            prices={name: price for name, price in prices.items() if price is not None},
        )

    def options(self, spec: str) -> AgentOptions | None:
        """The options of the agent called ``spec``; None for baselines and dotted paths, which have none."""
        kind, colon, rest = spec.partition(":")
        if colon and kind in KINDS:
            return self._inline(spec, kind, rest)
        if spec in self.agents:
            return self.agents[spec]
        if spec in KINDS and KINDS[spec].bare:
            return load_kind(spec).Options(type=spec)
        if colon or spec in (*BASELINES, FROM_FIXTURE):
            return None
        raise SettingsError(f"{unknown('agent', spec, (*BUILT_IN, *self.agents))}; {self.known()}")

    def _inline(self, spec: str, kind: str, rest: str) -> AgentOptions:
        options, problems = load_kind(kind).Options, list[Problem]()
        try:
            found = validate(options, {"type": kind, **options.inline(rest)}, {}, problems)
        except SettingsError as error:
            raise SettingsError(f"agent {spec!r}: {error}") from error
        if found is None:
            wrong = "; ".join(f"{problem.field}: {problem.what}" for problem in problems)
            raise SettingsError(f"agent {spec!r}: {wrong}")
        return found

    def known(self) -> str:
        """What may be chosen, for messages."""
        configured = ", ".join(sorted(self.agents)) or "none"
        return (
            f"built in: {', '.join(BUILT_IN)}; in {self.root / CONFIG_FILE}: {configured}; or write type:model@url "
            f"(types: {', '.join(sorted(KINDS))}), or a dotted path package.module:Class"
        )

    def kit(self, name: str, *, seed: int = 0, patient: bool = True) -> Kit:
        """What the agent called ``name`` is made with."""
        return Kit(name=name, seed=seed, root=self.root, secret=self.secret, prices=self.prices, patient=patient)

    def secret(self, name: str) -> SecretStr | None:
        """The value of an environment variable, else of the same name in ``.env``; None if it is empty or missing."""
        value = os.environ.get(name)
        if value is None and (self.root / ENV_FILE).is_file():
            from dotenv import dotenv_values

            value = dotenv_values(self.root / ENV_FILE, interpolate=False).get(name)
        return SecretStr(value.strip()) if value and value.strip() else None

    def secrets(self, specs: tuple[str, ...], names: tuple[str, ...] = ()) -> dict[str, str]:
        """What must reach no file: keys of all agents that are configured or chosen, and the variables ``names``."""
        chosen = [*self.agents.values(), *(found for spec in specs if (found := self.options(spec)))]
        keys = {service.key_name for options in chosen for service in services_of(options)}
        keys |= {name for options in chosen for name in options.secret_names()}
        values = {name: self.secret(name) for name in (*keys, *names) if name}
        return {
            name: value.get_secret_value()
            for name, value in values.items()
            if value is not None and (name in names or len(value.get_secret_value()) >= SHORTEST_KEY)
        }


class _Reader:
    """Validates single tables of the file."""

    def __init__(self, toml: Toml, problems: list[Problem]) -> None:
        self._toml, self._problems = toml, problems

    def model(self, model: type[Any], place: Path_, table: dict[str, Any]) -> Any:
        return validate(model, table, self._toml.lines, self._problems, lambda path: (*place, *path))

    def agent(self, name: str, table: dict[str, Any]) -> AgentOptions | None:
        place, kind = ("agents", name), table.get("type")
        if not _NAME.fullmatch(name) or name in (*BUILT_IN, FROM_FIXTURE):
            what = "is a built-in agent's name" if name in (*BUILT_IN, FROM_FIXTURE) else "is no name for an agent"
            self._add(place, what, repr(name), "up to 60 letters, digits, dots, dashes and underscores")
        if kind is None:
            self._add(place, "has no type", "", ", ".join(sorted(KINDS)))
        elif kind not in KINDS:
            self._add((*place, "type"), unknown("type", kind, KINDS), "", ", ".join(sorted(KINDS)))
        else:
            found: AgentOptions | None = self.model(load_kind(kind).Options, place, table)
            return found
        return None

    def _add(self, place: Path_, what: str, found: str, allowed: str) -> None:
        line = self._toml.lines.get(place, self._toml.lines.get(place[:-1], 0))
        name = ".".join(map(str, place))
        self._problems.append(Problem(line=line, field=name, what=what, found=found, allowed=allowed))


def services_of(options: BaseModel) -> Iterator[Service]:
    """Every endpoint that an agent talks to: its own and those in tables below it."""
    if isinstance(options, Service):
        yield options
    for name in type(options).model_fields:
        value = getattr(options, name)
        if isinstance(value, BaseModel):
            yield from services_of(value)


def agent_label(spec: str) -> str:
    """Short name of an agent, for item names and folders.

    ``my_pkg.my_mod:MyAgent`` is ``MyAgent``, ``chat:org/model@https://host/v1`` is ``org-model``.
    """
    kind, colon, rest = spec.partition(":")
    if not colon:
        return spec
    if kind in KINDS and kind != "python":
        what = re.sub(r"@https?://.*", "", rest)
        return re.sub(r"[^A-Za-z0-9._-]+", "-", what).strip("-.")[:60] or kind
    return spec.rpartition(":")[2].rpartition(".")[2] or spec
