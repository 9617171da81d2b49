"""When an agent that goes on will get nowhere: pure rules over what it has tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

LONGEST_PERIOD: Final = 3
"""Actions in the longest cycle that is recognized."""
ROUNDS: Final = 3
"""How often a cycle must be repeated to count as one."""
CIRCLES: Final = "the same actions on the same pages have come round three times"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopLimits:
    """What an agent may do in vain before its episode is ended."""

    decisions: int = 120
    """Decisions in all, carried out or not."""
    unchanged: int = 3
    """Actions in a row that left the page as it was; waiting and failed actions do not count."""
    step_errors: int = 5
    """Failed actions in a row."""
    invalid_turns: int = 3
    """Turns in a row in which the model gave no usable reply."""
    cycles: int = 2
    """Different cycles that it may get out of. The same one twice ends the episode at once."""


class AttemptedAction(NamedTuple):
    """One action that was chosen: what, on which page, and its effect."""

    action: str
    """The action as text: the same for equal actions."""
    before: str
    """Fingerprint of the page on which it was chosen."""
    after: str = ""
    """Fingerprint of the page afterwards."""
    wait: bool = False
    error: bool = False


Cycle = frozenset[tuple[str, str]]
"""The actions of a cycle, each with its page; a set, since a cycle can be entered anywhere."""


def find_cycle(attempts: Sequence[AttemptedAction]) -> Cycle | None:
    """The cycle that the last rounds of (action, page) make; the shortest if there are several."""
    moves = [(attempt.action, attempt.before) for attempt in attempts[-LONGEST_PERIOD * ROUNDS :]]
    for period in range(1, LONGEST_PERIOD + 1):
        tail = moves[-period * ROUNDS :]
        if len(tail) == period * ROUNDS and tail == tail[-period:] * ROUNDS:
            return frozenset(tail)
    return None


def is_stuck(attempts: Sequence[AttemptedAction], most: int) -> bool:
    """Whether the last ``most`` actions left the page as it was.

    Waiting in vain and failed actions neither count nor break the series.
    """
    count = 0
    for attempt in reversed(attempts):
        if attempt.before != attempt.after:
            return False
        if not attempt.wait and not attempt.error:
            count += 1
        if count >= most:
            return True
    return False


def errors_in_a_row(attempts: Sequence[AttemptedAction]) -> int:
    """How many actions have failed since the last one that succeeded."""
    count = 0
    for attempt in reversed(attempts):
        if not attempt.error:
            break
        count += 1
    return count


class StopRules:
    """Applies the rules to one episode."""

    def __init__(self, limits: StopLimits | None = None) -> None:
        self.limits = limits or StopLimits()
        self._attempts: list[AttemptedAction] = []
        self._cycles: set[Cycle] = set()
        self._in_circles = False

    def repeats(self, action: str, page: str) -> bool:
        """Whether the action just chosen closes a cycle.

        Then it should not be carried out; the page is to be looked at again instead. If that has
        not helped before, `reason` says from now on that the episode ends.
        """
        cycle = find_cycle([*self._attempts, AttemptedAction(action, page)])
        if cycle is None:
            return False
        self._in_circles = cycle in self._cycles or len(self._cycles) >= self.limits.cycles
        self._cycles.add(cycle)
        return True

    def add(self, attempt: AttemptedAction) -> None:
        """Take account of an action that was tried."""
        self._attempts.append(attempt)

    def reason(self) -> str:
        """Why the episode ends now; empty if it goes on."""
        limits = self.limits
        if self._in_circles:
            return CIRCLES
        if is_stuck(self._attempts, limits.unchanged):
            return f"the page did not change in the last {limits.unchanged} actions"
        if errors_in_a_row(self._attempts) >= limits.step_errors:
            return f"the last {limits.step_errors} actions could not be done"
        return ""
