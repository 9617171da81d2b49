"""How pytest was called, as far as it concerns us. Imports nothing heavy: every session has one."""

from __future__ import annotations

import os
import shlex
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pytest

from .._suite_files import SUITE_FILE
from .formats import FormatRegistry, ItemFormat
from .options import OPTIONS
from .settings import Settings
from .usage_errors import usage_errors

PLANNER: Final = "gw0"
"""The worker that writes the plan."""
_REFUSAL: Final = "webbench_refusal"
_KEY: Final = pytest.StashKey["Invocation"]()


class Invocation:
    """The command line of this process and its part in the session, read on first use."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        # xdist sets this attribute in its workers only.
        self._handed: dict[str, Any] = getattr(config, "workerinput", {})
        self.formats = FormatRegistry()
        self.agents_checked = bool(self._handed.get("webbench_checked", False))
        """Whether all agents of this session were made and asked, here or in the controller."""

    @cached_property
    def settings(self) -> Settings:
        """All options; `pytest.UsageError` if one cannot be used."""
        return Settings.read(self.config)

    # -- processes -------------------------------------------------------------------------------

    @property
    def is_worker(self) -> bool:
        """Whether this is one of xdist's workers."""
        return bool(self._handed)

    @property
    def is_controller(self) -> bool:
        """Whether this process starts xdist's workers and runs nothing itself."""
        return not self.is_worker and self.config.getoption("dist", "no") != "no"

    @property
    def distribution(self) -> str:
        """xdist's ``--dist``; ``no`` if there are no workers."""
        own = self.config.getoption("dist", "no")
        return str(self._handed.get("webbench_distribution", own))

    @property
    def worker(self) -> str:
        """``gw0`` under xdist, else ``main``."""
        return str(self._handed.get("workerid", "main"))

    @property
    def writes_plan(self) -> bool:
        """Whether this process writes the plan: all workers collect the same, one writes it."""
        return self.worker in ("main", PLANNER)

    @cached_property
    def identity(self) -> tuple[str, int]:
        """Name of the session and id of the process that the user started; equal in all workers."""
        return self._handed.get("webbench_session") or (uuid.uuid4().hex, os.getpid())

    def hand_to_worker(self, workerinput: dict[str, Any]) -> None:
        """Tell a worker what it has to agree on with this process."""
        # Texts and numbers: xdist cannot send other objects.
        workerinput["webbench_tag"] = self.tag
        workerinput["webbench_session"] = self.identity
        workerinput["webbench_distribution"] = self.distribution
        workerinput["webbench_checked"] = self.agents_checked

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """A block whose `WebbenchError` ends the whole session with exit code 4."""
        try:
            with usage_errors():
                yield
        except pytest.UsageError as error:
            if self.is_worker:  # xdist passes this on; see `refusal_of`
                output: dict[str, Any] = self.config.workeroutput  # type: ignore[attr-defined]
                output[_REFUSAL] = str(error)
            raise

    # -- the run ---------------------------------------------------------------------------------

    @cached_property
    def tag(self) -> str:
        """Name of the run: given, handed down by the controller, or made from the clock."""
        inherited = self._handed.get("webbench_tag")
        given = self.settings.rescore or self.settings.run
        return inherited or given or f"{datetime.now(UTC):%Y%m%d-%H%M%S}"

    @property
    def runs_folder(self) -> Path:
        """Where runs are stored."""
        return self.config.rootpath / self.settings.runs_dir

    @property
    def runs_nothing(self) -> bool:
        """Whether items are shown only: with --collect-only and with --setup-plan."""
        options = self.config.option
        return bool(options.collectonly or options.setupplan)

    def has_run(self) -> bool:
        """Whether items were planned under this tag; on disk, for workers may have done it."""
        return not self.runs_nothing and (self.runs_folder / self.tag / "run.json").is_file()

    def resuming_command(self) -> str:
        """What the user types to go on with this run."""
        given = list(self.config.invocation_params.args)
        option = "--webbench-run"
        chosen = any(one == option or one.startswith(f"{option}=") for one in given)
        added = [] if chosen else [option, self.tag]
        return shlex.join(["pytest", *map(str, given), *added])

    # -- paths -----------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """The folder that pytest was called in."""
        return self.config.invocation_params.dir

    def shown(self, path: Path) -> str:
        """A path as the user would type it."""
        return os.path.relpath(path, self.folder)

    @cached_property
    def named_paths(self) -> frozenset[Path]:
        """The paths that the user wrote on the command line."""
        # Without arguments, `config.args` holds `testpaths` or the current folder.
        if self.config.args_source is not self.config.ArgsSource.ARGS:
            return frozenset()
        return frozenset(
            # Not resolve(): pytest keeps symbolic links in the paths that it collects.
            Path(os.path.abspath(self.folder / argument.partition("::")[0]))
            for argument in self.config.args
        )

    def format_of(self, path: Path) -> ItemFormat | None:
        """The format of a benchmark's file; None for any other file.

        `SettingsError` if this is unknown, because a format cannot be loaded.
        """
        return self.formats.format_of(path, named=self.names(path))

    @property
    def start_paths(self) -> list[Path]:
        """Where collection starts: paths of the command line, else pytest's ``testpaths``."""
        return [Path(one.partition("::")[0]).absolute() for one in self.config.args]

    def names(self, path: Path) -> bool:
        """Whether the command line names ``path`` or the folder that it is directly in."""
        return not self.named_paths.isdisjoint((path, path.parent))

    def uses_suites(self) -> bool:
        """Whether the command line means benchmarks, as far as is known before collection."""
        for _file in self.suites_near():
            return True
        for path in self.named_paths:
            files = path.iterdir() if path.is_dir() else (path,)
            with usage_errors():
                if any(self.format_of(file) for file in files if file.is_file()):
                    return True
        return False

    def suites_near(self) -> Iterator[Path]:
        """Each ``suite.toml`` at, up to two levels above or one level below a start path."""
        seen: set[Path] = set()
        for start in self.start_paths:
            for file in _suite_files_near(start):
                if file not in seen and file.is_file():
                    seen.add(file)
                    yield file

    def agent_on_command_line(self) -> bool:
        """Whether an agent is chosen there, and not only in the ini file."""
        return OPTIONS.on_command_line(self.config, "agent")


def refusal_of(node: Any) -> str:
    """Why xdist's worker ``node`` has refused to run anything; empty if it has not."""
    output: dict[str, Any] = getattr(node, "workeroutput", {})
    return str(output.get(_REFUSAL, ""))


def invocation_of(config: pytest.Config) -> Invocation:
    """This process's one `Invocation`."""
    if _KEY not in config.stash:
        config.stash[_KEY] = Invocation(config)
    return config.stash[_KEY]


def _suite_files_near(start: Path) -> Iterator[Path]:
    # Only near: to search all folders would delay every session of pytest.
    yield start / SUITE_FILE
    for folder in list(start.parents)[:2]:
        yield folder / SUITE_FILE
    if start.is_dir():
        yield from start.glob(f"*/{SUITE_FILE}")
