"""Results of runs, made from ledger lines without a run on disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_webbench.report.results import ItemResult, missing_entry
from pytest_webbench.run import LedgerEntry, PlannedItem


def result_of(entry: LedgerEntry) -> ItemResult:
    """An item whose only attempt is ``entry``."""
    plan = PlannedItem(**entry.key._asdict(), nodeid=f"{entry.task}.yaml::{entry.task}")
    return ItemResult("t", plan, entry, (entry,))


def results_of(entries: Iterable[LedgerEntry]) -> list[ItemResult]:
    """One item per entry."""
    return [result_of(entry) for entry in entries]


def results_from(
    planned: Iterable[PlannedItem],
    attempts: Sequence[LedgerEntry],
    counts: LedgerEntry | None = None,
) -> list[ItemResult]:
    """The planned items, where ``counts`` (else the last attempt at each) is the result."""
    found = []
    for item in planned:
        mine = [entry for entry in attempts if entry.key == item.key]
        entry = mine[-1] if mine else missing_entry(item)
        if counts is not None and counts.key == item.key:
            entry = counts
        found.append(ItemResult("t", item, entry, tuple(mine)))
    return found
