"""From foreign files to a native suite that collects and judges the same."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..._suite_files import SUITE_FILE, TASK_SUFFIX, TASKS_FOLDER, Format, format_of
from ...errors import SettingsError, TaskFileError
from ..models import Suite, Task
from ..native import parse_task
from ..writing import suite_text, task_text
from . import read_partly


class Conversion(NamedTuple):
    """A native suite made from foreign files."""

    files: dict[str, str]
    """Texts by their path in the suite's folder."""
    failures: tuple[str, ...]
    """What could not be converted, with the reason."""


def native_files(foreign: Path) -> Conversion:
    """The native suite that a foreign file, or all the foreign files of a folder, amounts to."""
    suite: Suite | None = None
    texts: dict[str, str] = {}
    failures: list[str] = []
    for path, kind in _foreign_files(foreign):
        try:
            reading = read_partly(path, kind)
        except TaskFileError as error:
            failures.append(str(error))
            continue
        suite = suite or reading.suite
        failures += [f"{path}: {problem}" for problem in reading.problems]
        for task in reading.tasks:
            if problem := _add(task, texts):
                failures.append(f"{path}: task {task.id}: {problem}")
    files: dict[str, str] = {}
    if suite is not None and texts:
        files[SUITE_FILE] = suite_text(suite)
        for name, text in texts.items():
            files[f"{TASKS_FOLDER}/{name}{TASK_SUFFIX}"] = text
    return Conversion(files, tuple(failures))


def _foreign_files(foreign: Path) -> list[tuple[Path, Format]]:
    paths = sorted(foreign.iterdir()) if foreign.is_dir() else [foreign]
    found = [
        (path, kind) for path in paths if path.is_file() and (kind := format_of(path)) is not None
    ]
    if not found:
        known = ", ".join(Format)
        raise SettingsError(
            f"{foreign} holds no task file in a format that is known here; known are: {known}"
        )
    return found


def _add(task: Task, texts: dict[str, str]) -> str | None:
    """Add the file of ``task``, or say why not: its native form has to be the same task."""
    if task.id in texts:
        return "another file has a task of this id"
    text = task_text(task)
    try:
        same = parse_task(text, f"{task.id}.yaml", stem=task.id).digest() == task.digest()
    except TaskFileError as error:
        return f"its native form is refused: {error}"
    if not same:
        return "its native form reads differently"
    texts[task.id] = text
    return None
