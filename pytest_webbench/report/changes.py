"""What judging a run again has changed, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..run.rejudge import Rejudged


def change_lines(results: Sequence[Rejudged]) -> list[str]:
    """Every flip with its reasons, every attempt that was left as it was, and a last line that counts."""
    lines: list[str] = []
    for result in results:
        if result.flipped:
            lines.append(f"{_name(result)}: {result.before} -> {result.after}")
            lines += [f"    {reason}" for reason in result.reasons]
    for result in results:
        if result.problem:
            lines.append(f"{_name(result)}: left {result.before}: {result.problem}")
    return [*lines, _count(results)]


def _name(result: Rejudged) -> str:
    entry = result.entry
    return f"{entry.task} ({entry.agent}" + (f", repeat {entry.repeat})" if entry.repeat > 1 else ")")


def _count(results: Sequence[Rejudged]) -> str:
    flips = sum(result.flipped for result in results)
    other = sum(result.changed and not result.flipped for result in results)
    left = sum(bool(result.problem) for result in results)
    same = len(results) - flips - other - left
    return (
        f"{len(results)} on record: {flips} flipped, {other} changed without another outcome, {same} the same, "
        f"{left} left as they were"
    )


def change_data(results: Sequence[Rejudged]) -> dict[str, Any]:
    """The same as JSON: ``flips``, ``changed``, ``left``, and how many are on record."""
    return {
        "version": 1,
        "on_record": len(results),
        "flips": [_data(result) for result in results if result.flipped],
        "changed": [_data(result) for result in results if result.changed and not result.flipped],
        "left": [{**_data(result), "problem": result.problem} for result in results if result.problem],
    }


def _data(result: Rejudged) -> dict[str, Any]:
    entry = result.entry
    return {
        "suite": entry.suite, "task": entry.task, "agent": entry.agent, "repeat": entry.repeat,
        "before": result.before, "after": result.after, "reasons": list(result.reasons),
    }  # fmt: skip
