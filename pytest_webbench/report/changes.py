"""What judging a run again has changed, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..run.rejudge import Rejudged


class _Changes:
    """Attempts by what became of them; one that was left as it was may be among the others too."""

    def __init__(self, results: Sequence[Rejudged]) -> None:
        self.flipped: list[Rejudged] = []
        self.changed: list[Rejudged] = []
        self.left: list[Rejudged] = []
        for result in results:
            if result.flipped:
                self.flipped.append(result)
            elif result.changed:
                self.changed.append(result)
            if result.problem:
                self.left.append(result)


def change_lines(results: Sequence[Rejudged]) -> list[str]:
    """Every flip with its reasons, every attempt left as it was, and a last line that counts."""
    changes = _Changes(results)
    lines = []
    for result in changes.flipped:
        lines.append(f"{_name(result)}: {result.before} -> {result.after}")
        lines += [f"    {reason}" for reason in result.reasons]
    for result in changes.left:
        lines.append(f"{_name(result)}: left {result.before}: {result.problem}")
    flips, other, left = len(changes.flipped), len(changes.changed), len(changes.left)
    same = len(results) - flips - other - left
    lines.append(
        f"{len(results)} attempts: {flips} flipped, {other} changed with the same outcome, "
        f"{same} unchanged, {left} not judged again"
    )
    return lines


def _name(result: Rejudged) -> str:
    entry = result.entry
    facts = [entry.agent]
    if entry.seed:
        facts.append(f"edition {entry.seed}")
    if entry.repeat > 1:
        facts.append(f"repeat {entry.repeat}")
    return f"{entry.task} ({', '.join(facts)})"


def change_data(results: Sequence[Rejudged]) -> dict[str, Any]:
    """The same as JSON: ``flips``, ``changed``, ``left``, and how many are on record."""
    changes = _Changes(results)
    return {
        "version": 1,
        "on_record": len(results),
        "flips": list(map(_data, changes.flipped)),
        "changed": list(map(_data, changes.changed)),
        "left": [{**_data(result), "problem": result.problem} for result in changes.left],
    }


def _data(result: Rejudged) -> dict[str, Any]:
    entry = result.entry
    return {
        "suite": entry.suite,
        "task": entry.task,
        "agent": entry.agent,
        "repeat": entry.repeat,
        "seed": entry.seed,
        "before": result.before,
        "after": result.after,
        "reasons": list(result.reasons),
    }
