"""``quarantine.toml``: tasks of a suite that are left out on the live sites, which have changed.

[wp-cache]
on = "2026-11-30"
reason = "canary 'rating' (.rating) is not on the page"
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from .._suggest import unknown
from .._suite_files import TASK_SUFFIX, TASKS_FOLDER
from ..errors import Problem, TaskFileError
from .fields import Model
from .problems import Location, validate
from .toml import read_toml
from .writing import toml_value

FILE: Final = "quarantine.toml"
_HEAD: Final = """\
# Tasks that have drifted: they are skipped in the live world, and counted as missing.
# Written by `webbench validate --world live --quarantine`; solve a task there to let it out.
"""


def _as_text(day: Any) -> Any:
    # TOML has dates of its own.
    return day.isoformat() if isinstance(day, date) else day


class Quarantined(Model):
    """Since when a task is in quarantine, and why."""

    on: Annotated[str, BeforeValidator(_as_text), Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    reason: Annotated[str, Field(min_length=1)]

    def __str__(self) -> str:
        return f"quarantined on {self.on}: {self.reason}"


def _below(task: str, place: Location) -> Location:
    return (task, *place)


def read_quarantine(suite: Path) -> dict[str, Quarantined]:
    """The quarantine of a suite's folder, by task; empty if it has no such file.

    `TaskFileError` with all that is wrong with it; so are tasks that the suite does not have.
    """
    file = suite / FILE
    if not file.is_file():
        return {}
    data, lines = read_toml(file)
    known = sorted(path.stem for path in (suite / TASKS_FOLDER).glob(f"*{TASK_SUFFIX}"))
    found: dict[str, Quarantined] = {}
    problems: list[Problem] = []
    for task, value in data.items():
        if task not in known:
            what = f"{unknown('task', task, known)}: take it out, or correct it"
            problems.append(Problem(line=lines.get((task,), 0), field=task, what=what))
            continue
        entry = validate(Quarantined, value, lines, problems, partial(_below, task))
        if entry is not None:
            found[task] = entry
    if problems:
        raise TaskFileError(str(file), problems)
    return found


def quarantine_text(entries: Mapping[str, Quarantined]) -> str:
    """The file for these tasks."""
    text = _HEAD
    for task, entry in sorted(entries.items()):
        name = toml_value(task) if "." in task else task
        text += f'\n[{name}]\non = "{entry.on}"\nreason = {toml_value(entry.reason)}\n'
    return text
