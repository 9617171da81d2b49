"""Agents that are programs, in any language: started for every episode, with the address of a browser of its own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field, JsonValue, field_validator

from ...errors import SettingsError
from ...evidence.redact import telltale
from ...task.models import TaskBrief
from ..base import Agent, AgentCrashed, Budget, Equipment
from ..types import AgentOptions, Kit

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSED_ON: Final = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "SHELL", "SSL_CERT_DIR",
    "SSL_CERT_FILE", "TZ", "USER",
)  # fmt: skip
"""What every program gets of our environment, besides a ``TMPDIR`` of its own; keys and tokens only by name."""

VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Options(AgentOptions):
    """``[agents.<name>]`` with ``type = "command"``."""

    type: Literal["command"] = "command"
    command: tuple[str, ...] = Field(min_length=1, description="the program and its arguments; no shell is used")
    env: tuple[VariableName, ...] = Field((), description="NAMES of further environment variables that it gets")
    cwd: str = Field(".", description="folder that it starts in, from the folder of webbench.toml")
    options: dict[str, JsonValue] = Field(default_factory=dict, description="handed on to it as they are")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``command:python my_agent.py``."""
        return {"command": rest}

    def secret_names(self) -> Iterable[str]:
        """Those that are called as keys and tokens are; others may be a model's name or an address."""
        return filter(telltale, self.env)

    @field_validator("command", mode="before")
    @classmethod
    def _words(cls, command: object) -> object:
        """A text is split as a shell would do it."""
        return shlex.split(command) if isinstance(command, str) else command


def make(options: Options, kit: Kit) -> Agent:
    """An agent for one episode; `SettingsError` if the program, its folder or a variable is not there."""
    cwd = _folder(options, kit)
    environment = _environment(options, kit)
    return CommandAgent(_program(options, cwd, kit), cwd, environment, options)


def check(options: Options, kit: Kit) -> str:
    """What would be started."""
    cwd = _folder(options, kit)
    _environment(options, kit)
    return f"{_program(options, cwd, kit)[0]} in {cwd}"


def _folder(options: Options, kit: Kit) -> Path:
    folder = (kit.root / Path(options.cwd).expanduser()).resolve()
    if not folder.is_dir():
        raise SettingsError(f"agent {kit.name!r}: cwd = {options.cwd!r}: there is no folder {folder}")
    return folder


def _program(options: Options, cwd: Path, kit: Kit) -> tuple[str, ...]:
    name, *arguments = options.command
    name = os.path.expanduser(name)
    # A path is meant from the program's own folder, as in a shell there; a plain name is looked up on PATH.
    found = shutil.which(str(cwd / name)) if os.sep in name else shutil.which(name)
    if found is None:
        where = f"at {cwd / name}" if os.sep in name else "on PATH"
        raise SettingsError(f"agent {kit.name!r}: command: there is no program {name!r} {where}")
    return found, *arguments


def _environment(options: Options, kit: Kit) -> dict[str, str]:
    named = {}
    for name in options.env:
        value = kit.secret(name)
        if value is None:
            raise SettingsError(
                f"agent {kit.name!r}: env: {name} is neither an environment variable nor in {kit.root / '.env'}"
            )
        named[name] = value.get_secret_value()
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ} | named


class CommandAgent:
    """Runs the program, and takes what it writes for its own words."""

    own_browser = True

    def __init__(self, command: tuple[str, ...], cwd: Path, environment: dict[str, str], options: Options) -> None:
        self._command, self._cwd, self._environment, self._options = command, cwd, environment, options
        self._equipment: Equipment | None = None

    def __repr__(self) -> str:
        return f"CommandAgent({' '.join(self._command)})"

    def equip(self, equipment: Equipment) -> None:
        """Take journal, log and the browser's address."""
        self._equipment = equipment

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Start the program, observe what it does in the browser, and give its answer."""
        from ...browser.beside import wait_beside
        from .process import Program, how_it_ended
        from .protocol import Transcript, conclude, read_reply, request_of

        assert self._equipment is not None, "agents are equipped before they run"
        assert self._equipment.cdp_url is not None, "an agent with own_browser is given the address of one"
        request = request_of(brief, self._equipment.cdp_url, self._options.options)
        transcript = Transcript(self._equipment)
        environment = self._environment | variables_of(request)
        program = Program(
            self._command, cwd=self._cwd, environment=environment, output=transcript.output, errors=transcript.log
        )
        try:
            code = wait_beside(page, lambda: program.talk(json.dumps(request).encode() + b"\n"))
        finally:
            program.end()
        if code:
            raise AgentCrashed(f"the program {how_it_ended(code)}; what it wrote stands above")
        if transcript.reply is None:
            raise AgentCrashed('the program ended without a reply: its last line has to be a JSON object with "status"')
        return conclude(read_reply(transcript.reply), self._equipment)


def variables_of(request: Mapping[str, JsonValue]) -> dict[str, str]:
    """The request as environment variables, for programs that do not read their input: ``WEBBENCH_GOAL`` ..."""
    return {
        f"WEBBENCH_{name.upper()}": (value if isinstance(value, str) else json.dumps(value)).replace("\0", "")
        for name, value in request.items()
        if name != "options"
    }
