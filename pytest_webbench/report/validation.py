"""What a validation found, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..run import LedgerEntry


def validation_lines(entries: Sequence[LedgerEntry]) -> list[str]:
    """One line per task, and a last line with the count of sound ones."""
    ordered = sorted(entries, key=lambda entry: (entry.suite, entry.task))
    rows = {key: list(group) for key, group in groupby(ordered, key=lambda entry: (entry.suite, entry.task))}
    width = max((len(task) for _, task in rows), default=0)
    lines = [f"{_word(group):7} {task:{width}}  {_counts(group)}" for (_, task), group in rows.items()]
    sound = sum(_word(group) == "sound" for group in rows.values())
    return [*lines, f"{sound} of {len(rows)} tasks are sound"]


def _word(group: list[LedgerEntry]) -> str:
    if any(entry.outcome == "failed" for entry in group):
        return "UNSOUND"
    if any(entry.outcome == "unscored" for entry in group):
        return "unknown"
    return "sound"


def _counts(group: list[LedgerEntry]) -> str:
    parts = []
    for kind in ("solution", "start-page", "counterexample"):
        mine = [entry for entry in group if entry.agent.startswith(kind)]
        held = sum(entry.outcome == "passed" for entry in mine)
        parts.append(f"{kind} {held}/{len(mine)}")
    if parts[-1].endswith("/0"):
        parts[-1] = "no counterexamples"
    problems = [entry.detail.splitlines()[0] for entry in group if entry.outcome != "passed" and entry.detail]
    return ", ".join(parts) + "".join(f"\n          {problem}" for problem in problems)
