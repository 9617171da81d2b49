"""Turns on live sites: a few episodes at once, one after another on each site, with pauses between.

    <runs-dir>/.live/    locks, tickets and pauses; may be deleted when nothing runs

All sessions of this machine with the same folder of runs share them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..task.models import Live
from .backoff import RunBackoff
from .concurrency import ConcurrencyLimit

FOLDER: Final = ".live"


class LiveTurns:
    """Gives turns by ``rules``. ``cloud``: the browser is a cloud service's."""

    def __init__(
        self,
        folder: Path,
        rules: Live,
        *,
        cloud: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._rules, self._cloud, self._sleep = rules, cloud, sleep
        self._limit, self._pauses = ConcurrencyLimit(folder, sleep), RunBackoff(folder)

    @contextmanager
    def take(self, site: str) -> Iterator[None]:
        """Wait for a turn on ``site`` and for a free browser; have both for a block."""
        place = f"site {site}"
        kind, browsers = "own browsers", self._rules.parallel
        if self._cloud:
            kind, browsers = "cloud browsers", self._rules.parallel_cloud
        # The site comes first: whoever waits for one must not keep a browser from other sites.
        # Everybody takes both in this order, so nobody waits in a circle.
        with self._limit.take(place, self._rules.per_site):
            self._wait_out_pause(place)
            with self._limit.take(kind, browsers):
                # Now, too: a worker that is killed does not come to the end of this block.
                self._pauses.start(place, self._rules.pause)
                try:
                    yield
                finally:
                    self._pauses.start(place, self._rules.pause)

    def _wait_out_pause(self, place: str) -> None:
        while pause := self._pauses.pause(place):
            self._sleep(pause)
