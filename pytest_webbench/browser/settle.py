"""Waits for what an action has started, without fixed pauses: requests, other documents, new tabs, changes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Error, Page, Request

from .lens import Lens

LONGEST_FETCH_SECONDS: Final = 2.3
"""How long requests that the action started are waited for, counted from the action."""
LONGEST_DOCUMENT_SECONDS: Final = 15.0
_LOAD_SECONDS: Final = 5.0
_QUIET_MILLISECONDS: Final = 700
_TAB_SECONDS: Final = 10.0
_AWAITED: Final = frozenset({"document", "fetch", "xhr"})


def _site(url: str) -> str:
    """The last two labels of the host: near enough to tell the site's own requests from those to third parties."""
    return ".".join((urlsplit(url).hostname or "").rsplit(".", 2)[-2:])


class Requests:
    """Requests of a page that are under way: other documents, and its site's own fetches."""

    def __init__(self, page: Page) -> None:
        self._page, self._site = page, _site(page.url)
        self.documents: set[Request] = set()
        self.fetches: set[Request] = set()

    def began(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self.documents.add(request)
        elif request.resource_type in _AWAITED and _site(request.url) == self._site:
            self.fetches.add(request)

    def ended(self, request: Request) -> None:
        self.documents.discard(request)
        self.fetches.discard(request)


@contextmanager
def requests_of(page: Page) -> Iterator[Requests]:
    """Watches the page's requests from now on."""
    watched = Requests(page)
    listeners = (("request", watched.began), ("requestfinished", watched.ended), ("requestfailed", watched.ended))
    for event, listener in listeners:
        page.on(event, listener)  # type: ignore[call-overload]
    try:
        yield watched
    finally:
        for event, listener in listeners:
            page.remove_listener(event, listener)


@contextmanager
def new_tabs(page: Page, session: CDPSession) -> Iterator[None]:
    """If what is done opens a tab, waits until that is there: the browser announces it some time before."""
    opening: list[object] = []

    def announced(event: object) -> None:
        opening.append(event)

    session.on("Page.windowOpen", announced)
    before = len(page.context.pages)
    try:
        yield
        with suppress(Error):  # what was done may have closed the tab
            session.send("Page.getFrameTree")  # events up to now come before this answer
    finally:
        session.remove_listener("Page.windowOpen", announced)
    if opening and len(page.context.pages) == before:
        page.context.wait_for_event("page", timeout=_TAB_SECONDS * 1000)


def settle(page: Page, lens: Lens, requests: Requests | None = None, *, expect: float = 0.0) -> None:
    """Waits until documents and fetches under way have come and two frames in a row show no change.

    ``expect`` is how many seconds to wait for a first change, say of suggestions that come a moment after typing.
    A page that never rests is left after a while; a closed one at once.
    """
    begin = time.monotonic()
    while not page.is_closed():
        with suppress(Error):  # the document went away: just what is waited for
            if lens.call("quiet", _QUIET_MILLISECONDS, round(expect * 1000))["closing"]:
                page.wait_for_event("close", timeout=_TAB_SECONDS * 1000)
                return
        expect = 0.0
        spent = time.monotonic() - begin
        documents = bool(requests and requests.documents) and spent < LONGEST_DOCUMENT_SECONDS
        fetches = bool(requests and requests.fetches) and spent < LONGEST_FETCH_SECONDS
        if documents or fetches:
            continue
        if not _loading(page):
            return
        loaded(page)


def _loading(page: Page) -> bool:
    with suppress(Error):
        return bool(page.evaluate("document.readyState") == "loading")
    return False


def loaded(page: Page) -> None:
    """Waits for the present document, and somewhat less for its images."""
    with suppress(Error):
        page.wait_for_load_state("domcontentloaded", timeout=LONGEST_DOCUMENT_SECONDS * 1000)
        page.wait_for_load_state("load", timeout=_LOAD_SECONDS * 1000)
