"""What a summary says of a group of items, as data.

Terminal, Markdown, CSV, JSON and the HTML report all show this.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import starmap

from ..run import LedgerEntry
from ..run.ledger import RECORDED
from ..stats import (
    Interval,
    Repeats,
    Share,
    Tally,
    all_k,
    clustered_interval,
    disagreement,
    mean_share,
    pass_at_k,
    pass_rate,
    wilson,
)
from .results import (
    ItemResult,
    flag_counts,
    repeats_by_edition,
    repeats_by_task,
    repeats_by_whole,
    untested,
    worlds_of,
)


class By(StrEnum):
    """What items are grouped by, within their run, suite and agent."""

    SUITE = "suite"
    SOURCE = "source"
    SITE = "site"
    TAG = "tag"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Amount:
    """Something that episodes consume.

    ``median`` is over the graded items for which it is known; ``total`` and ``n`` are over all
    attempts for which it is known, so repetitions after infrastructure trouble are paid for.
    """

    n: int
    total: float
    median: float | None


@dataclass(frozen=True, slots=True)
class AtK:
    """What ``k`` attempts would give: a mean over the tasks with at least ``k`` graded attempts."""

    k: int
    pass_at_k: Share
    all_k: Share


@dataclass(frozen=True, slots=True)
class Spread:
    """How much attempts at the same task differ, over the tasks with two graded attempts or more.

    ``flaky``: share of tasks with both outcomes. ``disagreement``: chance (0 to 1) that two
    attempts at a task end differently.
    """

    always: int
    sometimes: int
    never: int
    flaky: Share
    disagreement: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """A group of items. Rates (0 to 1) are None if nothing is graded; intervals are 95 %.

    ``flagged`` passes stand on doubtful ground; ``flags`` counts the kinds of their flags. The
    actions of ``untested`` passes were not done again, because that was not asked for.

    ``at_k`` and ``spread`` need repeats, and are left out for a single task: its attempts passed or
    failed, and that is all.
    """

    run: str
    suite: str
    agent: str
    by: By
    group: str
    tasks: int
    n: int
    passed: int
    failed: int
    unscored: Mapping[str, int]
    flagged: int
    flags: Mapping[str, int]
    untested: int
    rate: float | None
    interval: Interval | None
    bounds: Interval
    intention_to_treat: Share
    worlds: tuple[str, ...]
    browsers: tuple[str, ...]
    steps: Amount | None
    seconds: Amount | None
    input_tokens: Amount | None
    output_tokens: Amount | None
    cost: Amount | None
    at_k: tuple[AtK, ...]
    spread: Spread | None


_Key = tuple[str, str, str, str]
"""Suite, group, run, agent: the order of summaries."""


def summarize_groups(results: Iterable[ItemResult], by: By = By.SUITE) -> list[GroupSummary]:
    """One summary per run, suite, agent and group.

    An item with several tags is in several groups, with none in no group of tags; an item without a
    site or source is in the group ``""``.
    """
    groups: dict[_Key, list[ItemResult]] = {}
    for result in results:
        for group in _groups(result, by):
            key = (result.plan.suite, group, result.run, result.plan.agent)
            groups.setdefault(key, []).append(result)
    summaries = []
    for key, members in sorted(groups.items()):
        summary = _summary(key, by, members)
        if by is By.TASK:
            # The attempts at one task passed or failed; there is nothing to estimate.
            summary = replace(summary, at_k=(), spread=None)
        summaries.append(summary)
    return summaries


def _groups(result: ItemResult, by: By) -> tuple[str, ...]:
    plan = result.plan
    if by is By.TAG:
        return plan.tags
    names = {By.SUITE: plan.suite, By.SOURCE: plan.source, By.SITE: plan.site, By.TASK: plan.task}
    return (names[by],)


def _summary(key: _Key, by: By, results: Sequence[ItemResult]) -> GroupSummary:
    suite, group, run, agent = key
    tally = Tally.of(result.outcome for result in results)
    graded = list(repeats_by_task(results).values())
    repeated = list(repeats_by_edition(results).values())
    every = list(repeats_by_task(results, count_unscored=True).values())
    rate, itt = _rate(by, graded), _rate(by, every)
    assert itt is not None, "a group has items"
    wholes = {(result.plan.suite, result.plan.part_of or result.plan.task) for result in results}
    if rate and len(wholes) < len(every):
        rate = replace(rate, interval=_interval_of_steps(results))
    return GroupSummary(
        run=run,
        suite=suite,
        agent=agent,
        by=by,
        group=group,
        tasks=len(wholes),
        n=tally.n,
        passed=tally.passed,
        failed=tally.failed,
        unscored=dict(sorted(tally.unscored.items())),
        flagged=sum(result.flagged for result in results),
        flags=flag_counts(results),
        untested=untested(results),
        rate=rate.value if rate else None,
        interval=rate.interval if rate else None,
        bounds=tally.bounds,
        intention_to_treat=replace(itt, n=tally.n),
        worlds=tuple(worlds_of(results)),
        browsers=tuple(sorted({result.entry.browser for result in results} - {""})),
        steps=_amount("steps", results),
        seconds=_amount("seconds", results),
        input_tokens=_amount("input_tokens", results),
        output_tokens=_amount("output_tokens", results),
        cost=_amount("cost", results),
        at_k=at_k(repeated),
        spread=spread(repeated),
    )


def _rate(by: By, tasks: Sequence[Repeats]) -> Share | None:
    """Of a group: the rate on tasks like these. Of a task: the rate of attempts at it."""
    rate = pass_rate(tasks)
    if rate and by is By.TASK:
        passed, graded = map(sum, zip(*tasks, strict=True))
        return replace(rate, interval=wilson(passed, graded))
    return rate


def _interval_of_steps(results: Sequence[ItemResult]) -> Interval:
    """Steps of one task are alike, as attempts at one task are."""
    return clustered_interval(list(repeats_by_whole(results).values()))


def at_k(repeats: Sequence[Repeats]) -> tuple[AtK, ...]:
    """pass@k and all-k, for every k that at least half of the repeated tasks have attempts for.

    Nothing without repeats.
    """
    most = max((task.graded for task in repeats), default=0)
    if most < 2:
        return ()
    found = []
    for k in range(1, most + 1):
        able = [(*task, k) for task in repeats if task.graded >= k]
        one = every = pass_rate(repeats)
        if k > 1:
            one = mean_share(list(starmap(pass_at_k, able)))
            every = mean_share(list(starmap(all_k, able)))
        if one and every and 2 * len(able) >= len(repeats):
            found.append(AtK(k, one, every))
    return tuple(found)


def spread(repeats: Iterable[Repeats]) -> Spread | None:
    """How much repeats differ; None if no task has two graded attempts."""
    tasks = [task for task in repeats if task.graded > 1]
    if not tasks:
        return None
    always = never = 0
    for task in tasks:
        always += task.passed == task.graded
        never += task.passed == 0
    mixed = len(tasks) - always - never
    return Spread(
        always=always,
        sometimes=mixed,
        never=never,
        flaky=Share(mixed / len(tasks), len(tasks), wilson(mixed, len(tasks))),
        disagreement=statistics.fmean(starmap(disagreement, tasks)),
    )


def _amount(name: str, results: Iterable[ItemResult]) -> Amount | None:
    spent: list[float] = []
    counted: list[float] = []
    for result in results:
        for entry in result.attempts:
            value = _value(name, entry)
            if value is not None:
                spent.append(value)
        value = _value(name, result.entry)
        if value is not None and result.graded:
            counted.append(value)
    if not spent:
        return None
    median = statistics.median(counted) if counted else None
    return Amount(len(spent), sum(spent), median)


def _value(name: str, entry: LedgerEntry) -> float | None:
    """None where the ledger's 0 means "not known"."""
    if name == "steps" and entry.world.startswith(RECORDED):
        return None  # each is one step
    value: float | None = getattr(entry, name)
    if value or name == "cost":
        return value
    # An episode that took no time was not timed; an agent without calls reports no tokens; a 0 of
    # steps is true of an episode that ended.
    is_known = {"seconds": False, "steps": bool(entry.ending or entry.seconds)}
    return value if is_known.get(name, entry.model_calls > 0) else None
