"""Starts browsers for a world: one process per worker and world, here or elsewhere."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol

from playwright.sync_api import Browser, Error, Playwright

from .._proxies import without_proxies
from .._worlds import LIVE
from ..errors import InfraError
from ..world import World
from .choice import parse_choice
from .cloud import CloudBrowser, Secret, SessionNotes, load_service
from .context import FreshContext
from .dedicated import dedicated_context
from .find import find_browser
from .remote import RemoteBrowser, ServedBrowser


class BrowserProvider(Protocol):
    """Where browsers come from."""

    external: bool
    """Whether somebody else runs the browser and may end it at any time."""

    def acquire(self, world: World) -> Browser:
        """A connected browser that lives in ``world``; `InfraError` if it cannot be had."""

    def kill(self) -> None:
        """End a browser that does not answer."""

    def episode_over(self) -> None:
        """An episode has ended and all that is wanted of its pages is stored.

        Another episode may follow.
        """

    def release(self) -> None:
        """The browser is no longer needed."""


class LocalBrowser:
    """A Chromium of our own."""

    external = False

    def __init__(
        self, playwright: Playwright, launch_args: dict[str, Any], *, executable: str | None = None
    ) -> None:
        self._playwright = playwright
        self._launch_args = dict(launch_args)
        self._executable = executable
        self._browser: Browser | None = None
        self._pid: int | None = None

    def acquire(self, world: World) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        try:
            self._browser = self._playwright.chromium.launch(**self._launch_options(world))
        except Error as error:
            raise InfraError(f"the browser did not start: {error.message}") from error
        self._pid = _process_id(self._browser)
        return self._browser

    def dedicated(self, world: World, context_args: dict[str, Any]) -> FreshContext:
        """A browser process for one episode, which CDP clients can reach."""
        return dedicated_context(
            self._playwright.chromium, self._launch_options(world), context_args
        )

    def _launch_options(self, world: World) -> dict[str, Any]:
        options = dict(self._launch_args)
        options["args"] = [*options.get("args", []), *world.launch_args(), *_guards(world)]
        if world.name != LIVE:
            options.pop("proxy", None)
            # Chromium's headless shell asks the environment, whatever its arguments say.
            options["env"] = without_proxies(options.get("env") or os.environ)
        if "channel" not in options and "executable_path" not in options:
            headed = options.get("headless") is False
            bundled = self._playwright.chromium.executable_path
            options["executable_path"] = find_browser(self._executable, bundled, headed=headed).path
        return options

    def kill(self) -> None:
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        self._browser = None

    def episode_over(self) -> None:
        """The next episode gets a context of its own in the same browser."""

    def release(self) -> None:
        if self._browser is not None:
            with suppress(Error):
                self._browser.close()
            self._browser = None


def browser_provider(
    playwright: Playwright,
    launch_args: dict[str, Any],
    choice: str,
    *,
    notes: SessionNotes | None = None,
    secret: Secret = lambda _name: None,
) -> BrowserProvider:
    """The provider that ``--webbench-browser`` names, see `parse_choice`.

    A service needs ``notes`` and ``secret``.
    """
    kind, rest = parse_choice(choice)
    if kind == "local":
        return LocalBrowser(playwright, launch_args, executable=rest or None)
    if kind == "cdp":
        return RemoteBrowser(playwright, rest)
    if kind == "server":
        return ServedBrowser(playwright, launch_args, rest)
    assert notes is not None, "sessions of a service are noted before use"
    return CloudBrowser(playwright, rest, load_service(rest, secret), notes)


def _guards(world: World) -> Iterator[str]:
    """What keeps a browser in a world that is on this machine."""
    if world.name != LIVE:
        yield "--no-proxy-server"
    if world.context_args().get("ignore_https_errors"):
        # Service workers are fetched by the browser, past the settings of a context.
        yield "--ignore-certificate-errors"


def _process_id(browser: Browser) -> int | None:
    # Playwright does not expose the browser's process id.
    session = browser.new_browser_cdp_session()
    try:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    except Error:
        return None
    finally:
        session.detach()
    return next((process["id"] for process in processes if process["type"] == "browser"), None)
