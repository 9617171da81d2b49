"""The public Agent protocol.

An agent is handed three things and nothing else: a `TaskBrief` (what to do), a Playwright page (where to do it) and a
`Budget` (how much it may use up). It returns its answer in words, or None if the task asks for none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..task.models import TaskBrief

if TYPE_CHECKING:
    from playwright.sync_api import Page


class GaveUp(Exception):  # noqa: N818 - a decision of the agent, not an error
    """Raised by an agent that sees no way to do the task; the message says why."""


class Budget:
    """What is left of an episode's budget. Actions are counted as the browser observes them."""

    def __init__(self, actions: int, seconds: float, used: Callable[[], int], clock: Callable[[], float]) -> None:
        self.actions, self.seconds = actions, seconds
        self._used, self._clock = used, clock
        self._start = clock()

    @property
    def actions_left(self) -> int:
        """Actions that may still be done."""
        return max(0, self.actions - self._used())

    @property
    def seconds_left(self) -> float:
        """Seconds until the episode is ended."""
        return max(0.0, self.seconds - (self._clock() - self._start))


@runtime_checkable
class Agent(Protocol):
    """Anything with ``run``; one object serves one episode."""

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Do the task; return the answer, if one is asked for. `GaveUp` ends the episode without one."""
