"""File formats whose contents are collected as items.

Native task files and those of three other benchmarks are built in. Other distributions offer theirs
in the entry-point group ``pytest_webbench.formats``: an instance of a class derived from
`TaskFormat`, or anything with the two methods of `ItemFormat`. A format is asked about many files
that are not benchmarks, so its module must be cheap to import.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Protocol

import pytest

from .. import _entry_points
from .._suite_files import SUFFIXES, format_of, is_in_suite, suite_folder_of
from ..errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path

    from ..run.work_item import WorkItem
    from ..task import Suite
    from .jobs import Collection
    from .reading import FileContents

# pytest asks about every file: for Python's, other distributions' formats need not be loaded.
_NEVER_OURS: Final = frozenset((".py", ".pyc"))


class ItemFormat(Protocol):
    """The general form: decides what an item is and how it is run."""

    def recognises(self, path: Path, *, named: bool) -> bool:
        """Whether ``path`` is a file of this format.

        ``named`` says whether the command line names the file or the folder it is in. A format
        whose files could be anything else should ask for that, and look at no other file.
        """

    def items(self, path: Path, collection: Collection) -> Iterable[WorkItem]:
        """The items in a file that was recognised; `UsageError` that says what is wrong with it."""


class TaskFormat(ABC):
    """The usual form: a file holds tasks, which are run as every task is."""

    @abstractmethod
    def recognises(self, path: Path, *, named: bool) -> bool:
        """See `ItemFormat.recognises`."""

    @abstractmethod
    def read(self, path: Path) -> FileContents:
        """The tasks in a file and their suite; `UsageError` that says what is wrong with it."""

    def items(self, path: Path, collection: Collection) -> Iterable[WorkItem]:
        """One item per task, agent, edition and repeat."""
        return collection.task_jobs(self.read(path))


class NativeFormat(TaskFormat):
    """``tasks/<id>.yaml`` beside a ``suite.toml``, which is read once for all its tasks."""

    def __init__(self) -> None:
        self._suites: dict[Path, Suite] = {}

    def recognises(self, path: Path, *, named: bool) -> bool:
        return suite_folder_of(path) is not None

    def read(self, path: Path) -> FileContents:
        # Loads the models of tasks; to recognise a file must not.
        from .reading import read_native

        return read_native(path, self._suites)


class ForeignFormat(TaskFormat):
    """Task files of liveweb, Suite C and WebVoyager, read in place."""

    def recognises(self, path: Path, *, named: bool) -> bool:
        if not named or path.suffix not in SUFFIXES or is_in_suite(path):
            return False
        return format_of(path) is not None

    def read(self, path: Path) -> FileContents:
        # Loads the models of tasks; to recognise a file must not.
        from .reading import read_in_place

        return read_in_place(path)


class FormatRegistry:
    """All formats of one session; those of other distributions are loaded on first use."""

    def __init__(self) -> None:
        self._built_in: tuple[ItemFormat, ...] = (NativeFormat(), ForeignFormat())
        self._offered: tuple[ItemFormat, ...] | None = None
        self._problem: SettingsError | None = None
        self._reported: set[str] = set()

    def format_of(self, path: Path, *, named: bool) -> ItemFormat | None:
        """The format that recognises a file; None if the file is not ours.

        `SettingsError` if no built-in format does and the others cannot be loaded.
        """
        if path.suffix in _NEVER_OURS:
            return None
        for known in self._built_in:
            if known.recognises(path, named=named):
                return known
        for known in self._load_offered():
            if known.recognises(path, named=named):
                return known
        return None

    def report_once(self, problem: str) -> str:
        """``problem``; empty if it was reported before."""
        if problem in self._reported:
            return ""
        self._reported.add(problem)
        return problem

    def _load_offered(self) -> tuple[ItemFormat, ...]:
        if self._problem is not None:
            raise self._problem
        if self._offered is None:
            try:
                self._offered = tuple(_entry_points.load_all(_entry_points.FORMATS).values())
            except SettingsError as error:
                # Remembered, so that it is reported once and not for every file.
                self._problem = error
                raise
        return self._offered


class UnusableFile(pytest.File):
    """A file that cannot be collected though it may hold tasks: the first such file says why."""

    formats: FormatRegistry
    problem: str

    @classmethod
    def of(
        cls, path: Path, parent: pytest.Collector, formats: FormatRegistry, problem: str
    ) -> UnusableFile:
        """The collector of the file ``path``, of which ``problem`` is to be said."""
        made: UnusableFile = cls.from_parent(parent, path=path)
        made.formats, made.problem = formats, problem
        return made

    def collect(self) -> Iterable[pytest.Item]:
        problem = self.formats.report_once(self.problem)
        if problem:
            raise self.CollectError(problem)
        return ()
