"""A browser that runs already, opened a second time for code that is written with ``async``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Page


@asynccontextmanager
async def async_page(cdp_url: str) -> AsyncIterator[Page]:
    """The first tab of the browser at ``cdp_url``. To leave the block disconnects, no more."""
    # A second Playwright, which only asynchronous agents need.
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(cdp_url)
        yield browser.contexts[0].pages[0]
