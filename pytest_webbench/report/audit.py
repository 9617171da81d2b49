"""What an audit found, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..judge.audit import FamilyAudit, TaskAudit


def audit_lines(tasks: Sequence[TaskAudit]) -> list[str]:
    """Per task how many mutants of each family were rejected, and the survivors with their reasons;
    at the end a line that counts."""
    lines: list[str] = []
    for task in tasks:
        if task.problem:
            lines.append(f"{task.task}: NOT AUDITED: {task.problem}")
        else:
            lines += _task_lines(task)
    return [*lines, _count(tasks)]


def _task_lines(task: TaskAudit) -> list[str]:
    families = [f"{one.family} {_rejected(one)}/{one.total}" for one in task.families]
    lines = [
        f"{task.task}: {task.total - task.surviving} of {task.total} mutants rejected",
        f"    {', '.join(families)}",
    ]
    for one in task.families:
        lines += _family_lines(one)
    return lines


def _rejected(one: FamilyAudit) -> int:
    return one.total - len(one.survivors)


def _family_lines(one: FamilyAudit) -> list[str]:
    if not one.survivors:
        if not one.reason:
            return []
        return [f"    {one.family}: the written reason is not needed any more"]
    if not one.reason:
        return [f"    {one.family}: SURVIVES: {what}" for what in one.survivors]
    lines = [f"    {one.family}: survives (allowed): {what}" for what in one.survivors]
    return [*lines, f"        reason: {one.reason}"]


def _count(tasks: Sequence[TaskAudit]) -> str:
    total = surviving = unexplained = missing = 0
    for task in tasks:
        total += task.total
        surviving += task.surviving
        missing += bool(task.problem)
        for one in task.families:
            if one.open:
                unexplained += len(one.survivors)
    text = (
        f"{total} mutants of {len(tasks)} tasks: {total - surviving} rejected, "
        f"{surviving - unexplained} survive with a written reason, {unexplained} without"
    )
    if missing:
        text += f"; {missing} tasks not audited"
    return text


def audit_data(tasks: Sequence[TaskAudit]) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "version": 1,
        "sound": not any(task.open for task in tasks),
        "tasks": list(map(_task_data, tasks)),
    }


def _task_data(task: TaskAudit) -> dict[str, Any]:
    return {
        "task": task.task,
        "problem": task.problem,
        "families": list(map(_family_data, task.families)),
    }


def _family_data(one: FamilyAudit) -> dict[str, Any]:
    return {
        "family": one.family,
        "mutants": one.total,
        "rejected": _rejected(one),
        "survivors": list(one.survivors),
        "reason": one.reason,
    }
