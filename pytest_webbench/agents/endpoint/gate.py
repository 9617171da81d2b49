"""Keeps one process away from an endpoint that asked for a pause; that of a run, for all workers, is `run.gate`."""

from __future__ import annotations

import time
from collections.abc import Callable


class LocalGate:
    """A gate that no other process knows of."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def pause(self, endpoint: str) -> float:
        """How many seconds ``endpoint`` is to be left alone yet."""
        return max(0.0, self._until.get(endpoint, 0.0) - self._clock())

    def close(self, endpoint: str, seconds: float) -> None:
        """Nobody asks ``endpoint`` for so long."""
        self._until[endpoint] = max(self._until.get(endpoint, 0.0), self._clock() + seconds)
