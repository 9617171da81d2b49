"""What an audit found, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..judge.audit import FamilyAudit, TaskAudit


def audit_lines(tasks: Sequence[TaskAudit]) -> list[str]:
    """Per task how many mutants of each family were rejected, the survivors with their reasons, and a last line."""
    lines: list[str] = []
    for task in tasks:
        if task.problem:
            lines.append(f"{task.task}: NOT AUDITED: {task.problem}")
            continue
        lines.append(f"{task.task}: {task.total - task.surviving} of {task.total} mutants rejected")
        lines.append("    " + ", ".join(f"{one.family} {_rejected(one)}/{one.total}" for one in task.families))
        for one in task.families:
            lines += _family_lines(one)
    return [*lines, _count(tasks)]


def _rejected(one: FamilyAudit) -> int:
    return one.total - len(one.survivors)


def _family_lines(one: FamilyAudit) -> list[str]:
    if not one.survivors:
        return [f"    {one.family}: the written reason is not needed any more"] if one.reason else []
    word = "survives, as it may" if one.reason else "SURVIVES"
    lines = [f"    {one.family}: {word}: {what}" for what in one.survivors]
    return [*lines, f"        reason: {one.reason}"] if one.reason else lines


def _count(tasks: Sequence[TaskAudit]) -> str:
    total, surviving = sum(task.total for task in tasks), sum(task.surviving for task in tasks)
    unexplained = sum(len(one.survivors) for task in tasks for one in task.families if one.open)
    text = (
        f"{total} mutants of {len(tasks)} tasks: {total - surviving} rejected, "
        f"{surviving - unexplained} survive with a written reason, {unexplained} without"
    )
    missing = sum(bool(task.problem) for task in tasks)
    return text + (f"; {missing} tasks not audited" if missing else "")


def audit_data(tasks: Sequence[TaskAudit]) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "version": 1,
        "sound": not any(task.open for task in tasks),
        "tasks": [
            {
                "task": task.task,
                "problem": task.problem,
                "families": [
                    {
                        "family": one.family, "mutants": one.total, "rejected": _rejected(one),
                        "survivors": list(one.survivors), "reason": one.reason,
                    }
                    for one in task.families
                ],
            }
            for task in tasks
        ],
    }  # fmt: skip
