"""Keeps all workers of a run away from an endpoint that asked for a pause."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from .directory import storing, write_atomically

LONGEST: Final = 300.0
"""Seconds; a time that lies further ahead was written by a clock that has been set since."""


class RunGate:
    """One small file per endpoint in ``folder`` says until when it is to be left alone."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder, self._clock = folder, clock

    def pause(self, endpoint: str) -> float:
        """How many seconds ``endpoint`` is to be left alone yet."""
        try:
            until = float(self._file(endpoint).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0.0
        seconds = until - self._clock()
        return seconds if 0 < seconds <= LONGEST else 0.0

    def close(self, endpoint: str, seconds: float) -> None:
        """Nobody asks ``endpoint`` for so long."""
        seconds = min(max(seconds, self.pause(endpoint)), LONGEST)
        file = self._file(endpoint)
        with storing(file):
            self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(file, f"{self._clock() + seconds:.3f}", flush=False)

    def _file(self, endpoint: str) -> Path:
        return self._folder / f"{digest(endpoint)}.pause"


def digest(name: str) -> str:
    """A short file name for an address."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]
