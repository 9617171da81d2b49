"""What the files of task formats hold."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .._suite_files import SUITE_FILE, format_of, suite_folder_of
from ..task import Suite, Task
from ..task.adapters import read_foreign
from ..task.native import read_suite, read_task


class FileContents(NamedTuple):
    """The tasks in a file and their suite. ``folder`` is where the suite's own world would be."""

    suite: Suite
    folder: Path
    tasks: tuple[Task, ...]


def read_native(path: Path, known: dict[Path, Suite]) -> FileContents:
    """A native task file. ``known`` keeps suites by folder, so that each is read once.

    `TaskFileError` with everything that is wrong with it.
    """
    folder = suite_folder_of(path)
    assert folder is not None, "only recognised files are read"
    if folder not in known:
        known[folder] = read_suite(folder / SUITE_FILE)
    return FileContents(known[folder], folder, (read_task(path),))


def read_in_place(path: Path) -> FileContents:
    """Another benchmark's file; its name or folder names the suite. Errors as in `read_native`."""
    kind = format_of(path)
    assert kind is not None, "only recognised files are read"
    found = read_foreign(path, kind)
    return FileContents(found.suite, path.parent, found.tasks)
