"""``webbench.toml`` and ``.env``: which agents there are, what they cost, where their keys are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from .._suggest import unknown
from ..errors import Problem, SettingsError, TaskFileError
from ..evidence.redact import secrets_in_command, secrets_in_options
from ..task.problems import Location, ModelT, validate
from ..task.toml import Toml, read_toml
from .options import AgentOptions, Price, Service
from .registry import (
    BASELINES,
    BUILT_IN_TYPES,
    AgentType,
    BuildContext,
    agent_type_names,
    is_agent_type,
    load_agent_type,
)

CONFIG_FILE: Final = "webbench.toml"
ENV_FILE: Final = ".env"
FROM_FIXTURE: Final = "fixture"
"""Stands for whatever the ``webbench_agent`` fixture of the user's conftest returns."""
BUILT_IN: Final = tuple(sorted((*BASELINES, "heuristic")))
"""Agents that a bare name chooses without any configuration."""
SHORTEST_KEY: Final = 8
"""Characters. Shorter values are placeholders such as ``EMPTY``, which occur in ordinary text."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_IMPORT_PATH: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    agents: dict[str, dict[str, Any]] = Field(default_factory=dict)
    prices: dict[str, dict[str, Any]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What ``webbench.toml`` in the folder ``root`` says; empty if there is no such file."""

    root: Path
    agents: Mapping[str, AgentOptions] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    """Agents whose type cannot be loaded, with the reason. An error only if one is chosen."""
    # Finding entry points takes milliseconds, and both are asked for every episode or step.
    _types: dict[str, AgentType] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _chosen: dict[str, AgentOptions | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def read(cls, root: Path) -> Configuration:
        """The configuration; `TaskFileError` with all problems of the file."""
        path = root / CONFIG_FILE
        if not path.is_file():
            return cls(root=root)
        toml = read_toml(path)
        problems: list[Problem] = []
        reader = _Reader(toml, problems)
        raw = validate(_File, toml.data, toml.lines, problems)
        if raw is not None:
            reader.read(raw)
        if problems:
            raise TaskFileError(str(path), problems)
        return cls(root=root, agents=reader.agents, prices=reader.prices, broken=reader.broken)

    def options(self, spec: str) -> AgentOptions | None:
        """The options of the agent ``spec``; None for baselines and import paths, which have none.

        `SettingsError` if there is no such agent, or its type cannot be loaded.
        """
        if spec not in self._chosen:
            self._chosen[spec] = self._options(spec)
        return self._chosen[spec]

    def agent_type(self, name: str) -> AgentType:
        """The agent type called ``name``; `SettingsError` if there is none or it is broken."""
        if name not in self._types:
            self._types[name] = load_agent_type(name)
        return self._types[name]

    def _options(self, spec: str) -> AgentOptions | None:
        type_name, colon, rest = spec.partition(":")
        if colon:
            return self._inline(spec, type_name, rest) if is_agent_type(type_name) else None
        if spec in self.agents:
            return self.agents[spec]
        if spec in self.broken:
            raise SettingsError(f"agent {spec!r}: {self.broken[spec]}")
        if spec in (*BASELINES, FROM_FIXTURE):
            return None
        if is_agent_type(spec) and self.agent_type(spec).bare:
            return self.agent_type(spec).options(type=spec)
        raise SettingsError(f"{unknown('agent', spec, (*BUILT_IN, *self.agents))}; {self.known()}")

    def _inline(self, spec: str, type_name: str, rest: str) -> AgentOptions:
        options = self.agent_type(type_name).options
        problems: list[Problem] = []
        try:
            values = {"type": type_name, **options.inline(rest)}
        except SettingsError as error:
            raise SettingsError(f"agent {spec!r}: {error}") from error
        found = validate(options, values, {}, problems)
        if found is None:
            wrong = "; ".join(f"{problem.field}: {problem.what}" for problem in problems)
            raise SettingsError(f"agent {spec!r}: {wrong}")
        return found

    def known(self) -> str:
        """What can be chosen, for messages."""
        configured = ", ".join(sorted(self.agents)) or "none"
        return (
            f"built in: {', '.join(BUILT_IN)}; in {self.root / CONFIG_FILE}: {configured}; "
            f"or write type:model@url (types: {', '.join(agent_type_names())}), "
            "or an import path package.module:Class"
        )

    def build_context(self, name: str, *, seed: int = 0, patient: bool = True) -> BuildContext:
        """What the agent called ``name`` is built with."""
        return BuildContext(
            name=name,
            seed=seed,
            root=self.root,
            secret=self.secret,
            prices=self.prices,
            patient=patient,
        )

    def secret(self, name: str) -> SecretStr | None:
        """The value of an environment variable, else of ``name`` in ``.env``.

        None if neither is set or the value is blank.
        """
        value = os.environ.get(name)
        if value is None and (self.root / ENV_FILE).is_file():
            # Read anew each time and never put into os.environ: a program that is started must
            # not inherit keys that its `env` does not name.
            value = dotenv_values(self.root / ENV_FILE, interpolate=False).get(name)
        if not value or not value.strip():
            return None
        return SecretStr(value.strip())

    def secrets(self, specs: tuple[str, ...], names: tuple[str, ...] = ()) -> dict[str, str]:
        """Values, by variable, that must reach no file.

        These are the keys of all agents that are configured or in ``specs``, and ``names``.
        """
        found = {}
        for name in {*self._key_names(specs), *names}:
            secret = self.secret(name)
            if secret is None:
                continue
            value = secret.get_secret_value()
            # Hiding a placeholder such as EMPTY would garble the texts that contain the word.
            if name in names or len(value) >= SHORTEST_KEY:
                found[name] = value
        return found

    def written_secrets(self, specs: tuple[str, ...]) -> set[str]:
        """Secrets that stand in options and command lines, of all agents as in `secrets`."""
        chosen = [self.options(spec) for spec in specs]
        found: set[str] = set()
        for options in (*self.agents.values(), *chosen):
            if options is not None:
                found.update(secrets_in_options(options.model_dump(mode="json")))
        # `key` names a variable; messages and run.json say which.
        return found - self._key_names(specs)

    def _key_names(self, specs: tuple[str, ...]) -> set[str]:
        names: set[str] = set()
        chosen = [self.options(spec) for spec in specs]
        for options in (*self.agents.values(), *chosen):
            if options is None:
                continue
            names.update(options.secret_names())
            names.update(service.key_name for service in services_of(options) if service.key_name)
        return names


class _Reader:
    """Validates the tables of the file one by one, so that all problems are reported at once."""

    def __init__(self, toml: Toml, problems: list[Problem]) -> None:
        self.agents: dict[str, AgentOptions] = {}
        self.prices: dict[str, Price] = {}
        self.broken: dict[str, str] = {}
        self._toml = toml
        self._problems = problems

    def read(self, raw: _File) -> None:
        for name, table in raw.agents.items():
            options = self._agent(name, table)
            if options is not None:
                self.agents[name] = options
        for model, table in raw.prices.items():
            price = self._validate(Price, ("prices", model), table)
            if price is not None:
                self.prices[model] = price

    def _agent(self, name: str, table: dict[str, Any]) -> AgentOptions | None:
        place: Location = ("agents", name)
        self._check_name(name, place)
        type_name = table.get("type")
        if type_name is None:
            self._add(place, "has no type", allowed=", ".join(agent_type_names()))
            return None
        if not isinstance(type_name, str) or not is_agent_type(type_name):
            types = agent_type_names()
            self._add((*place, "type"), unknown("type", type_name, types), allowed=", ".join(types))
            return None
        try:
            agent_type = load_agent_type(type_name)
        except SettingsError as error:
            # Not a problem of the file, and of no concern while the agent is not chosen.
            self.broken[name] = str(error)
            return None
        return self._validate(agent_type.options, place, table)

    def _check_name(self, name: str, place: Location) -> None:
        allowed = "up to 60 letters, digits, dots, dashes and underscores"
        if name in (*BUILT_IN, FROM_FIXTURE):
            self._add(place, "is a built-in agent's name", found=repr(name), allowed=allowed)
        elif not _NAME.fullmatch(name):
            self._add(place, "is not a valid agent name", found=repr(name), allowed=allowed)

    def _validate(
        self, model: type[ModelT], place: Location, table: dict[str, Any]
    ) -> ModelT | None:
        def locate(path: Location) -> Location:
            return (*place, *path)

        return validate(model, table, self._toml.lines, self._problems, locate)

    def _add(self, place: Location, what: str, *, found: str = "", allowed: str = "") -> None:
        lines = self._toml.lines
        line = lines.get(place, lines.get(place[:-1], 0))
        name = ".".join(map(str, place))
        self._problems.append(
            Problem(line=line, field=name, what=what, found=found, allowed=allowed)
        )


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
    Depends on the text alone, not on which agent types are installed.
    """
    type_name, colon, rest = spec.partition(":")
    if not colon or not rest:
        return spec
    if type_name == "python":
        return agent_label(rest)
    if type_name not in BUILT_IN_TYPES and _IMPORT_PATH.fullmatch(rest):
        return rest.rpartition(".")[2]
    what = re.sub(r"@https?://.*", "", rest)
    for secret in secrets_in_command(what.split()):
        what = what.replace(secret, "")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", what).strip("-.")[:60] or type_name
