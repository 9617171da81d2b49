"""Playwright's driver, a Node process: noticed when it is lost, and started anew."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Final

from playwright.sync_api import Playwright, sync_playwright

_LOST: Final = "Connection closed while reading from the driver"


class Driver:
    """Holds the Playwright in use. ``given`` is started and stopped by somebody else."""

    def __init__(self, given: Playwright) -> None:
        self.playwright = given
        self._own = False
        # asyncio logs this when the lost connection is collected, whoever has dealt with it.
        logging.getLogger("asyncio").addFilter(_is_news)

    def answers(self) -> bool:
        """Whether the driver can be used; the caller limits the time that this may take."""
        try:
            self.playwright.request.new_context().dispose()
        except Exception:  # noqa: BLE001 - a broken event loop raises anything
            return False
        return True

    def renew(self) -> None:
        """Start another driver; whatever belongs to the one before is lost."""
        with suppress(Exception):
            self.playwright.stop()
        self.playwright = sync_playwright().start()
        self._own = True

    def close(self) -> None:
        """Stop a driver that was started here."""
        if self._own:
            with suppress(Exception):
                self.playwright.stop()


def _is_news(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return _LOST not in str(error)
