"""Whether a session passes in CI: which exit code tells agents' failures from trouble with the infrastructure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

from ..run import LedgerEntry
from ..stats import clustered_interval
from .summary import attempts_by_task

UNSCORED_EXIT: Final = 10
"""No agent failed, but some items are unscored: nobody knows whether all is well."""
BELOW_EXIT: Final = 11
"""An agent's rate is below ``--webbench-min-rate``."""


class Standing(StrEnum):
    """How an agent stands to the rate that is asked of it."""

    REACHED = "reached"
    UNKNOWN = "unknown"
    BELOW = "below"


class Gate(NamedTuple):
    """One agent on one suite. ``low``: the interval's low end; ``at_worst``: the same if all unscored items failed."""

    suite: str
    agent: str
    least: float
    low: float
    at_worst: float
    unscored: int

    @property
    def standing(self) -> Standing:
        """*Unknown* if it takes the unscored items to say."""
        if self.at_worst >= self.least:
            return Standing.REACHED
        return Standing.UNKNOWN if self.low >= self.least and self.unscored else Standing.BELOW

    def __str__(self) -> str:
        who = f"{self.suite}, agent {self.agent}: the rate's interval begins at {self.low:.1%}"
        if self.standing is Standing.UNKNOWN:
            counted = f"{self.at_worst:.1%} if the {self.unscored} unscored failed"
            return f"{who}, at {counted}: nobody knows whether it reaches {self.least:.1%}"
        if self.standing is Standing.BELOW:
            return f"{who}, below the {self.least:.1%} that --webbench-min-rate asks for"
        return f"{who}, which reaches {self.least:.1%}"


def gates_of(entries: Iterable[LedgerEntry], least: float) -> list[Gate]:
    """One per suite and agent."""
    ordered = sorted(entries, key=lambda entry: (entry.suite, entry.agent))
    return [
        _gate(suite, agent, least, list(group))
        for (suite, agent), group in groupby(ordered, key=lambda entry: (entry.suite, entry.agent))
    ]


def _gate(suite: str, agent: str, least: float, entries: Sequence[LedgerEntry]) -> Gate:
    unscored = sum(entry.outcome == "unscored" for entry in entries)
    worst = [entry.model_copy(update={"outcome": "failed" if entry.outcome == "unscored" else entry.outcome})
             for entry in entries]  # fmt: skip
    return Gate(suite, agent, least, _low(entries), _low(worst), unscored)


def _low(entries: Sequence[LedgerEntry]) -> float:
    tasks = attempts_by_task(entries)
    return clustered_interval(tasks).low if tasks else 0.0


def exit_code(code: int, entries: Sequence[LedgerEntry], gates: Sequence[Gate], *, others_failed: bool) -> int:
    """What the session ends with instead of pytest's ``code``, which is 0 or 1; other codes are left alone.

    ``others_failed``: tests that are no tasks have failed, which no rate can make good.
    """
    if code not in (0, 1) or others_failed:
        return code
    if gates:
        standings = {gate.standing for gate in gates}
        return BELOW_EXIT if Standing.BELOW in standings else UNSCORED_EXIT if Standing.UNKNOWN in standings else 0
    outcomes = {entry.outcome for entry in entries}
    if "failed" in outcomes:
        return 1
    return UNSCORED_EXIT if "unscored" in outcomes else code
