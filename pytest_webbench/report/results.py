"""The results of a run: what every report is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final

from .._text import clip
from ..errors import InfraError
from ..judge.explanation import flagged_text
from ..run import ItemKey, LedgerEntry, PlannedItem, RunDir
from ..run.integrity import Integrity, inspect, once
from ..run.ledger import latest
from ..stats import Repeats

NOT_RUN: Final = "not_run"
"""Stands for the reason of a planned item without any attempt on record."""

QUARANTINED: Final = "quarantined"
"""Stands for the reason of a planned item that was skipped because its live site has changed."""

_LONGEST_WHY: Final = 300

TaskKey = tuple[str, str]
"""Suite and task id."""
EditionKey = tuple[str, str, int]
"""Suite, task id and edition: attempts at the same are repeats."""


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One planned item: the attempt that counts (``entry``), and all attempts, oldest first."""

    run: str
    plan: PlannedItem
    entry: LedgerEntry
    attempts: tuple[LedgerEntry, ...] = ()

    @property
    def task(self) -> TaskKey:
        """Suite and task id."""
        return self.plan.suite, self.plan.task

    @property
    def edition(self) -> EditionKey:
        """Suite, task id and edition."""
        return self.plan.suite, self.plan.task, self.plan.seed

    @property
    def reason(self) -> str:
        """Why there is no verdict; `NOT_RUN` for an item that was never reached."""
        return self.entry.reason

    @property
    def outcome(self) -> tuple[str, str]:
        """Outcome and reason, as a tally counts them."""
        return self.entry.outcome, self.reason

    @property
    def quarantined(self) -> bool:
        """Whether it was left out on purpose."""
        return self.reason == QUARANTINED

    @property
    def graded(self) -> bool:
        """Whether there is a verdict."""
        return self.entry.outcome != "unscored"

    @property
    def passed(self) -> bool:
        """Whether the agent did the task."""
        return self.entry.outcome == "passed"

    @property
    def flagged(self) -> bool:
        """Whether it passed on doubtful ground."""
        return self.passed and bool(self.entry.flags)

    @property
    def earlier(self) -> list[LedgerEntry]:
        """The attempts that do not count."""
        return [entry for entry in self.attempts if entry != self.entry]


@dataclass(frozen=True, slots=True)
class RunResults:
    """A run as reports see it: a result per planned item, in order of its key.

    ``facts`` is the run's ``run.json``.
    """

    tag: str
    results: tuple[ItemResult, ...]
    facts: Mapping[str, Any]
    integrity: Integrity = field(default_factory=lambda: Integrity.of([]))

    @property
    def agents(self) -> list[str]:
        """Labels of the agents planned."""
        return sorted(set(map(attrgetter("plan.agent"), self.results)))

    @property
    def began(self) -> str:
        """When the first episode began: UTC, ISO 8601; empty if none has."""
        starts = [entry.started for one in self.results for entry in one.attempts if entry.started]
        return min(starts, default="")

    def of_agent(self, agent: str) -> tuple[ItemResult, ...]:
        """The results of one agent."""
        return tuple(result for result in self.results if result.plan.agent == agent)

    def of(self, planned: Iterable[PlannedItem]) -> list[ItemResult]:
        """The results of these items of the run, in their order."""
        by_key = {result.plan.key: result for result in self.results}
        return [by_key[item.key] for item in planned]


def read_results(run: RunDir, *, check: bool = True) -> RunResults:
    """Every planned item of a run: nothing that was planned can drop out of a report.

    A result that does not agree with its evidence is not believed; to ``check`` that, the files of
    every episode are read.
    """
    attempts: dict[ItemKey, list[LedgerEntry]] = {}
    every, doubled = once(run, run.attempts())
    for entry in every:
        attempts.setdefault(entry.key, []).append(entry)
    facts = run.facts()
    as_counted = _failed_if_flagged if _flagged_fails(facts) else _unchanged
    results = []
    inspected = []
    for plan in sorted(run.planned(), key=lambda plan: plan.key):
        mine = attempts.get(plan.key, [])
        counting = None if plan.quarantined else latest(mine).get(plan.key)
        entry = counting or missing_entry(plan, begun=run.has_begun(plan.key))
        if check and entry.outcome != "unscored":
            inspected.append(inspect(run, entry))
            mine = [inspected[-1].entry if one is entry else one for one in mine]
            entry = inspected[-1].entry
        counted = tuple(map(as_counted, mine))
        results.append(ItemResult(run.path.name, plan, as_counted(entry), counted))
    integrity = Integrity.of(inspected, (*run.problems(), *doubled))
    return RunResults(run.path.name, tuple(results), facts, integrity)


def _flagged_fails(facts: Mapping[str, Any]) -> bool:
    """Whether the run's latest session counted flagged passes as failed."""
    options = facts.get("options")
    return isinstance(options, dict) and options.get("flagged") == "fail"


def _unchanged(entry: LedgerEntry) -> LedgerEntry:
    return entry


def _failed_if_flagged(entry: LedgerEntry) -> LedgerEntry:
    if entry.outcome != "passed" or not entry.flags:
        return entry
    return entry.model_copy(
        update={"outcome": "failed", "detail": flagged_text(entry.task, entry.flags)}
    )


def untested(results: Iterable[ItemResult]) -> int:
    """How many passes were not tested, because the user did not want that."""
    return sum(result.passed and result.entry.untested for result in results)


def flag_counts(results: Iterable[ItemResult]) -> dict[str, int]:
    """How many results carry a flag of each kind; a result may carry several."""
    counts = Counter(flag.kind.value for result in results for flag in result.entry.flags)
    return dict(sorted(counts.items()))


def missing_entry(item: PlannedItem, *, begun: bool = False) -> LedgerEntry:
    """Stands for an item without any attempt that counts.

    It is in quarantine, it was not reached, or its worker died: ``begun`` says that an episode of
    it was begun.
    """
    reason, detail = NOT_RUN, "not run: never reached"
    if item.quarantined:
        reason, detail = QUARANTINED, item.quarantined
    elif begun:
        reason, detail = InfraError.reason, "no attempt is on record: its worker died"
    return LedgerEntry(
        suite=item.suite,
        task=item.task,
        agent=item.agent,
        repeat=item.repeat,
        seed=item.seed,
        attempt=0,
        world="",
        outcome="unscored",
        reason=reason,
        detail=detail,
    )


def why_text(entry: LedgerEntry) -> str:
    """Why an attempt did not pass, in one line."""
    detail = clip(" ".join(entry.detail.split()), _LONGEST_WHY)
    return entry.brief or detail or entry.ending or "no reason is on record"


def outcome_text(entry: LedgerEntry) -> str:
    """``passed``, ``unscored: infra``, or ``not run``."""
    if entry.reason == NOT_RUN:
        return "not run"
    if entry.reason == QUARANTINED:
        return QUARANTINED
    return f"{entry.outcome}: {entry.reason}" if entry.reason else entry.outcome


def outcomes_of(results: Iterable[ItemResult]) -> set[str]:
    """Every outcome that occurs."""
    return set(map(attrgetter("entry.outcome"), results))


def worlds_of(results: Iterable[ItemResult]) -> list[str]:
    """Every world that occurs, in order; an item that was never reached has none."""
    return sorted(set(map(attrgetter("entry.world"), results)) - {""})


def by_suite_and_agent(
    results: Iterable[ItemResult],
) -> dict[tuple[str, str], list[ItemResult]]:
    """Results grouped and sorted by suite and agent, within a group in the order given."""
    groups: dict[tuple[str, str], list[ItemResult]] = {}
    for result in results:
        groups.setdefault((result.plan.suite, result.plan.agent), []).append(result)
    return dict(sorted(groups.items()))


def repeats_by_task(
    results: Iterable[ItemResult], *, count_unscored: bool = False
) -> dict[TaskKey, Repeats]:
    """How often one agent passed each task, of its graded attempts in all editions.

    Tasks that were never graded are left out. With ``count_unscored`` every attempt counts, and an
    unscored one has failed.
    """
    found: dict[TaskKey, Repeats] = {}
    for result in results:
        if result.graded or count_unscored:
            passed, graded = found.get(result.task, (0, 0))
            found[result.task] = Repeats(passed + result.passed, graded + 1)
    return found


def repeats_by_whole(
    results: Iterable[ItemResult], *, count_unscored: bool = False
) -> dict[TaskKey, Repeats]:
    """The same, where all recorded steps of one task count as attempts at it."""
    found: dict[TaskKey, Repeats] = {}
    for result in results:
        if result.graded or count_unscored:
            whole = (result.plan.suite, result.plan.part_of or result.plan.task)
            passed, graded = found.get(whole, (0, 0))
            found[whole] = Repeats(passed + result.passed, graded + 1)
    return found


def repeats_by_edition(results: Iterable[ItemResult]) -> dict[EditionKey, Repeats]:
    """How often one agent passed each task in each edition, of its graded attempts."""
    found: dict[EditionKey, Repeats] = {}
    for result in results:
        if result.graded:
            passed, graded = found.get(result.edition, (0, 0))
            found[result.edition] = Repeats(passed + result.passed, graded + 1)
    return found


def tagged(run: RunResults, tag: str) -> RunResults:
    """The same run under another name."""
    results = tuple(replace(result, run=tag) for result in run.results)
    return replace(run, tag=tag, results=results)
