"""All tasks of a suite folder at once, for commands that work without pytest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .._suggest import unknown
from .._suite_files import SUITE_FILE, TASK_SUFFIX, TASKS_FOLDER
from ..errors import SettingsError
from .models import Suite, Task
from .native import read_suite, read_task


class SuiteFolder(NamedTuple):
    """A suite and its tasks, by id."""

    path: Path
    suite: Suite
    tasks: dict[str, Task]


def read_folder(path: Path, only: Sequence[str] = ()) -> SuiteFolder:
    """The suite in a folder, with all its tasks or ``only`` those of these ids.

    `SettingsError` if there is none, `TaskFileError` if one of its files is wrong.
    """
    if not (path / SUITE_FILE).is_file():
        raise SettingsError(f"{path} is not a suite: it has no {SUITE_FILE}")
    files = sorted((path / TASKS_FOLDER).glob(f"*{TASK_SUFFIX}"))
    known = [file.stem for file in files]
    for task in only:
        if task not in known:
            raise SettingsError(
                f"{path}: {unknown('task', task, known)}; it has {', '.join(known)}"
            )
    if not files:
        raise SettingsError(
            f"{path / TASKS_FOLDER} holds no tasks (files that end in {TASK_SUFFIX})"
        )
    tasks = [read_task(file) for file in files if not only or file.stem in only]
    return SuiteFolder(path, read_suite(path / SUITE_FILE), {task.id: task for task in tasks})
