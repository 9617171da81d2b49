"""Keeps pages on the web: no files, no pages of the browser's own, no debugging ports.

Files and debugging ports are refused before anything of them is read, in every tab, frame and
context of a browser that we start, whoever asks. A connection to the browser intercepts these
addresses only, so other requests take no longer. The browser's own pages and ``view-source:`` are
not requests; they hold nothing of ours, and a tab that shows one is led to a blank page.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Error

from .._text import sanitize
from .cdp_session import CdpSession
from .dedicated import PORT_FILE, PROFILE_PREFIX

_WEB: Final = frozenset({"http", "https", "blob", "data"})
_BLANK: Final = ("about:blank", "about:srcdoc", "chrome://newtab/", "chrome://new-tab-page/")
ERROR_PAGE: Final = "chrome-error:"
"""What a tab shows in place of a page that could not be opened."""
_SOURCE: Final = "view-source:"
_VIEWER: Final = "chrome-extension:"
"""The browser shows PDF documents in frames of such addresses."""
_OWN: Final = ("file:", "filesystem:", _SOURCE, "devtools:", "chrome", "about:")
"""How addresses begin that a browser opens itself. Others (``mailto:``) are for other programs."""
_LOOPBACK: Final = ("127.*", "localhost", "localhost.", "[::*", "0.0.0.0")
_MOST: Final = 100
_LONGEST: Final = 500


def is_on_the_web(url: str) -> bool:
    """Whether a tab may show ``url``: the web, what pages made themselves, nothing, an error."""
    if url == "" or url.startswith((*_BLANK, ERROR_PAGE)):
        return True
    return url.partition(":")[0].lower() in _WEB


def is_refused(url: str) -> bool:
    """Whether somebody who opens ``url`` looks for what is not on the web."""
    lowered = url.lower()
    return (
        lowered.startswith(_OWN) and not lowered.startswith(_VIEWER) and not is_on_the_web(lowered)
    )


def debugging_ports() -> set[int]:
    """Ports of loopback where browsers of command agents listen now, ours and other workers'."""
    ports = set()
    for file in Path(tempfile.gettempdir()).glob(f"{PROFILE_PREFIX}*/{PORT_FILE}"):
        with suppress(OSError, ValueError):
            ports.add(int(file.read_text(encoding="ascii").split()[0]))
    return ports


class Boundary:
    """Guards the pages of one episode. ``browser`` is None if somebody else runs it."""

    def __init__(self, browser: Browser | None) -> None:
        self.tried: list[str] = []
        """Addresses that are not on the web and that somebody tried to open, each once."""
        self._session: CDPSession | None = None
        if browser is not None:
            self._session = session = browser.new_browser_cdp_session()
            session.on("Fetch.requestPaused", lambda event: self._paused(session, event))
            session.send("Fetch.enable", {"patterns": _patterns()})

    def close(self) -> None:
        """Stop to intercept; the next episode begins anew."""
        if self._session is not None:
            with suppress(Error):
                self._session.detach()

    def started(self, url: str) -> None:
        """Some frame is about to open ``url``."""
        if is_refused(url):
            self._note(url)

    def shown(self, cdp: CdpSession, url: str, *, typed: bool) -> None:
        """A tab shows ``url``, or what that stands for; lead the tab away if it may not."""
        with suppress(Error):  # the tab may close, or go on, meanwhile
            for address in _in_history(cdp) if typed else ():
                self.started(address)
                if address.startswith(_SOURCE):
                    url = address
            if not is_on_the_web(url):
                self._note(url)
                cdp.session.send("Page.navigate", {"url": "about:blank"})

    def _paused(self, session: CDPSession, event: dict[str, Any]) -> None:
        request, url = {"requestId": event["requestId"]}, event["request"]["url"]
        with suppress(Error):  # whoever asked for it may have gone
            if is_on_the_web(url) and urlsplit(url).port not in debugging_ports():
                session.send("Fetch.continueRequest", request)
                return
            self._note(url)
            session.send("Fetch.failRequest", {**request, "errorReason": "AccessDenied"})

    def _note(self, url: str) -> None:
        shown = sanitize(url[:_LONGEST])
        if shown not in self.tried and len(self.tried) < _MOST:
            self.tried.append(shown)


def _patterns() -> list[dict[str, str]]:
    files = [{"urlPattern": "file:*"}, {"urlPattern": "filesystem:*"}]
    loopback = [
        {"urlPattern": f"http://{host}:*", "resourceType": "Document"} for host in _LOOPBACK
    ]
    return [*files, *loopback]


def _in_history(cdp: CdpSession) -> tuple[str, str]:
    """What a tab shows by its history: the address, also that of a page that could not be opened,
    and what was typed to get there, where alone ``view-source:`` is seen.
    """
    index, entries = cdp.history()
    entry = entries[index]
    return entry["url"], entry.get("userTypedURL", "")
