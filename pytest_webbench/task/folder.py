"""All tasks of a suite folder at once, for commands that work without pytest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import SettingsError
from .models import Suite, Task
from .native import SUITE_FILE, TASKS_FOLDER, read_suite, read_task


class SuiteFolder(NamedTuple):
    """A suite and its tasks, by id."""

    path: Path
    suite: Suite
    tasks: dict[str, Task]


def read_folder(path: Path, only: Sequence[str] = ()) -> SuiteFolder:
    """The suite in a folder; `SettingsError` if there is none, `TaskFileError` if one of its files is wrong."""
    if not (path / SUITE_FILE).is_file():
        raise SettingsError(f"{path} is no suite: it holds no {SUITE_FILE}")
    files = sorted((path / TASKS_FOLDER).glob("*.yaml"))
    tasks = [read_task(file) for file in files if not only or file.stem in only]
    return SuiteFolder(path, read_suite(path / SUITE_FILE), {task.id: task for task in tasks})
