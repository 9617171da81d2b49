"""Starts browsers for a world: one process per worker and world, found on this machine or running elsewhere."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Any, Protocol

from playwright.sync_api import Browser, Error, Playwright

from ..errors import InfraError, SettingsError
from ..world import World
from .find import find_browser, parse_choice
from .session import first_line


class BrowserProvider(Protocol):
    """Where browsers come from."""

    def acquire(self, world: World) -> Browser:
        """A connected browser that lives in ``world``; `InfraError` if it cannot be had."""

    def kill(self) -> None:
        """End a browser that does not answer."""

    def release(self) -> None:
        """The browser is no longer needed."""


class LocalBrowser:
    """A Chromium of our own."""

    def __init__(self, playwright: Playwright, launch_args: dict[str, Any], *, executable: str | None = None) -> None:
        self._playwright = playwright
        self._launch_args = dict(launch_args)
        self._executable = executable
        self._browser: Browser | None = None
        self._pid: int | None = None

    def acquire(self, world: World) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        options = dict(self._launch_args)
        args = [*options.pop("args", []), *world.launch_args()]
        if "channel" not in options and "executable_path" not in options:
            headed = options.get("headless") is False
            bundled = self._playwright.chromium.executable_path
            options["executable_path"] = find_browser(self._executable, bundled, headed=headed).path
        try:
            self._browser = self._playwright.chromium.launch(args=args, **options)
        except Error as error:
            raise InfraError(f"the browser did not start: {error.message}") from error
        self._pid = _process_id(self._browser)
        return self._browser

    def kill(self) -> None:
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        self._browser = None

    def release(self) -> None:
        if self._browser is not None:
            with suppress(Error):
                self._browser.close()
            self._browser = None


class RemoteBrowser:
    """A Chrome that somebody else started, reached over CDP. It is never closed by us, only our contexts are."""

    def __init__(self, playwright: Playwright, url: str) -> None:
        self._playwright, self._url = playwright, url
        self._browser: Browser | None = None

    def acquire(self, world: World) -> Browser:
        if world.launch_args():
            raise SettingsError(
                f"the {world.name} world needs a browser that we start ourselves (host names are mapped at its start); "
                "with --webbench-browser cdp:... use --webbench-world live"
            )
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        try:
            self._browser = self._playwright.chromium.connect_over_cdp(self._url)
        except Error as error:
            raise InfraError(f"no browser answers at {self._url}: {first_line(error)}") from error
        return self._browser

    def kill(self) -> None:
        self.release()

    def release(self) -> None:
        if self._browser is not None:
            with suppress(Error):
                self._browser.close()  # over CDP this only disconnects
            self._browser = None


def browser_provider(playwright: Playwright, launch_args: dict[str, Any], choice: str) -> BrowserProvider:
    """The provider that ``--webbench-browser`` names: ``local``, ``local:/path/to/chrome`` or ``cdp:URL``."""
    kind, rest = parse_choice(choice)
    if kind == "local":
        return LocalBrowser(playwright, launch_args, executable=rest or None)
    return RemoteBrowser(playwright, rest)


def _process_id(browser: Browser) -> int | None:
    session = browser.new_browser_cdp_session()
    try:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    except Error:
        return None
    finally:
        session.detach()
    return next((process["id"] for process in processes if process["type"] == "browser"), None)
