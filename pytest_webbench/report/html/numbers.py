"""The figures of the report: rows, comparisons and distributions, as the other reports have them too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from typing import Any, Final

from ..compare import Pair, compare, sides_of
from ..comparison import sentence
from ..items import Item, RunItems, plain
from ..rows import By, Row, rows_of
from .index import histogram

_MOST_SIDES: Final = 5
_MOST_PAIRS: Final = 12
_MOST_GROUPS: Final = 400
_SUBSETS: Final = (By.TAG, By.SITE, By.SOURCE)


def overview_data(runs: Sequence[RunItems]) -> dict[str, Any]:
    """What the first page shows: numbers of every agent, of subsets, and what differs."""
    items = [item for run in runs for item in run.items]
    return {
        "runs": [
            {"tag": run.tag, "environment": run.facts.get("environment"), "options": run.facts.get("options")}
            for run in runs
        ],
        "rows": [_row(row) for row in rows_of(items)],
        "subsets": {by.value: subsets for by in _SUBSETS if len(subsets := _subset_rows(items, by)) > 0},
        "histograms": list(_histograms(runs)),
        "pairs": [_pair_data(pair) for pair in pairs_of(runs)],
    }


def _subset_rows(items: Sequence[Item], by: By) -> list[dict[str, Any]]:
    """Nothing for a subset that is all there is."""
    rows = [row for row in rows_of(items, by) if row.group]
    groups = list(dict.fromkeys((row.suite, row.group) for row in rows))[:_MOST_GROUPS]
    chosen = set(groups)
    return [_row(row) for row in rows if (row.suite, row.group) in chosen] if len(groups) > 1 else []


def _row(row: Row) -> dict[str, Any]:
    data: dict[str, Any] = plain(row)
    return data


def _histograms(runs: Sequence[RunItems]) -> Iterable[dict[str, Any]]:
    for run in runs:
        ordered = sorted(run.items, key=lambda item: (item.plan.suite, item.plan.agent))
        for (suite, agent), group in groupby(ordered, key=lambda item: (item.plan.suite, item.plan.agent)):
            items = list(group)
            time = "agent_seconds" if any(item.result.agent_seconds for item in items) else "seconds"
            yield {
                "run": run.tag, "suite": suite, "agent": agent,
                "steps": histogram(items, "steps"), "seconds": histogram(items, time),
            }  # fmt: skip


def pairs_of(runs: Sequence[RunItems]) -> list[Pair]:
    """Of one run every two agents, if they are few; of two runs each agent with its namesake, or else with every
    agent of the other."""
    first, *others = [sides_of(run) for run in runs]
    if not others:
        return compare(list(combinations(first, 2))) if len(first) <= _MOST_SIDES else []
    across = [(a, b) for a in first for b in others[0]]
    chosen = [(a, b) for a, b in across if a.agent == b.agent] or across[:_MOST_PAIRS]
    return compare(chosen)


def _pair_data(pair: Pair) -> dict[str, Any]:
    data: dict[str, Any] = plain(replace(pair, tasks=()))
    data["flips"] = [(task.suite, task.task, task.a, task.b) for task in pair.tasks if task.difference]
    data["sentence"] = sentence(pair)
    return data
