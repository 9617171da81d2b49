"""One run as a few lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ..run import ItemKey, LedgerEntry, PlannedItem
from ..stats import Repeats, Tally, clustered_interval


class GroupKey(NamedTuple):
    """What one line of the summary is about."""

    suite: str
    agent: str


def missing_entry(item: PlannedItem, world: str = "") -> LedgerEntry:
    """Stands for a planned item without any attempt on record: its worker died before it could write one."""
    return LedgerEntry(
        suite=item.suite, task=item.task, agent=item.agent, repeat=item.repeat, attempt=0, world=world,
        outcome="unscored", reason="infra", detail="no attempt is on record: not reached, or the worker died",
    )  # fmt: skip


def all_results(planned: Sequence[PlannedItem], results: Mapping[ItemKey, LedgerEntry]) -> list[LedgerEntry]:
    """One entry per planned item: nothing that was planned can drop out of a score."""
    return [results.get(item.key) or missing_entry(item) for item in sorted(planned, key=lambda item: item.key)]


def summarize(entries: Sequence[LedgerEntry]) -> list[str]:
    """Per suite and agent: the rate with its interval and bounds, what is unscored and why, the slowest episodes."""
    lines: list[str] = []
    by_group = sorted(entries, key=lambda entry: (entry.suite, entry.agent))
    for (suite, agent), group in groupby(by_group, key=lambda entry: GroupKey(entry.suite, entry.agent)):
        lines += _group_lines(suite, agent, list(group))
    return lines


def _group_lines(suite: str, agent: str, entries: list[LedgerEntry]) -> list[str]:
    tally = Tally.of((entry.outcome, entry.reason) for entry in entries)
    worlds = ", ".join(sorted({entry.world for entry in entries if entry.world})) or "unknown"
    lines = [f"{suite} ({worlds} world), agent {agent}: {headline(tally, attempts_by_task(entries))}"]
    if tally.unscored:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(tally.unscored.items()))
        low, high = tally.bounds
        lines.append(f"  unscored: {reasons}; the rate lies between {low:.1%} and {high:.1%} whatever they were")
    slowest = sorted((entry for entry in entries if entry.seconds), key=lambda entry: -entry.seconds)[:3]
    if slowest:
        lines.append("  slowest: " + ", ".join(f"{entry.task} {entry.seconds:.1f} s" for entry in slowest))
    return lines


def attempts_by_task(entries: Iterable[LedgerEntry]) -> list[Repeats]:
    """Per suite and task, passed of graded; for entries of one agent."""
    graded: dict[tuple[str, str], list[bool]] = {}
    for entry in entries:
        if entry.outcome != "unscored":
            graded.setdefault((entry.suite, entry.task), []).append(entry.outcome == "passed")
    return [Repeats(sum(passed), len(passed)) for passed in graded.values()]


def headline(tally: Tally, tasks: Sequence[Repeats] = ()) -> str:
    """``24 of 27 passed = 88.9 % (95 % interval 71.9 % to 96.1 %)``; repeats of a task are not taken for new tasks."""
    if tally.rate is None:
        return f"nothing scored ({tally.n} unscored)"
    low, high = clustered_interval(tasks) if tasks else tally.interval
    repeated = f", {len(tasks)} tasks" if 0 < len(tasks) < tally.graded else ""
    return (
        f"{tally.passed} of {tally.graded} passed = {tally.rate:.1%} (95 % interval {low:.1%} to {high:.1%}{repeated})"
    )
