"""Audits checks: how many mutants of passing evidence does a task reject?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .._suggest import unknown
from ..errors import Problem, TaskFileError
from ..evidence.models import Evidence
from ..task import Task
from ..task.toml import Toml, read_toml
from .judge import judge
from .mutations import FAMILIES, mutants
from .verdict import Outcome

AUDIT_FILE: Final = "audit.toml"
Reasons = Mapping[str, Mapping[str, str]]
"""Why survivors of a family are no fault of the checks, by task and family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyAudit:
    """Mutants of one family against one task."""

    task: str
    family: str
    total: int
    survivors: tuple[str, ...]
    reason: str = ""

    @property
    def open(self) -> bool:
        """Whether some mutant survives without a reason why that is right."""
        return bool(self.survivors) and not self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAudit:
    """All families that apply to one task; ``problem`` says why there are none."""

    task: str
    families: tuple[FamilyAudit, ...] = ()
    problem: str = ""

    @property
    def total(self) -> int:
        """Mutants in all."""
        return sum(one.total for one in self.families)

    @property
    def surviving(self) -> int:
        """Mutants that pass."""
        return sum(len(one.survivors) for one in self.families)

    @property
    def open(self) -> bool:
        """Whether this task's checks are not proven."""
        return bool(self.problem) or any(one.open for one in self.families)


def audit(
    task: Task, passing: Evidence | None, start: Evidence | None, reasons: Mapping[str, str]
) -> TaskAudit:
    """Judges every mutant of passing evidence.

    ``start`` is evidence of the start page; ``reasons`` say by family why mutants may survive.
    """
    if passing is None:
        return TaskAudit(task=task.id, problem="there is no episode of the scripted solution")
    verdict = judge(task, passing)
    if verdict.outcome is not Outcome.PASSED:
        problem = f"the evidence of the scripted solution is {verdict.outcome}: run it again"
        return TaskAudit(task=task.id, problem=problem)
    totals: dict[str, int] = {}
    survivors: dict[str, list[str]] = {}
    for mutant in mutants(task, passing, start):
        totals[mutant.family] = totals.get(mutant.family, 0) + 1
        if judge(task, mutant.evidence, task_digest=verdict.task_digest).outcome is Outcome.PASSED:
            survivors.setdefault(mutant.family, []).append(mutant.what)
    audits = []
    for family in FAMILIES:
        if family in totals:
            audits.append(
                FamilyAudit(
                    task=task.id,
                    family=family,
                    total=totals[family],
                    survivors=tuple(survivors.get(family, ())),
                    reason=reasons.get(family, ""),
                )
            )
    return TaskAudit(task=task.id, families=tuple(audits))


def read_reasons(folder: Path, tasks: Sequence[str]) -> Reasons:
    """The suite's ``audit.toml``, which has ``[task]`` tables of ``family = "reason"``.

    Empty if there is none; `TaskFileError` with all its problems if there are any.
    """
    path = folder / AUDIT_FILE
    if not path.is_file():
        return {}
    toml = read_toml(path)
    problems = list(_problems(toml, tasks))
    if problems:
        raise TaskFileError(str(path), problems)
    return toml.data


def _problems(toml: Toml, tasks: Sequence[str]) -> Iterator[Problem]:
    for task, families in toml.data.items():
        line = toml.lines.get((task,), 0)
        if task not in tasks:
            yield Problem(line=line, field=task, what=unknown("task", task, tasks))
        elif not isinstance(families, dict):
            yield Problem(line=line, field=task, what='must be a table of family = "reason"')
        else:
            for family, reason in families.items():
                yield from _reason_problems(toml, task, family, reason)


def _reason_problems(toml: Toml, task: str, family: str, reason: Any) -> Iterator[Problem]:
    line, field = toml.lines.get((task, family), 0), f"{task}.{family}"
    if family not in FAMILIES:
        what = unknown("mutation family", family, FAMILIES)
        yield Problem(line=line, field=field, what=what, allowed=", ".join(FAMILIES))
    elif not isinstance(reason, str) or len(reason.strip()) < 10:
        yield Problem(line=line, field=field, what="must be a reason in words")
