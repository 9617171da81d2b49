"""Two agents, or two runs, on the tasks that both were graded on; as data."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, Final

from ..errors import SettingsError
from ..stats import Design, Interval, Repeats, difference_interval, disagreement, holm, mcnemar, sign_flip
from .items import Item, RunItems
from .rows import repeats_of

ALPHA: Final = 0.05
_FEW_SITES: Final = 10
"""With fewer sites their differences tell too little of other sites; tasks are drawn instead."""

Task = tuple[str, str]
"""Suite and task id."""


@dataclass(frozen=True, slots=True)
class Side:
    """One agent in one run."""

    label: str
    agent: str
    items: tuple[Item, ...]
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TaskPair:
    """One task that both were graded on; passed of graded attempts on either side."""

    suite: str
    task: str
    site: str
    a: Repeats
    b: Repeats

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


@dataclass(frozen=True, slots=True)
class Pair:
    """A and B compared. ``difference`` is B - A, the mean over shared tasks; its interval and ``least_gap`` are None
    without shared tasks.

    ``only_a`` ... ``neither`` count tasks where every attempt of a side passed, or not; with repeats that leaves out
    the tasks where a side did both (``mixed``). ``p_corrected`` is Holm's over all pairs compared at once.
    ``drawn_by`` is what the interval takes as drawn at random, ``groups`` how many of them there are. ``least_gap``:
    the difference that so many tasks show in 80 % of cases, if A and B end differently on as many tasks as here.
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
    def real(self) -> bool:
        """Whether the difference is significant at 5 %, after correction."""
        return self.p_corrected < ALPHA


def sides_of(run: RunItems, label: str = "") -> list[Side]:
    """Every agent of a run as something to compare."""
    name = label or run.tag
    return [
        Side(f"{name}:{agent}", agent, tuple(item for item in run.items if item.plan.agent == agent), run.facts)
        for agent in run.agents
    ]


def to_compare(named: Sequence[Sequence[Side]]) -> list[tuple[Side, Side]]:
    """Which two sides are compared, given the agents of each run that was named.

    Of one run every two agents; of two runs each agent with its namesake; of runs with one agent each every two. Else
    nobody knows what is meant: `SettingsError`.
    """
    several = next((sides for sides in named if len(sides) > 1), None)
    if len(named) > 1 and several:
        namesakes = [(a, b) for a in named[0] for b in named[1] if a.agent == b.agent] if len(named) == 2 else []
        if not namesakes:
            raise SettingsError(f"say which agent of a run is meant, such as {several[0].label}")
        return namesakes
    pairs = list(combinations(chain(*named), 2))
    if not pairs:
        raise SettingsError("there is nothing to compare with: name a second run, or a run with several agents")
    return pairs


def compare(sides: Sequence[tuple[Side, Side]]) -> list[Pair]:
    """A and B of every pair compared; p-values corrected for the number of pairs."""
    pairs = [_pair(a, b) for a, b in sides]
    return [replace(pair, p_corrected=p) for pair, p in zip(pairs, holm([pair.p for pair in pairs]), strict=True)]


def _pair(a: Side, b: Side) -> Pair:
    tasks = tuple(_shared(a, b))
    repeats = any(max(task.a.graded, task.b.graded) > 1 for task in tasks)
    only_a, only_b = _count(tasks, 1, 0), _count(tasks, 0, 1)
    both, neither = _count(tasks, 1, 1), _count(tasks, 0, 0)
    drawn_by, groups = _groups(tasks)
    interval = difference_interval(groups) if tasks else None
    pair = Pair(
        a.label, b.label, len(tasks), only_a, only_b, both, neither,
        mixed=len(tasks) - only_a - only_b - both - neither,
        repeats=repeats,
        rate_a=_mean([task.a for task in tasks]),
        rate_b=_mean([task.b for task in tasks]),
        difference=float(sum(task.difference for task in tasks) / len(tasks)) if tasks else None,
        interval=interval,
        drawn_by=drawn_by,
        groups=len(groups),
        test="exact sign-flip" if repeats else "exact McNemar",
        p=(p := sign_flip([task.difference for task in tasks]) if repeats else mcnemar(only_a, only_b)),
        p_corrected=p,
        least_gap=design_of([(task.a, task.b) for task in tasks]).least_gap(len(tasks)) if tasks else None,
        left_out=_left_out(a, b),
        notes=(),
        tasks=tasks,
    )  # fmt: skip
    return replace(pair, notes=tuple(_notes(a, b, pair)))


def _shared(a: Side, b: Side) -> Iterable[TaskPair]:
    left, right = repeats_of(a.items), repeats_of(b.items)
    sites = {(item.plan.suite, item.plan.task): item.plan.site for side in (b, a) for item in side.items}
    for key in sorted(left.keys() & right.keys()):
        yield TaskPair(*key, sites[key], left[key], right[key])


def _count(tasks: Iterable[TaskPair], a: int, b: int) -> int:
    return sum(task.a.passed == a * task.a.graded and task.b.passed == b * task.b.graded for task in tasks)


def _mean(repeats: Sequence[Repeats]) -> float | None:
    return statistics.fmean(one.passed / one.graded for one in repeats) if repeats else None


def _groups(tasks: Iterable[TaskPair]) -> tuple[str, dict[str, list[float]]]:
    """Differences by site; by task where there are few sites, or where they are unknown."""
    tasks = list(tasks)
    sites: dict[str, list[float]] = {}
    for task in tasks:
        sites.setdefault(task.site, []).append(float(task.difference))
    if len(sites) >= _FEW_SITES and "" not in sites:
        return "site", sites
    return "task", {f"{task.suite}/{task.task}": [float(task.difference)] for task in tasks}


def design_of(pairs: Sequence[tuple[Repeats, Repeats]]) -> Design:
    """What these tasks tell about how much two agents, and attempts of one agent, differ. Half a task is added to each
    side's favour, so that tasks that all end alike do not count as proof that tasks always do."""
    differing = sum(
        (a.passed * (b.graded - b.passed) + b.passed * (a.graded - a.passed)) / (a.graded * b.graded) for a, b in pairs
    )
    repeated = [one for pair in pairs for one in pair if one.graded > 1]
    return Design(
        discordant=(differing + 1) / (len(pairs) + 2),
        flake=statistics.fmean(disagreement(*one) for one in repeated) if repeated else 0.0,
        repeats=min((min(a.graded, b.graded) for a, b in pairs), default=1),
    )


def _left_out(a: Side, b: Side) -> LeftOut:
    left, right = repeats_of(a.items).keys(), repeats_of(b.items).keys()
    planned = {(item.plan.suite, item.plan.task) for side in (a, b) for item in side.items}
    return LeftOut(len(left - right), len(right - left), len(planned - left - right))


# -- what makes a comparison less than fair ----------------------------------------------------------------------------


def _notes(a: Side, b: Side, pair: Pair) -> Iterable[str]:
    shared = {(task.suite, task.task) for task in pair.tasks}
    yield from _task_notes(a, b, shared)
    for name, what in (("judge_version", "judge version"), ("world", "world")):
        left, right = _values(a, name, shared), _values(b, name, shared)
        if left != right:
            yield f"{what} differs: {_listed(left)} in {a.label}, {_listed(right)} in {b.label}"
    for name in ("max_actions", "max_seconds", "repeats", "seed"):
        left, right = (_option(side, name) for side in (a, b))
        if left != right:
            yield f"option {name} differs: {left} in {a.label}, {right} in {b.label}"
    if pair.interval and pair.real and pair.interval.low <= 0 <= pair.interval.high:
        yield f"the interval holds 0: drawn by {pair.drawn_by}, the difference may rest on a few of {pair.groups}"


def _task_notes(a: Side, b: Side, shared: set[Task]) -> Iterable[str]:
    left, right = _digests(a), _digests(b)
    known = [key for key in sorted(shared) if left.get(key) and right.get(key)]
    changed = [task for suite, task in known if left[suite, task] != right[suite, task]]
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        yield f"{len(changed)} shared tasks are not the same in both: {', '.join(changed[:5])}{more}"
    if (unknown := len(shared) - len(known)) and a.facts != b.facts:
        yield f"{unknown} shared tasks carry no digest on one side or both: nobody knows whether they are the same"


def _digests(side: Side) -> dict[Task, set[str]]:
    found: dict[Task, set[str]] = {}
    for item in side.items:
        if item.graded and item.result.task_digest:
            found.setdefault((item.plan.suite, item.plan.task), set()).add(item.result.task_digest)
    return found


def _values(side: Side, name: str, shared: set[Task]) -> list[str]:
    return sorted(
        {
            str(getattr(item.result, name))
            for item in side.items
            if item.graded and (item.plan.suite, item.plan.task) in shared
        }
    )


def _listed(values: Sequence[str]) -> str:
    return " and ".join(values) or "none"


def _option(side: Side, name: str) -> Any:
    options = side.facts.get("options")
    value = options.get(name) if isinstance(options, Mapping) else None
    return "not set" if value is None else value
