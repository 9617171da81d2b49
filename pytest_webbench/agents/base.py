"""The agent protocol: what an agent is given, and what it may ask for.

Every agent gets three things: a `TaskBrief` (what to do), a Playwright page (where to do it) and a
`Budget` (how much it may use). It returns its answer as text, or None if the task asks for none.
An agent that also wants a journal, a browser address or a log declares it: see `NeedsContext`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from pydantic import JsonValue

from .._usage import Usage
from ..task.models import TaskBrief

if TYPE_CHECKING:
    from playwright.sync_api import Page


class GaveUp(Exception):  # noqa: N818 - a decision of the agent, not an error
    """Raise this in `Agent.run` when there is no way to do the task; the message says why.

    The episode ends as ``gave_up`` and its checks are judged, as they are after any other end.
    """


class AgentCrashed(Exception):  # noqa: N818 - says what happened
    """An agent that is a program or a service broke; the message says how.

    The episode ends as ``agent_crashed`` and has failed. Agents in Python need not raise it: any
    exception other than `GaveUp` that leaves `Agent.run` means the same.
    """


class Budget:
    """What an episode may use, and how much of it is left.

    ``actions`` is a number of actions, as the browser counts them; ``seconds`` is wall-clock time.
    The harness ends the episode when either is used up, whether or not the agent looks here.
    """

    def __init__(
        self, actions: int, seconds: float, used: Callable[[], int], clock: Callable[[], float]
    ) -> None:
        self.actions = actions
        self.seconds = seconds
        self._used = used
        self._clock = clock
        self._start = clock()

    @property
    def actions_left(self) -> int:
        """Number of actions that may still be done, never below 0."""
        return max(0, self.actions - self._used())

    @property
    def seconds_left(self) -> float:
        """Seconds until the harness ends the episode, never below 0."""
        return max(0.0, self.seconds - (self._clock() - self._start))

    def _extend(self, seconds: float) -> None:
        """Give back time that was spent waiting for an endpoint. Called by the harness only.

        An agent that calls it changes `seconds_left`, but not the deadline: the harness keeps that.
        """
        self._start += seconds


@runtime_checkable
class Agent(Protocol):
    """Anything with a method ``run``. A new object is made for every episode."""

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Do the task in ``page``, which shows the start URL already.

        Return the answer, or None if `TaskBrief.wants_answer` is false. Raise `GaveUp` to end the
        episode without an answer; any other exception means that the agent crashed.
        """


class Journal(Protocol):
    """Takes the agent's own account of an episode; secrets are removed from what is written."""

    def note(self, kind: str, **facts: JsonValue) -> None:
        """Write one line to ``agent.jsonl``, such as the options that were open at a decision."""

    def spend(self, usage: Usage) -> None:
        """Add what a model has cost to the episode's line in the ledger."""


class Backoff(Protocol):
    """Keeps all workers of a run away from an endpoint that asked for a pause."""

    def pause(self, endpoint: str) -> float:
        """Seconds for which ``endpoint`` must be left alone; 0 if it may be asked now."""

    def start(self, endpoint: str, seconds: float) -> None:
        """Leave ``endpoint`` alone for ``seconds`` from now; a longer pause stays as it is."""


class AgentContext(NamedTuple):
    """What the harness offers to an agent besides a page; see `NeedsContext`."""

    journal: Journal
    backoff: Backoff
    cdp_url: str | None
    """Address of the episode's browser for CDP clients, such as ``http://127.0.0.1:9222``. None
    unless the agent has a ``dedicated_browser``."""
    on_wait: Callable[[float], None] = lambda _seconds: None
    """Call this with a number of seconds before waiting for an endpoint: the time is given back to
    the agent. Has an effect for agents of an `AgentType`, not for a class named by its path."""
    log: Callable[[str], None] = lambda _text: None
    """Writes a line to ``agent.log``, from any thread; secrets are removed."""
    hidden: tuple[Path, ...] = ()
    """Folders with checks, answers and results, which an isolated program must not see."""


@runtime_checkable
class NeedsContext(Protocol):
    """An agent that wants more than a page: the harness calls ``attach`` once, before ``run``."""

    dedicated_browser: bool
    """Whether the episode must run in a browser process of its own, with an address that other CDP
    clients can connect to."""

    def attach(self, context: AgentContext) -> None:
        """Keep from ``context`` what ``run`` will need."""
