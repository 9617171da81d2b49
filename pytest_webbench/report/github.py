"""A run as Markdown for the job summary of GitHub Actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .._text import clip
from .groups import summarize_groups
from .overview import overview_tables
from .results import NOT_RUN, ItemResult, RunResults, why_text
from .tables import Table, as_markdown
from .threshold import Threshold

_MOST: Final = 50
"""Items per table: a step may add one megabyte."""
_LONGEST: Final = 160
_HEAD: Final = ("task", "agent", "repeat", "why")


def job_summary(run: RunResults, thresholds: Sequence[Threshold] = ()) -> str:
    """Counts and rates, then what did not pass."""
    parts = [f"### pytest-webbench: run {run.tag}"]
    parts += [f"- {threshold}" for threshold in thresholds]
    parts.append(as_markdown(overview_tables(summarize_groups(run.results))))
    failed, unscored = [], []
    for result in run.results:
        if not result.graded:
            unscored.append(result)
        elif not result.passed:
            failed.append(result)
    for title, results in (("Failed", failed), ("Unscored", unscored)):
        if results:
            parts.append(as_markdown([_table(title, results)]))
    return "\n\n".join(parts) + "\n"


def _table(title: str, results: Sequence[ItemResult]) -> Table:
    count = str(len(results))
    if len(results) > _MOST:
        count += f", the first {_MOST}"
    return Table(f"{title} ({count})", _HEAD, tuple(map(_row, results[:_MOST])), names=4)


def _row(result: ItemResult) -> tuple[str, ...]:
    plan = result.plan
    task = f"{plan.task}, edition {plan.seed}" if plan.seed else plan.task
    return task, plan.agent, str(plan.repeat), _why(result)


def _why(result: ItemResult) -> str:
    """The outcome's reason, and what explains it."""
    detail = why_text(result.entry)
    if result.reason and result.reason != NOT_RUN:
        detail = f"{result.reason}: {detail}"
    return clip(detail, _LONGEST)
