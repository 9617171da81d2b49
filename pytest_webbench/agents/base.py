"""The public Agent protocol.

An agent is handed three things and nothing else: a `TaskBrief` (what to do), a Playwright page (where to do it) and a
`Budget` (how much it may use up). It returns its answer in words, or None if the task asks for none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from pydantic import JsonValue

from ..task.models import TaskBrief

if TYPE_CHECKING:
    from playwright.sync_api import Page


class GaveUp(Exception):  # noqa: N818 - a decision of the agent, not an error
    """Raised by an agent that sees no way to do the task; the message says why."""


class AgentCrashed(Exception):  # noqa: N818 - says what happened
    """Raised for an agent that is a program or a service of its own: it broke, and the message says how."""


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

    def _extend(self, seconds: float) -> None:
        """The harness gives time back that went to an endpoint's trouble. To call it elsewhere moves no deadline."""
        self._start += seconds


@runtime_checkable
class Agent(Protocol):
    """Anything with ``run``; one object serves one episode."""

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Do the task; return the answer, if one is asked for. `GaveUp` ends the episode without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one or several questions to a model have cost. ``cost`` is in US dollars, None if no price is known."""

    calls: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            calls=self.calls + other.calls,
            seconds=self.seconds + other.seconds,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=sum(costs) if costs else None,
        )


class Journal(Protocol):
    """Takes an agent's own account of an episode: one line each in ``agent.jsonl``, secrets taken out."""

    def note(self, kind: str, **facts: JsonValue) -> None:
        """Something worth keeping, such as the choices that were open and their probabilities."""

    def spend(self, usage: Usage) -> None:
        """A model was asked: add this to the episode's account in the ledger."""


class Gate(Protocol):
    """Keeps all workers of a run away from an endpoint that asked for a pause."""

    def pause(self, endpoint: str) -> float:
        """How many seconds ``endpoint`` is to be left alone yet."""

    def close(self, endpoint: str, seconds: float) -> None:
        """Nobody asks ``endpoint`` for so long."""


class Equipment(NamedTuple):
    """What the harness hands to an agent that asks for it."""

    journal: Journal
    gate: Gate
    cdp_url: str | None
    """Address of the episode's own browser; only for agents with ``own_browser``."""
    waited: Callable[[float], None] = lambda _seconds: None
    """Called before waiting so many seconds for an endpoint: they are not taken off the agent's time. Heeded for the
    agents of this package only."""
    log: Callable[[str], None] = lambda _text: None
    """Takes a line for ``agent.log``, from any thread; secrets are taken out."""


@runtime_checkable
class Equipped(Protocol):
    """An agent that wants more than a page: ``equip`` is called once before ``run``."""

    own_browser: bool
    """Whether the episode has to run in a browser process of its own, with an address for CDP clients."""

    def equip(self, equipment: Equipment) -> None:
        """Take what is needed."""
