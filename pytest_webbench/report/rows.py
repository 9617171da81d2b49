"""What a summary says of a group of items, as data: terminal, Markdown, CSV, JSON and the HTML report show this."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..run import LedgerEntry
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
    wilson,
)
from .items import Item


class By(StrEnum):
    """What items are grouped by, within their run, suite and agent."""

    SUITE = "suite"
    SOURCE = "source"
    SITE = "site"
    TAG = "tag"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Amount:
    """Something that episodes take. ``median`` is over the graded items it is known of; ``total`` and ``n`` over all
    attempts it is known of, so repetitions after infrastructure trouble are paid for."""

    n: int
    total: float
    median: float | None


@dataclass(frozen=True, slots=True)
class AtK:
    """What ``k`` attempts would give, as a mean over the tasks with at least ``k`` graded attempts."""

    k: int
    pass_at_k: Share
    all_k: Share


@dataclass(frozen=True, slots=True)
class Spread:
    """How much attempts at the same task differ, over the tasks with at least two graded attempts.

    ``flaky``: share of tasks with both outcomes. ``disagreement``: chance that two attempts at a task end differently.
    """

    always: int
    sometimes: int
    never: int
    flaky: Share
    disagreement: float


@dataclass(frozen=True, slots=True)
class Row:
    """A group of items. Rates are None if nothing is graded; intervals are 95 %. ``at_k`` and ``spread`` need repeats,
    and say nothing of a task alone: its attempts passed or failed, that is all."""

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
    rate: float | None
    interval: Interval | None
    bounds: Interval
    intention_to_treat: Share
    worlds: tuple[str, ...]
    steps: Amount | None
    seconds: Amount | None
    input_tokens: Amount | None
    output_tokens: Amount | None
    cost: Amount | None
    at_k: tuple[AtK, ...]
    spread: Spread | None


def rows_of(items: Iterable[Item], by: By = By.SUITE) -> list[Row]:
    """One row per run, suite, agent and group. An item with several tags is in several groups; with none in no group
    of tags; without a site or source in the group ``""``."""
    groups: dict[tuple[str, str, str, str], list[Item]] = {}
    for item in items:
        for group in _groups(item, by):
            groups.setdefault((item.run, item.plan.suite, item.plan.agent, group), []).append(item)
    return [_row(key, by, members) for key, members in sorted(groups.items(), key=lambda pair: _order(pair[0]))]


def _order(key: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    run, suite, agent, group = key
    return suite, group, run, agent


def _groups(item: Item, by: By) -> tuple[str, ...]:
    plan = item.plan
    if by is By.TAG:
        return plan.tags
    return ({By.SUITE: plan.suite, By.SOURCE: plan.source, By.SITE: plan.site, By.TASK: plan.task}[by],)


def repeats_of(items: Iterable[Item]) -> dict[tuple[str, str], Repeats]:
    """Per suite and task the graded attempts of one agent; tasks without any are left out."""
    found: dict[tuple[str, str], Repeats] = {}
    for item in items:
        if item.graded:
            passed, graded = found.get((item.plan.suite, item.plan.task), (0, 0))
            found[item.plan.suite, item.plan.task] = Repeats(passed + item.passed, graded + 1)
    return found


def _row(key: tuple[str, str, str, str], by: By, items: Sequence[Item]) -> Row:
    run, suite, agent, group = key
    tally = Tally.of(item.outcome for item in items)
    tasks: dict[str, list[Item]] = {}
    for item in items:
        tasks.setdefault(item.plan.task, []).append(item)
    repeats = list(repeats_of(items).values())
    everything = [Repeats(sum(item.passed for item in group), len(group)) for group in tasks.values()]
    return Row(
        run, suite, agent, by, group, len(tasks), tally.n, tally.passed, tally.failed,
        dict(sorted(tally.unscored.items())),
        rate=tally.rate,
        interval=_interval(by, repeats) if tally.graded else None,
        bounds=tally.bounds,
        intention_to_treat=Share(tally.bounds.low, tally.n, _interval(by, everything)),
        worlds=tuple(sorted({item.result.world for item in items if item.result.world})),
        steps=_amount("steps", items),
        seconds=_amount("seconds", items),
        input_tokens=_amount("input_tokens", items),
        output_tokens=_amount("output_tokens", items),
        cost=_amount("cost", items),
        at_k=() if by is By.TASK else at_k(repeats),
        spread=None if by is By.TASK else spread(repeats),
    )  # fmt: skip


def _interval(by: By, tasks: Sequence[Repeats]) -> Interval:
    """Of a group: where the rate on tasks like these lies. Of one task: where the rate on just this task lies."""
    if by is By.TASK:
        return wilson(sum(task.passed for task in tasks), sum(task.graded for task in tasks))
    return clustered_interval(tasks)


def at_k(repeats: Sequence[Repeats]) -> tuple[AtK, ...]:
    """pass@k and all-k for every k that at least half of the repeated tasks can tell about; nothing without repeats."""
    most = max((task.graded for task in repeats), default=0)
    found = []
    for k in range(1, most + 1) if most > 1 else ():
        able = [task for task in repeats if task.graded >= k]
        one, every = mean_share([pass_at_k(*task, k) for task in able]), mean_share([all_k(*task, k) for task in able])
        if one and every and 2 * len(able) >= len(repeats):
            found.append(AtK(k, one, every))
    return tuple(found)


def spread(repeats: Sequence[Repeats]) -> Spread | None:
    """None if no task has two graded attempts."""
    tasks = [task for task in repeats if task.graded > 1]
    if not tasks:
        return None
    always, never = sum(task.passed == task.graded for task in tasks), sum(not task.passed for task in tasks)
    mixed = len(tasks) - always - never
    flaky = Share(mixed / len(tasks), len(tasks), wilson(mixed, len(tasks)))
    return Spread(always, mixed, never, flaky, statistics.fmean(disagreement(*task) for task in tasks))


def _amount(name: str, items: Sequence[Item]) -> Amount | None:
    spent = [value for item in items for entry in item.attempts if (value := _value(name, entry)) is not None]
    counted = [value for item in items if item.graded and (value := _value(name, item.result)) is not None]
    return Amount(len(spent), sum(spent), statistics.median(counted) if counted else None) if spent else None


def _value(name: str, entry: LedgerEntry) -> float | None:
    """None where the ledger's 0 means "not known": a line without time, an agent that told of no model."""
    value: float | None = getattr(entry, name)
    told = {"steps": entry.ending or entry.seconds, "cost": True, "seconds": False}.get(name, entry.model_calls)
    return value if value or told else None
