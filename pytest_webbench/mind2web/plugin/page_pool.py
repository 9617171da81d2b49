"""What a worker needs to look at recorded pages: a browser and a watchdog."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ...browser.choice import parse_choice
from ...browser.context import named
from ...browser.local import LocalBrowser
from ...episode.watchdog import Watchdog
from ...world import Live
from ..page_reader import PageReader


class PagePool:
    """Recorded pages are loaded in one browser, which is replaced when it is lost."""

    def __init__(self, provider: LocalBrowser) -> None:
        self.watchdog = Watchdog()
        self.browser = ""
        """Name and version of the newest browser."""
        self._provider = provider
        self._reader: PageReader | None = None

    def reader(self) -> PageReader:
        """A reader in a browser that lives."""
        if self._reader is None:
            browser = self._provider.acquire(Live())
            self.browser = named(browser)
            self._reader = PageReader(browser)
        return self._reader

    def lost(self, error: BaseException) -> bool:
        """Whether an error came from the browser: from Playwright, and not from our own code."""
        return type(error).__module__.startswith("playwright")

    def drop(self) -> None:
        """Give up this browser; the next step starts another."""
        self._provider.kill()
        self._reader = None

    def close(self) -> None:
        """End the browser."""
        if self._reader is not None:
            # It may have been lost at the very end, when nothing depends on it any more.
            with suppress(Exception):
                self._reader.close()
        self._provider.release()


def open_page_pool(playwright: Any, launch_args: dict[str, Any], browser: str) -> PagePool:
    """A pool for ``--webbench-browser``: recorded pages need a browser on this machine."""
    _kind, executable = parse_choice(browser)
    return PagePool(LocalBrowser(playwright, launch_args, executable=executable or None))
