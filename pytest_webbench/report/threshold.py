"""Whether a session passes in CI: the exit code tells agents' failures from infrastructure's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import Final, NamedTuple

from ..stats import clustered_interval, pass_rate
from .results import (
    ItemResult,
    by_suite_and_agent,
    outcomes_of,
    repeats_by_task,
    repeats_by_whole,
)

UNSCORED_EXIT: Final = 10
"""No agent failed, but some items are unscored, so the result is unknown."""
BELOW_EXIT: Final = 11
"""An agent's rate is below ``--webbench-min-rate``."""


class Standing(StrEnum):
    """How an agent stands to the rate that is asked of it."""

    REACHED = "reached"
    UNKNOWN = "unknown"
    BELOW = "below"


class Threshold(NamedTuple):
    """One agent on one suite, and the rate (0 to 1) that it has to reach at ``least``.

    ``low`` is the low end of the rate's interval, ``at_worst`` the same if all unscored items
    failed.
    """

    suite: str
    agent: str
    least: float
    low: float
    at_worst: float
    unscored: int

    @property
    def standing(self) -> Standing:
        """*Unknown* if it depends on the unscored items."""
        if self.at_worst >= self.least:
            return Standing.REACHED
        if self.low >= self.least and self.unscored:
            return Standing.UNKNOWN
        return Standing.BELOW

    def __str__(self) -> str:
        where = f"{self.suite}, agent {self.agent}"
        who = f"{where}: the rate's interval begins at {self.low:.1%}"
        if self.standing is Standing.UNKNOWN:
            counted = f"{self.at_worst:.1%} if the {self.unscored} unscored failed"
            return f"{who}, at {counted}, so it may not reach {self.least:.1%}"
        if self.standing is Standing.BELOW:
            return f"{who}, below the {self.least:.1%} that --webbench-min-rate asks for"
        return f"{who}, which reaches {self.least:.1%}"


def thresholds_of(results: Iterable[ItemResult], least: float) -> list[Threshold]:
    """One per suite and agent."""
    found = []
    run = [result for result in results if not result.quarantined]
    for (suite, agent), group in by_suite_and_agent(run).items():
        low = _low(group)
        at_worst = _low(group, count_unscored=True)
        unscored = sum(not result.graded for result in group)
        found.append(Threshold(suite, agent, least, low, at_worst, unscored))
    return found


def _low(results: Sequence[ItemResult], *, count_unscored: bool = False) -> float:
    if any(result.plan.part_of for result in results):
        steps = repeats_by_whole(results, count_unscored=count_unscored)
        return clustered_interval(list(steps.values())).low if steps else 0.0
    rate = pass_rate(repeats_by_task(results, count_unscored=count_unscored).values())
    return rate.interval.low if rate else 0.0


def exit_code(
    code: int,
    results: Sequence[ItemResult],
    thresholds: Sequence[Threshold],
    *,
    others_failed: bool,
) -> int:
    """What the session ends with instead of pytest's ``code``; codes other than 0 and 1 stay.

    ``others_failed``: tests that are no tasks have failed, which no rate makes good.
    """
    # Interrupted, misused or broken: none of that is about agents.
    if code not in (0, 1) or others_failed:
        return code
    if thresholds:
        return _threshold_code(thresholds)
    outcomes = outcomes_of(result for result in results if not result.quarantined)
    if "failed" in outcomes:
        return 1
    if "unscored" in outcomes:
        return UNSCORED_EXIT
    return code


def _threshold_code(thresholds: Sequence[Threshold]) -> int:
    standings = set(map(attrgetter("standing"), thresholds))
    if Standing.BELOW in standings:
        return BELOW_EXIT
    if Standing.UNKNOWN in standings:
        return UNSCORED_EXIT
    return 0
