"""Audits checks: how many mutants of passing evidence does a task reject? Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..checks.naming import unknown
from ..errors import Problem, TaskFileError
from ..evidence.models import Evidence
from ..task import Task
from .judge import judge
from .mutations import FAMILIES, mutants
from .verdict import Outcome

AUDIT_FILE: Final = "audit.toml"
Reasons = Mapping[str, Mapping[str, str]]
"""Why survivors of a family are no fault of the check, by task and family."""


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
        """Whether some mutant survives and nobody has written why that is right."""
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


def audit(task: Task, passing: Evidence | None, start: Evidence | None, reasons: Mapping[str, str]) -> TaskAudit:
    """Judges every mutant of passing evidence; ``start`` is evidence of the start page, ``reasons`` are by family."""
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
    families = (
        FamilyAudit(
            task=task.id,
            family=family,
            total=totals[family],
            survivors=tuple(survivors.get(family, ())),
            reason=reasons.get(family, ""),
        )
        for family in FAMILIES
        if family in totals
    )
    return TaskAudit(task=task.id, families=tuple(families))


def read_reasons(folder: Path, tasks: Sequence[str]) -> Reasons:
    """The suite's ``audit.toml``: ``[task]`` tables of ``family = "reason"``; empty if there is none."""
    path = folder / AUDIT_FILE
    if not path.is_file():
        return {}
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TaskFileError(str(path), [Problem(line=0, field="", what=f"cannot be read: {error}")]) from error
    problems = list(_problems(data, tasks))
    if problems:
        raise TaskFileError(str(path), problems)
    return data


def _problems(data: dict[str, Any], tasks: Sequence[str]) -> Iterable[Problem]:
    for task, families in data.items():
        if task not in tasks:
            yield Problem(line=0, field=task, what=unknown("task", task, tasks))
        elif not isinstance(families, dict):
            yield Problem(line=0, field=task, what='must be a table of family = "reason"')
        else:
            for family, reason in families.items():
                field = f"{task}.{family}"
                if family not in FAMILIES:
                    what = unknown("mutation family", family, FAMILIES)
                    yield Problem(line=0, field=field, what=what, allowed=", ".join(FAMILIES))
                elif not isinstance(reason, str) or len(reason.strip()) < 10:
                    yield Problem(line=0, field=field, what="must be a reason in words")
