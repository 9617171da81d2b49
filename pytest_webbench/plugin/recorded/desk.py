"""What a worker needs to look at recorded pages: a browser and a watchdog, started with the first step."""

from __future__ import annotations

from contextlib import suppress

from ...browser.local import LocalBrowser
from ...episode.watchdog import Watchdog
from ...mind2web.look import Reader
from ...world import Live


class Desk:
    """Where recorded pages are looked at; a browser that is lost is replaced."""

    def __init__(self, provider: LocalBrowser) -> None:
        self.watchdog = Watchdog()
        self._provider = provider
        self._reader: Reader | None = None

    def reader(self) -> Reader:
        """A reader in a browser that lives."""
        if self._reader is None:
            self._reader = Reader(self._provider.acquire(Live()))
        return self._reader

    def lost(self, error: BaseException) -> bool:
        """Whether an error came from the browser and not from us."""
        return type(error).__module__.startswith("playwright")

    def drop(self) -> None:
        """Give up this browser; the next step starts another."""
        self._provider.kill()
        self._reader = None

    def close(self) -> None:
        """End the browser."""
        if self._reader is not None:
            with suppress(Exception):
                self._reader.close()
        self._provider.release()
