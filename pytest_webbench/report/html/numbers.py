"""The figures of the report: groups, comparisons and distributions, as other reports have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, product
from typing import Any, Final

from ..compare import Pair, compare
from ..comparison import sentence
from ..groups import By, GroupSummary, summarize_groups
from ..plain import plain
from ..results import ItemResult, RunResults, by_suite_and_agent
from ..sides import namesakes, sides_of
from .index import histogram

_MOST_SIDES: Final = 5
_MOST_PAIRS: Final = 12
_MOST_GROUPS: Final = 400
_SUBSETS: Final = (By.TAG, By.SITE, By.SOURCE)


def overview_data(runs: Sequence[RunResults]) -> dict[str, Any]:
    """What the first page shows: numbers of every agent, of subsets, and what differs."""
    results: list[ItemResult] = []
    for run in runs:
        results += run.results
    return {
        "runs": list(map(_run_data, runs)),
        "rows": plain(summarize_groups(results)),
        "subsets": _subsets(results),
        "histograms": list(_histograms(runs)),
        "pairs": list(map(_pair_data, pairs_of(runs))),
    }


def _run_data(run: RunResults) -> dict[str, Any]:
    environment, options = run.facts.get("environment"), run.facts.get("options")
    return {
        "tag": run.tag,
        "environment": environment,
        "options": options,
        "integrity": run.integrity.lines(),
    }


def _subsets(results: Sequence[ItemResult]) -> dict[str, Any]:
    subsets = {}
    for by in _SUBSETS:
        groups = _subset_groups(results, by)
        if groups:
            subsets[by.value] = plain(groups)
    return subsets


def _subset_groups(results: Sequence[ItemResult], by: By) -> list[GroupSummary]:
    """The groups of the first subsets; nothing for a subset that is all there is."""
    groups: dict[tuple[str, str], list[GroupSummary]] = {}
    for summary in summarize_groups(results, by):
        if summary.group:
            groups.setdefault((summary.suite, summary.group), []).append(summary)
    if len(groups) < 2:
        return []
    # A site per task, say, would make a table that nobody reads and a file that is slow to load.
    return list(chain.from_iterable(islice(groups.values(), _MOST_GROUPS)))


def _histograms(runs: Sequence[RunResults]) -> Iterator[dict[str, Any]]:
    for run in runs:
        for (suite, agent), results in by_suite_and_agent(run.results).items():
            # Imported results have only one time, the whole.
            timed = any(result.entry.agent_seconds for result in results)
            steps = None
            if not any(result.plan.part_of for result in results):
                steps = histogram(results, "steps")
            yield {
                "run": run.tag,
                "suite": suite,
                "agent": agent,
                "steps": steps,
                "seconds": histogram(results, "agent_seconds" if timed else "seconds"),
            }


def pairs_of(runs: Sequence[RunResults]) -> list[Pair]:
    """Of one run every two agents, if they are few.

    Of two runs each agent with its namesake; if there are none, every agent with every other.
    """
    first, *others = map(sides_of, runs)
    if not others and len(first) > _MOST_SIDES:
        return []
    if not others:
        return compare(list(combinations(first, 2)))
    across = islice(product(first, others[0]), _MOST_PAIRS)
    return compare(namesakes(first, others[0]) or list(across))


def _pair_data(pair: Pair) -> dict[str, Any]:
    flips = []
    for task in pair.tasks:
        if task.difference:
            flips.append((task.suite, task.task, task.a, task.b))
    return {
        **plain(replace(pair, tasks=())),
        "flips": flips,
        "sentence": sentence(pair),
        "unit": pair.unit,
    }
