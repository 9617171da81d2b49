"""Browsers that somebody else runs: a Chrome with an open debugging port, a Playwright server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Error, Playwright

from .._url import public_part
from ..errors import InfraError, SettingsError
from ..world import World
from .playwright_errors import reason_of

_ADDRESS: Final = re.compile(r"\b(?:wss?|https?)://[^\s'\"<>]+", re.IGNORECASE)
_CONNECT_SECONDS: Final = 30.0


class RemoteBrowser:
    """A Chrome that somebody else started, reached over CDP.

    It is never closed by us, only our contexts are.
    """

    external = True

    def __init__(self, playwright: Playwright, url: str) -> None:
        self._playwright, self._url = playwright, url
        self._browser: Browser | None = None

    def acquire(self, world: World) -> Browser:
        refuse_start_arguments(world, "cdp:...")
        if self._browser is None or not self._browser.is_connected():
            self._browser = connect_over_cdp(self._playwright, self._url)
        return self._browser

    def kill(self) -> None:
        self.release()

    def episode_over(self) -> None:
        """The connection is kept."""

    def release(self) -> None:
        disconnect(self._browser)
        self._browser = None


class ServedBrowser:
    """A browser that a Playwright server starts for this connection, and ends with it."""

    external = True

    def __init__(self, playwright: Playwright, launch_args: Mapping[str, Any], url: str) -> None:
        self._playwright, self._url = playwright, url
        self._launch_options = {_camel_case(name): value for name, value in launch_args.items()}
        self._browser: Browser | None = None

    def acquire(self, world: World) -> Browser:
        refuse_start_arguments(world, "ws://...")
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._connect()
        return self._browser

    def _connect(self) -> Browser:
        headers = {}
        if self._launch_options:
            # The server reads them from this header, in the camel case of Playwright for Node.
            headers["x-playwright-launch-options"] = json.dumps(self._launch_options, default=str)
        try:
            return self._playwright.chromium.connect(
                self._url, headers=headers, timeout=_CONNECT_SECONDS * 1000
            )
        except Error as error:
            if "version mismatch" in error.message.lower():
                raise SettingsError(
                    f"the Playwright server at {public_part(self._url)} is of another version than "
                    "the playwright here; major and minor version have to be the same"
                ) from None
            raise InfraError(
                f"no browser comes from the Playwright server at {public_part(self._url)}: "
                f"{without_addresses(error)}"
            ) from None

    def kill(self) -> None:
        self.release()

    def episode_over(self) -> None:
        """The connection is kept."""

    def release(self) -> None:
        disconnect(self._browser)
        self._browser = None


def connect_over_cdp(playwright: Playwright, url: str) -> Browser:
    """A connection to a running Chrome that leaves alone what others do in it.

    The address is in no error, for it may hold a token.
    """
    try:
        # Playwright's defaults would change colour scheme, focus and downloads of other people's
        # tabs.
        browser = playwright.chromium.connect_over_cdp(
            url, no_defaults=True, timeout=_CONNECT_SECONDS * 1000
        )
    except Error as error:
        raise InfraError(
            f"no browser answers at {public_part(url)}: {without_addresses(error)}"
        ) from None
    for context in browser.contexts:  # where Playwright keeps the tabs of everybody else
        _leave_dialogs_open(context)
    return browser


def disconnect(browser: Browser | None) -> None:
    """End a connection and what was opened through it; one that is gone already is no error."""
    if browser is not None:
        with suppress(Error):
            # If we only connected to the browser, this ends our contexts and the connection, not
            # the browser.
            browser.close()


def refuse_start_arguments(world: World, choice: str) -> None:
    """`SettingsError` if the world needs a browser that is started for it."""
    if world.launch_args():
        raise SettingsError(
            f"the {world.name} world needs a browser that we start ourselves (host names are "
            f"mapped at its start); with --webbench-browser {choice} use --webbench-world live"
        )


def without_addresses(error: Error) -> str:
    """What a Playwright error says, with every address cut down to its origin."""
    return _ADDRESS.sub(lambda found: public_part(found[0]), reason_of(error))


def _leave_dialogs_open(context: BrowserContext) -> None:
    """Playwright dismisses every dialog that nobody listens to, even in other people's tabs."""
    context.on("dialog", lambda _dialog: None)


def _camel_case(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)
