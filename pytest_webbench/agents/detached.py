"""Stand-ins for what the harness offers, for agents that run outside one."""

from __future__ import annotations

import time
from collections.abc import Callable

from pydantic import JsonValue

from .._usage import Usage
from .base import AgentContext


class LocalBackoff:
    """A backoff that no other process knows of; `run.backoff` serves all workers of a run."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def pause(self, endpoint: str) -> float:
        """Seconds for which ``endpoint`` must be left alone; 0 if it may be asked now."""
        return max(0.0, self._until.get(endpoint, 0.0) - self._clock())

    def start(self, endpoint: str, seconds: float) -> None:
        """Leave ``endpoint`` alone for ``seconds`` from now; a longer pause stays as it is."""
        until = self._clock() + seconds
        self._until[endpoint] = max(self._until.get(endpoint, 0.0), until)


class NoJournal:
    """A journal that keeps nothing."""

    def note(self, kind: str, **facts: JsonValue) -> None:
        """Drop it."""

    def spend(self, usage: Usage) -> None:
        """Drop it."""


def detached_context() -> AgentContext:
    """A context without a harness behind it, and without a browser address."""
    return AgentContext(NoJournal(), LocalBackoff(), None)
