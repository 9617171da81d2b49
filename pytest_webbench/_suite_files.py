"""Which files hold tasks, judged by their names and first bytes.

Imports nothing of ours, so that looking at the files of somebody else's tests costs nothing.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Final

SUITE_FILE: Final = "suite.toml"
"""Makes a folder a suite."""
TASKS_FOLDER: Final = "tasks"
"""Folder within a suite that holds one task file per task."""
TASK_SUFFIX: Final = ".yaml"
PEEKED: Final = 16_384
"""Bytes of a file that are looked at."""


def suite_folder_of(path: Path) -> Path | None:
    """The suite that a native task file belongs to; None if it is not one."""
    if path.suffix != TASK_SUFFIX or path.parent.name != TASKS_FOLDER:
        return None
    folder = path.parent.parent
    return folder if (folder / SUITE_FILE).is_file() else None


def is_in_suite(path: Path) -> bool:
    """Whether a folder above ``path`` is a suite."""
    return any((folder / SUITE_FILE).is_file() for folder in path.parents)


# Keys of a native task, of which so many are in any file that is meant to be one.
_TASK_KEY: Final = re.compile(
    rb"^(goal|start_url|checks|solution|counterexamples)\s*:", re.MULTILINE
)
_LEAST_KEYS: Final = 2


def misplaced(path: Path, *, named: bool) -> str:
    """What to do with a native task file that is not collected where it is, or as it is called.

    ``named`` says whether the command line names the file or its folder. Empty for all other files:
    those of somebody else's tests, too, may be YAML in a folder `tasks`.
    """
    if path.suffix.lower() not in (TASK_SUFFIX, ".yml"):
        return ""
    above = list(path.parents)
    suite = next((folder for folder in above if (folder / SUITE_FILE).is_file()), None)
    in_tasks = TASKS_FOLDER in [folder.name for folder in above[:3]]
    if suite is None and not (in_tasks or named):
        return ""
    if suite is not None and suite / TASKS_FOLDER in above:
        return _how_to_place(path, suite)
    if not _looks_like_a_task(path):
        return ""
    return _how_to_place(path, suite)


def _how_to_place(path: Path, suite: Path | None) -> str:
    if suite is None:
        folder = path.parent
        if TASKS_FOLDER in folder.parts[-3:]:
            folder = next(one for one in path.parents if one.name == TASKS_FOLDER).parent
        return (
            f"this looks like a task, but {folder} is no suite: a suite has a {SUITE_FILE} (name, "
            f"title, licence) and its tasks in {TASKS_FOLDER}/<id>{TASK_SUFFIX}"
        )
    right = suite / TASKS_FOLDER / path.with_suffix(TASK_SUFFIX).name
    return (
        f"tasks of the suite {suite} are {TASKS_FOLDER}/<id>{TASK_SUFFIX}, and this file is not "
        f"collected: move it to {right}, or out of the suite"
    )


def _looks_like_a_task(path: Path) -> bool:
    return len(set(_TASK_KEY.findall(_head(path)))) >= _LEAST_KEYS


def _head(path: Path) -> bytes:
    """The beginning of a file; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(PEEKED)
    except OSError:
        return b""


class Format(StrEnum):
    """Formats of other benchmarks whose files are read in place."""

    LIVEWEB = "liveweb"
    SUITE_C = "suite_c"
    WEBVOYAGER = "webvoyager"


# The file's suffix, and keys of which at least so many occur near its beginning: a file with a
# broken or missing field is still recognised, so that we can say what is wrong with it.
_MARKS: Final = {
    Format.LIVEWEB: (".json", ("task_id", "task_name", "website", "evaluator"), 3),
    Format.SUITE_C: (
        ".jsonl",
        ("start_url", "check_python", "check_description", "scripted_steps"),
        2,
    ),
    Format.WEBVOYAGER: (".jsonl", ("web_name", "ques", "web"), 2),
}
SUFFIXES: Final = frozenset(suffix for suffix, _, _ in _MARKS.values())


def format_of(path: Path) -> Format | None:
    """The foreign format that ``path`` is written in; None if we know none or cannot read it."""
    if path.suffix not in SUFFIXES:
        return None
    keys = set(re.findall(rb'"(\w+)"\s*:', _head(path)))
    for kind, (suffix, marks, least) in _MARKS.items():
        if path.suffix == suffix and sum(mark.encode() in keys for mark in marks) >= least:
            return kind
    return None
