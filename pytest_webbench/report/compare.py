"""Two agents, or two runs, on the tasks that both were graded on; as data."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import starmap
from operator import attrgetter
from typing import Final, NamedTuple

from ..stats import (
    Design,
    Interval,
    Repeats,
    difference_interval,
    disagreement,
    holm,
    mcnemar,
    sign_flip,
)
from .fairness import fairness_notes
from .results import TaskKey, repeats_by_edition
from .sides import Side

ALPHA: Final = 0.05
_FEW_SITES: Final = 10
"""With fewer sites, their differences say too little of other sites; tasks are drawn instead."""


@dataclass(frozen=True, slots=True)
class TaskPair:
    """One task that both were graded on; passed of graded attempts on either side."""

    suite: str
    task: str
    site: str
    a: Repeats
    b: Repeats
    seed: int = 0
    """The edition of the world."""
    part_of: str = ""
    """The task that a recorded step belongs to."""

    @property
    def key(self) -> TaskKey:
        """Suite and task id."""
        return self.suite, self.task

    @property
    def whole(self) -> TaskKey:
        """Suite and task of a recorded step; of a task, its own."""
        return self.suite, self.part_of or self.task

    @property
    def difference(self) -> Fraction:
        """How much more often B passed, -1 to 1."""
        return Fraction(self.b.passed, self.b.graded) - Fraction(self.a.passed, self.a.graded)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Tasks that are not compared, because one side or both were not graded on them."""

    graded_for_a: int
    graded_for_b: int
    for_neither: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A and B compared. ``difference`` is B - A, the mean over shared tasks.

    The difference, its interval and ``least_gap`` are None without shared tasks. ``only_a`` ...
    ``neither`` count tasks where every attempt of a side passed, or not; with repeats that leaves
    out the tasks where a side did both (``mixed``). ``p_corrected`` is Holm's over all pairs
    compared at once. ``drawn_by`` is what the interval takes as drawn at random, ``groups`` how
    many of them there are. ``least_gap`` is the difference that so many tasks show in 80 % of
    cases, if A and B end differently on as many tasks as here.
    """

    a: str
    b: str
    shared: int
    only_a: int
    only_b: int
    both: int
    neither: int
    mixed: int
    repeats: bool
    rate_a: float | None
    rate_b: float | None
    difference: float | None
    interval: Interval | None
    drawn_by: str
    groups: int
    test: str
    p: float
    p_corrected: float
    least_gap: float | None
    left_out: LeftOut
    notes: tuple[str, ...]
    tasks: tuple[TaskPair, ...]

    @property
    def unit(self) -> str:
        """What is compared: tasks, or the recorded steps of tasks."""
        recorded = [bool(task.part_of) for task in self.tasks]
        if recorded and all(recorded):
            return "recorded step"
        return "task edition" if any(task.seed for task in self.tasks) else "task"

    @property
    def real(self) -> bool:
        """Whether the difference is significant at 5 %, after correction."""
        return self.p_corrected < ALPHA


def compare(sides: Sequence[tuple[Side, Side]]) -> list[Pair]:
    """A and B of every pair compared; p-values corrected for the number of pairs."""
    pairs = list(starmap(_pair, sides))
    corrected = holm([pair.p for pair in pairs])
    return [replace(pair, p_corrected=p) for pair, p in zip(pairs, corrected, strict=True)]


def _pair(a: Side, b: Side) -> Pair:
    tasks = tuple(_shared(a, b))
    only_a, only_b = _count(tasks, a=True, b=False), _count(tasks, a=False, b=True)
    both, neither = _count(tasks, a=True, b=True), _count(tasks, a=False, b=False)
    repeats = any(max(task.a.graded, task.b.graded) > 1 for task in tasks)
    clusters = _by_whole(tasks)
    if len(clusters) < len(tasks):
        test, p = (
            "exact sign-flip by task",
            sign_flip([sum(cluster, Fraction()) for cluster in clusters]),
        )
    elif repeats:
        test, p = "exact sign-flip", sign_flip([task.difference for task in tasks])
    else:
        test, p = "exact McNemar", mcnemar(only_a, only_b)
    drawn_by, groups = _groups(tasks)
    averages = _averages(tasks, groups)
    pair = Pair(
        a=a.label,
        b=b.label,
        shared=len(tasks),
        only_a=only_a,
        only_b=only_b,
        both=both,
        neither=neither,
        mixed=len(tasks) - only_a - only_b - both - neither,
        repeats=repeats,
        rate_a=averages.rate_a,
        rate_b=averages.rate_b,
        difference=averages.difference,
        interval=averages.interval,
        drawn_by=drawn_by,
        groups=len(groups),
        test=test,
        p=p,
        p_corrected=p,
        least_gap=averages.least_gap,
        left_out=_left_out(a, b),
        notes=(),
        tasks=tasks,
    )
    return replace(pair, notes=tuple(_notes(a, b, pair)))


class _Averages(NamedTuple):
    """What there is no value of without shared tasks."""

    rate_a: float | None = None
    rate_b: float | None = None
    difference: float | None = None
    interval: Interval | None = None
    least_gap: float | None = None


def _averages(tasks: Sequence[TaskPair], groups: dict[str, list[float]]) -> _Averages:
    if not tasks:
        return _Averages()
    pairs = [(task.a, task.b) for task in tasks]
    return _Averages(
        rate_a=statistics.fmean(a.passed / a.graded for a, _ in pairs),
        rate_b=statistics.fmean(b.passed / b.graded for _, b in pairs),
        difference=float(sum(task.difference for task in tasks) / len(tasks)),
        interval=difference_interval(groups),
        least_gap=design_of(pairs).least_gap(_independent(_by_whole(tasks))),
    )


def _shared(a: Side, b: Side) -> Iterator[TaskPair]:
    left, right = repeats_by_edition(a.results), repeats_by_edition(b.results)
    plans = {result.edition: result.plan for result in (*b.results, *a.results)}
    for key in sorted(left.keys() & right.keys()):
        plan = plans[key]
        yield TaskPair(
            plan.suite, plan.task, plan.site, left[key], right[key], plan.seed, plan.part_of
        )


def _count(tasks: Iterable[TaskPair], *, a: bool, b: bool) -> int:
    """Tasks that either side always passed (True), or never (False)."""
    count = 0
    for task in tasks:
        a_agrees = task.a.passed == a * task.a.graded
        b_agrees = task.b.passed == b * task.b.graded
        count += a_agrees and b_agrees
    return count


def _groups(tasks: Sequence[TaskPair]) -> tuple[str, dict[str, list[float]]]:
    """Differences by site; by task where there are few sites, or where some are unknown."""
    sites: dict[str, list[float]] = {}
    for task in tasks:
        sites.setdefault(task.site, []).append(float(task.difference))
    if len(sites) >= _FEW_SITES and "" not in sites:
        return "site", sites
    by_task: dict[str, list[float]] = {}
    for task in tasks:
        by_task.setdefault("/".join(task.whole), []).append(float(task.difference))
    return "task", by_task


def _by_whole(tasks: Sequence[TaskPair]) -> list[list[Fraction]]:
    """The differences of each task: of its recorded steps or editions, which are alike."""
    wholes: dict[TaskKey, list[Fraction]] = {}
    for task in tasks:
        wholes.setdefault(task.whole, []).append(task.difference)
    return list(wholes.values())


def _independent(clusters: Sequence[Sequence[Fraction]]) -> int:
    """How many independent tasks say as much as these, whose parts are alike.

    It is the number of all parts by the design effect (L. Kish, 1965): how much larger the sum of
    the differences varies than if signs were random for each part, and not for each task.
    """
    parts = sum(map(len, clusters))
    together = sum(sum(cluster) ** 2 for cluster in clusters)
    alone = sum(sum(one * one for one in cluster) for cluster in clusters)
    most = Fraction(parts, len(clusters))
    effect = min(max(Fraction(1), Fraction(together) / alone), most) if alone else most
    return max(1, int(parts / effect))


def design_of(pairs: Sequence[tuple[Repeats, Repeats]]) -> Design:
    """How much two agents, and attempts of one agent, differ on these tasks."""
    differing = 0.0
    disagreements = []
    repeats = []
    for a, b in pairs:
        repeats.append(min(a.graded, b.graded))
        ends_differently = a.passed * (b.graded - b.passed) + b.passed * (a.graded - a.passed)
        differing += ends_differently / (a.graded * b.graded)
        for one in (a, b):
            if one.graded > 1:
                disagreements.append(disagreement(*one))
    return Design(
        # Half a task is added in favour of each side, so that tasks that all end alike do not count
        # as proof that tasks always do.
        discordant=(differing + 1) / (len(pairs) + 2),
        flake=statistics.fmean(disagreements) if disagreements else 0.0,
        repeats=min(repeats, default=1),
    )


def _left_out(a: Side, b: Side) -> LeftOut:
    left, right = repeats_by_edition(a.results).keys(), repeats_by_edition(b.results).keys()
    planned = set(map(attrgetter("edition"), (*a.results, *b.results)))
    return LeftOut(len(left - right), len(right - left), len(planned - left - right))


def _notes(a: Side, b: Side, pair: Pair) -> Iterator[str]:
    shared: set[TaskKey] = set(map(attrgetter("key"), pair.tasks))
    yield from filter(None, (a.note, b.note))
    yield from fairness_notes(a, b, shared)
    if pair.interval and pair.real and pair.interval.low <= 0 <= pair.interval.high:
        yield (
            f"the interval holds 0: drawn by {pair.drawn_by}, "
            f"the difference may rest on a few of {pair.groups}"
        )
