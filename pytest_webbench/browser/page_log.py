"""Which pages were in front during an episode, what they showed, and how each came about.

The browser says when a tab commits a document or changes its address; `scripts/pages_seen.js` in
each document adds what was shown. The cause of a page is the newest input that the recorder saw in
the page before it, so neither an agent nor a page can claim a click that did not happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Page

from .._text import sanitize
from ..evidence.models import HowOpened, PageSeen

MOST_PAGES: Final = 200
MOST_CHARACTERS: Final = 2_000_000
"""Of all texts together; pages seen after that are recorded without their text."""
_LONGEST_ADDRESS: Final = 20_000
_BLANK: Final = ("", "about:blank")
_CAUSES: Final = {
    "click": HowOpened.CLICK,
    "press": HowOpened.CLICK,
    "check": HowOpened.CLICK,
    "drag": HowOpened.CLICK,
    "select": HowOpened.INPUT,
    "type": HowOpened.INPUT,
    "upload": HowOpened.INPUT,
}
"""What an observed action makes of the page that follows. Scrolling and addresses are not input."""
_KINDS: Final = {"back_forward": HowOpened.BACK_FORWARD, "reload": HowOpened.RELOAD}
"""Kinds of navigation that a document reports of itself and that outweigh any input before."""


@dataclass(slots=True)
class _Entry:
    """One address of one document, as far as it is known."""

    tab: int
    url: str
    how: HowOpened
    opener: _Entry | None
    new_tab: bool = False
    document: str = ""
    part: int = 0
    first_of_document: bool = True
    seconds: float = 0.0
    title: str = ""
    text_early: str = ""
    text: str | None = None
    text_left: str | None = None
    in_front: bool = False
    newest_input: str = ""
    download: str | None = None
    number: int = field(default=0, compare=False)

    def is_blank(self) -> bool:
        """Whether it is an empty document; a page may have written something into it."""
        return self.url in _BLANK and not self.text


class PageLog:
    """Collects the pages of one episode's tabs, in the order in which they came to the front."""

    def __init__(self, openers: Mapping[Page, Page]) -> None:
        self._current: dict[Page, _Entry] = {}
        self._seen: list[_Entry] = []
        self._openers = openers
        self._front: Page | None = None
        self.left_out = 0
        """Pages that were in front and are not recorded."""
        self._characters = 0
        self._texts_left_out = False
        self.agent_acts = False
        """Whether pages that come now are the agent's doing; before, they are the start page's."""

    # -- what the browser says ------------------------------------------------

    def committed(self, page: Page, url: str, *, tab: int, by_page: bool, seconds: float) -> None:
        """A tab shows a new document. ``by_page``: some page asked for it, not the address bar."""
        self._show(page, self._entry(page, url, tab=tab, by_page=by_page, seconds=seconds))

    def _entry(self, page: Page, url: str, *, tab: int, by_page: bool, seconds: float) -> _Entry:
        before = self._current.get(page)
        if before is not None and before.is_blank():
            before = None  # the empty document that a tab begins with
        opener = before or self._current.get(self._openers.get(page, page))
        return _Entry(
            tab=tab,
            url=_address(url),
            how=self._how(opener, by_page=by_page),
            opener=opener,
            new_tab=before is None and page in self._openers,
            seconds=seconds,
        )

    def downloaded(
        self, page: Page, url: str, name: str, *, tab: int, by_page: bool, seconds: float
    ) -> None:
        """A tab was to show a PDF, but the browser has saved it: one without a window does so.

        The tab goes on showing what it did.
        """
        before = self._current.get(page)
        # A tab that a page has opened for the PDF shows nothing else before it closes.
        opened_for_it = page in self._openers and (before is None or before.is_blank())
        by_page = by_page or opened_for_it
        entry = self._entry(page, url, tab=tab, by_page=by_page, seconds=seconds)
        entry.title = entry.download = sanitize(name)
        self._mark_seen(entry)

    def came_to_front(self, page: Page) -> None:
        """A tab was opened in front, brought to the front, or acted in."""
        self._front = page
        entry = self._current.get(page)
        if entry is not None:
            self._mark_seen(entry)

    def acted(self, page: Page, kind: str) -> None:
        """The recorder saw an input in the page that a tab shows."""
        entry = self._current.get(page)
        if entry is not None and kind in _CAUSES:
            entry.newest_input = kind

    def shows_document(self, page: Page) -> bool:
        """Whether a tab shows something else than the empty document that it begins with."""
        entry = self._current.get(page)
        return entry is not None and entry.url not in _BLANK

    # -- what documents say ---------------------------------------------------

    def reported(self, page: Page, message: dict[str, Any], *, tab: int, seconds: float) -> None:
        """A message of ``scripts/pages_seen.js``."""
        entry = self._current.get(page)
        if entry is None:
            # The tab committed this document before we were connected to it.
            by_page = page in self._openers
            entry = self._entry(page, message["url"], tab=tab, by_page=by_page, seconds=seconds)
            self._show(page, entry)
        if message["event"] == "shown":
            self._shown(page, entry, message, seconds)
        else:
            self._read(message)

    def _shown(self, page: Page, entry: _Entry, message: dict[str, Any], seconds: float) -> None:
        if not entry.document:
            entry.document, entry.part = message["document"], message["part"]
            self._weigh_kind(entry, message["kind"])
            return
        if message["document"] != entry.document or message["part"] <= entry.part:
            return  # of a document that has gone meanwhile
        if self._only_corrects(entry, message):
            entry.part, entry.url = message["part"], _address(message["url"])
            entry.text = None
            return
        moved = _Entry(
            tab=entry.tab,
            url=_address(message["url"]),
            how=self._how(entry, by_page=True),
            opener=entry,
            document=entry.document,
            part=message["part"],
            first_of_document=False,
            seconds=seconds,
        )
        self._weigh_kind(moved, message["kind"])
        self._show(page, moved)

    def _only_corrects(self, entry: _Entry, message: dict[str, Any]) -> bool:
        """Whether a page puts its own address right before anybody has done anything in it."""
        untouched = not entry.newest_input and (entry.text is None or not entry.in_front)
        return bool(message["kind"] == "replace" and untouched)

    def _weigh_kind(self, entry: _Entry, kind: str) -> None:
        if self.agent_acts and kind in _KINDS:
            entry.how = _KINDS[kind]

    def _read(self, message: dict[str, Any]) -> None:
        place = (message["document"], message["part"])
        for entry in reversed([*self._seen, *self._current.values()]):
            if (entry.document, entry.part) == place:
                self._note_text(entry, message)
                return

    def _note_text(self, entry: _Entry, message: dict[str, Any]) -> None:
        text = sanitize(message["text"])
        if message["event"] == "early":
            entry.text_early = entry.text_early or text
            return
        if self._characters + len(text) > MOST_CHARACTERS:
            self._texts_left_out = True
            return
        self._characters += len(text)
        entry.title = sanitize(message["title"])
        if entry.text is None or entry.is_blank():
            entry.text = text
            if self._front is not None and entry is self._current.get(self._front):
                self._mark_seen(entry)
        else:
            entry.text_left = text

    # -- keeping --------------------------------------------------------------

    def _how(self, opener: _Entry | None, *, by_page: bool) -> HowOpened:
        if not self.agent_acts:
            return HowOpened.START
        if not by_page:
            return HowOpened.TYPED
        if opener is None or not opener.newest_input:
            return HowOpened.SCRIPT
        return _CAUSES[opener.newest_input]

    def _show(self, page: Page, entry: _Entry) -> None:
        self._current[page] = entry
        if self._front in (None, page):
            self._front = page
            self._mark_seen(entry)

    def _mark_seen(self, entry: _Entry) -> None:
        if entry.in_front or entry.is_blank():
            return
        if len(self._seen) >= MOST_PAGES:
            self.left_out += 1
            return
        entry.in_front = True
        entry.number = len(self._seen) + 1
        self._seen.append(entry)

    # -- the record -----------------------------------------------------------

    def pages(self, final: Page | None, delivered: frozenset[str] | None) -> tuple[PageSeen, ...]:
        """Every page that was in front, oldest first.

        ``final`` is the tab that is judged. ``delivered`` holds the addresses of documents that
        the world's server has sent; None where the world cannot know.
        """
        judged = self._current.get(final) if final is not None else None
        return tuple(_record(entry, judged, delivered) for entry in self._seen)

    def gaps(self) -> list[str]:
        """What was not recorded."""
        gaps = []
        if self.left_out:
            gaps.append(f"{self.left_out} pages seen after the first {MOST_PAGES} were left out")
        if self._texts_left_out:
            gaps.append("texts of some pages seen were left out: too much text in all")
        return gaps


def _record(entry: _Entry, judged: _Entry | None, delivered: frozenset[str] | None) -> PageSeen:
    served = None
    if delivered is not None and entry.first_of_document:
        served = entry.how is HowOpened.START or entry.url.partition("#")[0] in delivered
    return PageSeen(
        number=entry.number,
        tab=entry.tab,
        url=entry.url,
        title=entry.title,
        text_early=entry.text_early,
        text=entry.text or "",
        text_left=entry.text_left,
        how=entry.how,
        opened_from=_nearest_seen(entry.opener),
        new_tab=entry.new_tab,
        same_document=not entry.first_of_document,
        served=served,
        final=entry is judged,
        download=entry.download,
        seconds=round(entry.seconds, 3),
    )


def _nearest_seen(entry: _Entry | None) -> int | None:
    while entry is not None and not entry.number:
        entry = entry.opener
    return entry.number if entry is not None else None


def _address(url: str) -> str:
    return sanitize(url[:_LONGEST_ADDRESS])
