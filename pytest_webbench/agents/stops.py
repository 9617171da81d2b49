"""When an agent that goes on will get nowhere: pure rules over what it has tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

LONGEST_PERIOD: Final = 3
CIRCLES: Final = "the same actions on the same pages have come round three times"
ROUNDS: Final = 3
"""How often a cycle has to come round to count as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopLimits:
    """What an agent may do in vain before its episode is ended."""

    decisions: int = 120
    """Choices in all, done or not."""
    unchanged: int = 3
    """Actions in a row that left the page as it was; waiting and what could not be done are left out."""
    step_errors: int = 5
    """Actions in a row that could not be done."""
    invalid_turns: int = 3
    """Turns in a row without a usable reply of the model."""
    cycles: int = 2
    """Different cycles after which it may look again; the same one twice is too often anyhow."""


class Tried(NamedTuple):
    """One action that was chosen: what, on which page, and what came of it."""

    action: str
    """The action as text: the same for equal actions."""
    before: str
    """Fingerprint of the page on which it was chosen."""
    after: str = ""
    """Fingerprint of the page afterwards."""
    wait: bool = False
    error: bool = False


Cycle = frozenset[tuple[str, str]]
"""The actions of a cycle, each with the page it was chosen on, wherever the cycle is entered."""


def find_cycle(tried: Sequence[Tried]) -> Cycle | None:
    """The cycle that the last three rounds of (action, page) make, the shortest if there are several."""
    moves = [(one.action, one.before) for one in tried[-LONGEST_PERIOD * ROUNDS :]]
    for period in range(1, LONGEST_PERIOD + 1):
        tail = moves[-period * ROUNDS :]
        if len(tail) == period * ROUNDS and tail == tail[-period:] * ROUNDS:
            return frozenset(tail)
    return None


def is_stuck(tried: Sequence[Tried], most: int) -> bool:
    """Whether the last ``most`` actions left the page as it was. Waiting in vain and errors neither count nor clear."""
    count = 0
    for one in reversed(tried):
        if one.before != one.after:
            return False
        count += not (one.wait or one.error)
        if count >= most:
            return True
    return False


def errors_in_a_row(tried: Sequence[Tried]) -> int:
    """How many actions could not be done since the last one that could."""
    count = 0
    for one in reversed(tried):
        if not one.error:
            break
        count += 1
    return count


class StopRules:
    """Keeps account of one episode; every question is answered from what was tried alone."""

    def __init__(self, limits: StopLimits | None = None) -> None:
        self.limits = limits or StopLimits()
        self._tried: list[Tried] = []
        self._cycles: set[Cycle] = set()
        self._in_circles = False

    def repeats(self, action: str, page: str) -> bool:
        """Whether the action just chosen closes a cycle, so that it is better not done but the page looked at again.

        If that has not helped before, `reason` says from now on that the episode ends.
        """
        cycle = find_cycle([*self._tried, Tried(action, page)])
        if cycle is None:
            return False
        self._in_circles = cycle in self._cycles or len(self._cycles) >= self.limits.cycles
        self._cycles.add(cycle)
        return True

    def add(self, tried: Tried) -> None:
        """An action was tried."""
        self._tried.append(tried)

    def reason(self) -> str:
        """Why the episode ends now; empty if it goes on."""
        limits = self.limits
        if self._in_circles:
            return CIRCLES
        if is_stuck(self._tried, limits.unchanged):
            return f"the page did not change in the last {limits.unchanged} actions"
        if errors_in_a_row(self._tried) >= limits.step_errors:
            return f"the last {limits.step_errors} actions could not be done"
        return ""
