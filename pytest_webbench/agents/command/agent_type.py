"""The type ``command``: its options, and how an agent is made from them."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, JsonValue, field_validator

from ...errors import SettingsError
from ...evidence.redact import telltale
from ..base import Agent
from ..options import VARIABLE_NAME, AgentOptions
from ..registry import AgentType, BuildContext
from .agent import CommandAgent
from .isolation import why_impossible

PASSED_ON: Final = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TZ",
    "USER",
)
"""Variables that every program gets. All others, keys and tokens above all, have to be named."""

VariableName = Annotated[str, Field(pattern=VARIABLE_NAME)]


class CommandOptions(AgentOptions):
    """``[agents.<name>]`` with ``type = "command"``."""

    type: Literal["command"] = "command"
    command: tuple[str, ...] = Field(
        min_length=1, description="the program and its arguments; no shell is used"
    )
    env: tuple[VariableName, ...] = Field(
        (), description="NAMES of further environment variables that it gets"
    )
    cwd: str = Field(".", description="folder that it starts in, from the folder of webbench.toml")
    isolate: bool = Field(
        False, description="hide the run directory, the suite and all other processes from it"
    )
    options: dict[str, JsonValue] = Field(
        default_factory=dict, description="passed on to the program unchanged"
    )

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``command:python my_agent.py``."""
        return {"command": rest}

    def secret_names(self) -> Iterable[str]:
        """Variables named like a key or token. Others may be a model's name or an address."""
        return filter(telltale, self.env)

    @field_validator("command", mode="before")
    @classmethod
    def _split(cls, command: object) -> object:
        """A text is split into words as a shell would do it."""
        return shlex.split(command) if isinstance(command, str) else command


def make(options: CommandOptions, build: BuildContext) -> Agent:
    """A fresh agent; `SettingsError` if the program, its folder or a variable is missing."""
    cwd = _folder(options, build)
    environment = _environment(options, build)
    program = _program(options, cwd, build)
    _require_isolation(options, build)
    return CommandAgent(
        program,
        cwd=cwd,
        environment=environment,
        options=options.options,
        isolate=options.isolate,
    )


def check(options: CommandOptions, build: BuildContext) -> str:
    """What would be started; `SettingsError` as in `make`."""
    cwd = _folder(options, build)
    _environment(options, build)
    _require_isolation(options, build)
    return f"{_program(options, cwd, build)[0]} in {cwd}"


AGENT_TYPE: Final = AgentType(
    summary="any program, given a browser's CDP address",
    options=CommandOptions,
    make=make,
    check=check,
)


def _folder(options: CommandOptions, build: BuildContext) -> Path:
    folder = (build.root / Path(options.cwd).expanduser()).resolve()
    if not folder.is_dir():
        raise SettingsError(
            f"agent {build.name!r}: cwd = {options.cwd!r}: there is no folder {folder}"
        )
    return folder


def _program(options: CommandOptions, cwd: Path, build: BuildContext) -> tuple[str, ...]:
    name, *arguments = options.command
    name = os.path.expanduser(name)
    # As in a shell that was started in the program's own folder: a path is relative to the folder,
    # a plain name is looked up on PATH.
    if os.sep in name:
        found, where = shutil.which(str(cwd / name)), f"at {cwd / name}"
    else:
        found, where = shutil.which(name), "on PATH"
    if found is None:
        raise SettingsError(f"agent {build.name!r}: command: there is no program {name!r} {where}")
    return found, *arguments


def _require_isolation(options: CommandOptions, build: BuildContext) -> None:
    if options.isolate and (reason := why_impossible()):
        raise SettingsError(
            f"agent {build.name!r}: isolate = true is not possible on this machine: {reason}"
        )


def _environment(options: CommandOptions, build: BuildContext) -> dict[str, str]:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    for name in options.env:
        environment[name] = build.require_secret(name, option="env").get_secret_value()
    return environment
