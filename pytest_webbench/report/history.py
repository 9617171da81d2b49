"""Several runs in the order of time: how rates went, what flipped, and which tasks flake."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import SettingsError
from ..stats import Interval, Tally, pass_rate
from .results import ItemResult, RunResults, repeats_by_task
from .tables import Table, percent

Line = tuple[str, str]
"""A suite and an agent: what is followed over time."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One run of an agent on a suite. ``started`` is UTC, ISO 8601."""

    run: str
    started: str
    tally: Tally
    rate: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Flip:
    """A task whose outcome differs between two runs that are compared."""

    task: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Flake:
    """A task that an agent has passed and failed: how often of so many graded episodes."""

    task: str
    passed: int
    graded: int


@dataclass(frozen=True, slots=True)
class Course:
    """An agent on a suite over time: its runs, oldest first.

    ``flips`` are those of the last run against ``baseline``, empty if there is none.
    """

    suite: str
    agent: str
    moments: tuple[Moment, ...]
    baseline: str
    flips: tuple[Flip, ...]
    flakes: tuple[Flake, ...]


def history(runs: Sequence[RunResults], *, baseline: str | None = None) -> list[Course]:
    """The course of each agent on each suite.

    ``baseline`` is a run's tag; without one, the run before the last is taken. `SettingsError` if
    no run has this tag.
    """
    tags = [run.tag for run in runs]
    if baseline is not None and baseline not in tags:
        raise SettingsError(f"--baseline {baseline}: no such run; there are {', '.join(tags)}")
    lines: dict[Line, list[tuple[str, str, list[ItemResult]]]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (run.began, run.tag)):
        groups: dict[Line, list[ItemResult]] = defaultdict(list)
        for result in run.results:
            groups[result.plan.suite, result.plan.agent].append(result)
        for line, results in groups.items():
            lines[line].append((run.tag, run.began, results))
    return [_course(*line, parts, baseline) for line, parts in sorted(lines.items())]


def _course(
    suite: str, agent: str, parts: list[tuple[str, str, list[ItemResult]]], baseline: str | None
) -> Course:
    moments = tuple(_moment(tag, started, results) for tag, started, results in parts)
    by_tag = {tag: results for tag, _, results in parts}
    last = parts[-1][0]
    compared = baseline or (parts[-2][0] if len(parts) > 1 else "")
    flips: list[Flip] = []
    if compared in by_tag and compared != last:
        flips = _flips(by_tag[compared], by_tag[last])
    else:
        compared = ""
    every = [result for _, _, results in parts for result in results]
    return Course(suite, agent, moments, compared, tuple(flips), tuple(_flakes(every)))


def _moment(tag: str, started: str, results: list[ItemResult]) -> Moment:
    tally = Tally.of(result.outcome for result in results)
    share = pass_rate(repeats_by_task(results).values())
    rate, interval = (share.value, share.interval) if share else (None, None)
    return Moment(tag, started, tally, rate, interval)


def _flips(before: Iterable[ItemResult], after: Iterable[ItemResult]) -> list[Flip]:
    """Tasks that were graded both times, in every repeat alike, and not alike."""
    first, second = _outcomes(before), _outcomes(after)
    both = sorted(set(first) & set(second))
    return [Flip(task, first[task], second[task]) for task in both if first[task] != second[task]]


def _outcomes(results: Iterable[ItemResult]) -> dict[str, str]:
    """``passed``, ``failed`` or, if repeats differ, ``mixed``, by task."""
    found: dict[str, set[str]] = defaultdict(set)
    for result in results:
        if result.graded:
            found[_task(result)].add(result.entry.outcome)
    return {task: seen.pop() if len(seen) == 1 else "mixed" for task, seen in found.items()}


def _flakes(results: Iterable[ItemResult]) -> list[Flake]:
    """Those nearest to an even chance first."""
    graded: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for result in results:
        if result.graded:
            graded[_task(result)] += 1
            passed[_task(result)] += result.passed
    found = [Flake(task, passed[task], n) for task, n in graded.items() if 0 < passed[task] < n]
    return sorted(found, key=lambda one: (abs(one.passed / one.graded - 0.5), one.task))


def _task(result: ItemResult) -> str:
    """Editions of a task are as different as tasks are."""
    return result.plan.task + (f" [s{result.plan.seed}]" if result.plan.seed else "")


# -- what is shown ---------------------------------------------------------------------------------


def history_tables(courses: Iterable[Course]) -> list[Table]:
    """A table of runs for each course, then what flipped and what flakes, if anything."""
    tables: list[Table] = []
    for course in courses:
        tables.append(_moments_table(course))
        if course.flips:
            tables.append(_flips_table(course))
        if course.flakes:
            tables.append(_flakes_table(course))
    return tables


def _moments_table(course: Course) -> Table:
    head = ("run", "began (UTC)", "passed of graded", "rate", "95 % interval", "unscored")
    rows = tuple(
        (
            one.run,
            one.started[:16].replace("T", " "),
            f"{one.tally.passed} of {one.tally.graded}",
            percent(one.rate),
            f"{one.interval[0]:.1%} to {one.interval[1]:.1%}" if one.interval else "",
            str(one.tally.n - one.tally.graded),
        )
        for one in course.moments
    )
    return Table(f"{course.suite}, agent {course.agent}", head, rows)


def _flips_table(course: Course) -> Table:
    rows = tuple((one.task, one.before, one.after) for one in course.flips)
    last = course.moments[-1].run
    title = f"{course.suite}, agent {course.agent}: what flipped from {course.baseline} to {last}"
    return Table(title, ("task", "before", "after"), rows)


def _flakes_table(course: Course) -> Table:
    rows = tuple((one.task, f"{one.passed} of {one.graded}") for one in course.flakes)
    title = f"{course.suite}, agent {course.agent}: passed and failed"
    return Table(title, ("task", "passed of graded"), rows)


def history_lines(courses: Iterable[Course]) -> list[dict[str, Any]]:
    """One row per run of each course, for a spreadsheet."""
    return [
        {
            "suite": course.suite,
            "agent": course.agent,
            "run": one.run,
            "started": one.started,
            "passed": one.tally.passed,
            "graded": one.tally.graded,
            "unscored": one.tally.n - one.tally.graded,
            "rate": one.rate,
            "low": one.interval[0] if one.interval else None,
            "high": one.interval[1] if one.interval else None,
        }
        for course in courses
        for one in course.moments
    ]


def history_data(courses: Iterable[Course]) -> list[dict[str, Any]]:
    """All of it as JSON."""
    listed = list(courses)
    return [
        {
            "suite": course.suite,
            "agent": course.agent,
            "runs": history_lines([course]),
            "baseline": course.baseline,
            "flips": [
                {"task": one.task, "before": one.before, "after": one.after} for one in course.flips
            ],
            "flakes": [
                {"task": one.task, "passed": one.passed, "graded": one.graded}
                for one in course.flakes
            ],
        }
        for course in listed
    ]
