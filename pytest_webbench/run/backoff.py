"""Keeps all workers of a run away from an endpoint that asked for a pause."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from .._files import storing, write_atomically

LONGEST: Final = 300.0
"""Seconds. A pause that ends later than that was written by a clock that has been set since."""


class RunBackoff:
    """One small file per endpoint in ``folder`` holds the time when its pause ends."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder, self._clock = folder, clock

    def pause(self, endpoint: str) -> float:
        """Seconds for which ``endpoint`` must be left alone; 0 if it may be asked now."""
        try:
            until = float(self._file(endpoint).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0.0
        seconds = until - self._clock()
        return seconds if 0 < seconds <= LONGEST else 0.0

    def start(self, endpoint: str, seconds: float) -> None:
        """Leave ``endpoint`` alone for ``seconds`` from now; a longer pause stays as it is."""
        seconds = min(max(seconds, self.pause(endpoint)), LONGEST)
        file = self._file(endpoint)
        with storing(file):
            self._folder.mkdir(parents=True, exist_ok=True)
        # Not flushed: after a crash of the machine, nobody needs to wait.
        write_atomically(file, f"{self._clock() + seconds:.3f}", flush=False)

    def _file(self, endpoint: str) -> Path:
        return self._folder / f"{file_name_of(endpoint)}.pause"


def file_name_of(endpoint: str) -> str:
    """A short file name for an address."""
    return hashlib.sha256(endpoint.encode("utf-8", "replace")).hexdigest()[:16]
