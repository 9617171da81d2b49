"""The table of tasks in ``docs/miniweb.md``, made from the task files.

Run ``python -m tests.support.miniweb_page`` to see what it should be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pytest_webbench.task import Task
from pytest_webbench.task.folder import read_folder

SUITE: Final = Path(__file__).parents[2] / "suites" / "miniweb"


def rows() -> list[str]:
    """One line for each task: its id, its sites, its skills and operations."""
    return [_row(task) for task in read_folder(SUITE).tasks.values()]


def _row(task: Task) -> str:
    sites = ", ".join([task.site.removesuffix(".localhost"), *task.sites])
    operations = ", ".join(dict.fromkeys(_operations(task)))
    return f"| `{task.id}` | {sites} | {', '.join(skills(task))} | {operations} |"


def skills(task: Task) -> list[str]:
    """What the checks of a task need, each once."""
    return list(dict.fromkeys(skill for check in task.checks for skill in check.skills))


def _operations(task: Task) -> Iterator[str]:
    for check in task.checks:
        if check.operation is not None:
            yield check.operation


if __name__ == "__main__":
    sys.stdout.write("\n".join([*rows(), ""]))
