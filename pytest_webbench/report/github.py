"""A run as Markdown for the job summary of GitHub Actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .gate import Gate
from .items import Item, RunItems
from .overview import overview_tables
from .rows import rows_of
from .tables import Table, as_markdown

_MOST: Final = 50
_LONGEST: Final = 160


def job_summary(run: RunItems, gates: Sequence[Gate] = ()) -> str:
    """Counts and rates, then what did not pass; far below the megabyte that a step may add."""
    tables = overview_tables(rows_of(run.items))
    left = [item for item in run.items if not item.passed]
    parts = [f"### pytest-webbench: run {run.tag}", *(f"- {gate}" for gate in gates), as_markdown(tables)]
    for title, items in (
        ("Failed", [item for item in left if item.graded]),
        ("Unscored", [item for item in left if not item.graded]),
    ):
        if items:
            more = f", the first {_MOST}" if len(items) > _MOST else ""
            parts.append(as_markdown([Table(f"{title} ({len(items)}{more})", _HEAD, _rows(items[:_MOST]), names=4)]))
    return "\n\n".join(parts) + "\n"


_HEAD: Final = ("task", "agent", "repeat", "why")


def _rows(items: Sequence[Item]) -> tuple[tuple[str, ...], ...]:
    return tuple((item.plan.task, item.plan.agent, str(item.plan.repeat), _why(item)) for item in items)


def _why(item: Item) -> str:
    """The outcome's reason, and the beginning of what explains it."""
    reason, told = item.outcome[1], " ".join(item.result.detail.split()) or item.result.ending
    text = f"{reason}: {told}" if reason else told
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
