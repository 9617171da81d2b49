"""Waits for what an action has started: requests, documents, tabs, changes. No fixed pauses."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Error, Page, Request

from .observed_frame import ObservedFrame

LONGEST_DOCUMENT_SECONDS: Final = 15.0
_LOAD_SECONDS: Final = 5.0
_TAB_SECONDS: Final = 10.0
_AWAITED: Final = frozenset({"document", "fetch", "xhr"})


class Patience(NamedTuple):
    """How long a page is given to come to rest once its document is there."""

    quiet_milliseconds: int
    """For two frames in a row without a change."""
    fetch_seconds: float
    """For requests that the action started, counted from the action."""


TO_LOOK: Final = Patience(700, 2.3)
"""For whoever looks at the page next: all that the action started should be seen."""
TO_GO_ON: Final = Patience(0, 0.0)
"""For a script, which waits for the element that its next step names."""


class Requests:
    """Requests of a page that are under way: other documents, and its site's own fetches.

    Other sites' requests are mostly advertisements and counters, which never end.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._site = page, _site(page.url)
        self.documents: set[Request] = set()
        self.fetches: set[Request] = set()
        self.opened = 0
        """How many other documents of the tab were asked for."""

    def began(self, request: Request) -> None:
        """A request was sent."""
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self.documents.add(request)
            self.opened += 1
        elif request.resource_type in _AWAITED and _site(request.url) == self._site:
            self.fetches.add(request)

    def ended(self, request: Request) -> None:
        """A request has got its answer, or never will."""
        self.documents.discard(request)
        self.fetches.discard(request)

    def pending(self, seconds: float, patience: Patience) -> bool:
        """Whether, ``seconds`` after the action, something is under way that is waited for."""
        if self.documents and seconds < LONGEST_DOCUMENT_SECONDS:
            return True
        return bool(self.fetches) and seconds < patience.fetch_seconds


def _site(url: str) -> str:
    """The last two labels of the host: near enough to tell a site's own requests from others."""
    return ".".join((urlsplit(url).hostname or "").rsplit(".", 2)[-2:])


@contextmanager
def requests_of(page: Page) -> Iterator[Requests]:
    """Watches the page's requests from now on."""
    watched = Requests(page)
    page.on("request", watched.began)
    page.on("requestfinished", watched.ended)
    page.on("requestfailed", watched.ended)
    try:
        yield watched
    finally:
        page.remove_listener("request", watched.began)
        page.remove_listener("requestfinished", watched.ended)
        page.remove_listener("requestfailed", watched.ended)


@contextmanager
def new_tabs(page: Page, session: CDPSession) -> Iterator[None]:
    """If what is done opens a tab, waits until that is there.

    The browser announces a tab some time before Playwright knows of it.
    """
    announced: list[dict[str, Any]] = []

    def window_opens(event: dict[str, Any]) -> None:
        announced.append(event)

    session.on("Page.windowOpen", window_opens)
    before = len(page.context.pages)
    try:
        yield
        with suppress(Error):  # what was done may have closed the tab
            session.send("Page.getFrameTree")  # events up to now come before this answer
    finally:
        session.remove_listener("Page.windowOpen", window_opens)
    if announced and len(page.context.pages) == before:
        page.context.wait_for_event("page", timeout=_TAB_SECONDS * 1000)


class _State(NamedTuple):
    """What a document says of itself once it is quiet."""

    closing: bool = False
    """The page has asked to be closed; Playwright does not know that yet."""
    ready: str = "complete"
    """``document.readyState``"""


def settle(
    frame: ObservedFrame,
    requests: Requests | None = None,
    *,
    expect: float = 0.0,
    patience: Patience = TO_LOOK,
) -> None:
    """Waits until documents and fetches under way have come and two frames in a row show no change.

    ``frame`` is the main frame of a tab, ``requests`` what is watched there since the action.
    ``expect`` is how many seconds to wait for a first change, say of suggestions that come a moment
    after typing. A page that never rests is left after a while; a closed one at once.
    """
    page, begin = frame.page, time.monotonic()
    loads_awaited = -1
    while not page.is_closed():
        state = _when_quiet(frame, patience, expect)
        expect = 0.0
        if state.closing:
            with suppress(Error):
                page.wait_for_event("close", timeout=_TAB_SECONDS * 1000)
            return
        if requests is not None and requests.pending(time.monotonic() - begin, patience):
            continue
        opened = 0 if requests is None else requests.opened
        # Handlers are often attached on load; but a page that was open before may never load.
        unfinished = state.ready == "loading" or (opened > 0 and state.ready != "complete")
        # Once per document: a page whose images never arrive would be waited for again and again.
        if not unfinished or loads_awaited == opened:
            return
        loaded(page)
        loads_awaited = opened


def _when_quiet(frame: ObservedFrame, patience: Patience, expect: float) -> _State:
    try:
        return _State(**frame.call("quiet", patience.quiet_milliseconds, round(expect * 1000)))
    except Error:  # the document went away, which is just what is waited for
        return _State()


def loaded(page: Page) -> None:
    """Waits for the present document, and somewhat less for its images."""
    with suppress(Error):
        page.wait_for_load_state("domcontentloaded", timeout=LONGEST_DOCUMENT_SECONDS * 1000)
        page.wait_for_load_state("load", timeout=_LOAD_SECONDS * 1000)
