"""A browser context for one episode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext


class FreshContext(NamedTuple):
    """A context that nobody has used yet, and what has to be known of its browser."""

    context: BrowserContext
    args: dict[str, Any]
    """What it was made with."""
    kill_browser: Callable[[], None] = lambda: None
    """Ends the browser's process, whatever it is doing."""
    cdp_url: str | None = None
    """Where CDP clients reach the browser; it is then this episode's own and ends with it."""
    socket_url: str = ""
    """The WebSocket behind that address."""
    external: bool = False
    """Somebody else runs the browser and may end it at any time, even in good order."""


def named(browser: Browser) -> str:
    """Name and version of a browser, such as ``chromium 142.0.7444.59``."""
    return f"{browser.browser_type.name} {browser.version}"


def fresh_context(
    browser: Browser,
    context_args: dict[str, Any],
    kill_browser: Callable[[], None] = lambda: None,
    *,
    external: bool = False,
) -> FreshContext:
    """A new context in a browser that other episodes use, too."""
    context = browser.new_context(**context_args)
    return FreshContext(context, context_args, kill_browser, external=external)
