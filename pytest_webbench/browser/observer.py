"""Looks at a tab as an agent sees it: one walk through the page by a script in an isolated world.

Nothing is added to the page and nothing in it is changed. Frames of other origins are asked one by
one, for no script reaches into them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from playwright.sync_api import Error, Page

from .._text import sanitize
from ..errors import StepError
from .cdp_session import CdpSession
from .observation import Mode, Observation
from .observation_parser import fingerprint, insert_frames, parse_observation
from .observed_frame import ObservedFrame
from .playwright_errors import reason_of
from .set_of_marks import with_marks

_HTML_CHARACTERS: Final = 30_000
# Frames may be nested without end.
_DEEPEST_FRAME: Final = 4
_ATTEMPTS: Final = 5
_PICTURE_SECONDS: Final = 5.0
_DOCUMENT_SECONDS: Final = 5.0
_LONGEST_TITLE: Final = 300
_LONGEST_ADDRESS: Final = 500


class Observer:
    """Looks at the tabs of one episode.

    A ref that it gives names the same element as long as the element's document lives.
    ``elements`` and ``text`` are the most elements and characters that one look gives, ``marks``
    draws refs on pictures, ``viewport_only`` leaves out what has to be scrolled to.
    """

    def __init__(
        self,
        *,
        elements: int = 250,
        text: int = 6000,
        marks: bool = False,
        viewport_only: bool = False,
    ) -> None:
        self.elements, self.text = elements, text
        self.marks, self.viewport_only = marks, viewport_only
        self._next = 1
        self._sessions: WeakKeyDictionary[Page, CdpSession] = WeakKeyDictionary()
        self._main_frames: WeakKeyDictionary[Page, ObservedFrame] = WeakKeyDictionary()
        self._earlier: WeakKeyDictionary[Page, tuple[str, bool]] = WeakKeyDictionary()
        self._foreign: dict[str, ObservedFrame] = {}
        """Frames of other origins, by the ref of the element that holds them."""
        self._frame_of: dict[str, ObservedFrame] = {}
        """Which frame a ref belongs to."""

    def look(self, page: Page, *, mode: Mode = "axtree") -> Observation:
        """What ``page`` shows now.

        `StepError` if it is closed or does not hold still long enough.
        """
        if page.is_closed():
            raise StepError("the tab is closed")
        for attempt in range(_ATTEMPTS):
            try:
                return self._look(page, mode)
            except Error as error:  # the document went away under the look
                if attempt == _ATTEMPTS - 1 or page.is_closed():
                    raise StepError(
                        f"cannot look at {page.url[:200]}: {reason_of(error)}"
                    ) from error
            _wait_for_document(page)
        raise AssertionError("the last attempt returns or raises")

    def _look(self, page: Page, mode: Mode) -> Observation:
        seen = self._see(self.frame(page), html=mode == "html")
        tabs = page.context.pages
        observation = replace(
            parse_observation(seen, elements=self.elements, text=self.text),
            tabs=self._titles(tabs, page, seen["title"]),
            tab=tabs.index(page),
            can_go_back=self._can_go_back(page, seen["history"]),
        )
        if mode == "visual":
            observation = replace(observation, picture=self._picture(page, observation))
        return replace(observation, fingerprint=fingerprint(observation))

    def _picture(self, page: Page, observation: Observation) -> bytes:
        # To hide the caret, Playwright would add a style sheet that the page can notice.
        picture = page.screenshot(
            type="jpeg", quality=70, caret="initial", timeout=_PICTURE_SECONDS * 1000
        )
        return with_marks(picture, observation) if self.marks else picture

    # -- frames --------------------------------------------------------------------------------

    def _see(
        self,
        frame: ObservedFrame,
        *,
        html: bool,
        clip: Sequence[float] | None = None,
        depth: int = 0,
    ) -> dict[str, Any]:
        """What a frame shows, the frames in it included; ``clip`` is the part of it in view."""
        wanted = {
            "elements": self.elements,
            "text": self.text,
            "html": _HTML_CHARACTERS if html else 0,
            "viewportOnly": self.viewport_only,
            # Refs are counted over all frames and tabs, so that none is given twice.
            "next": self._next,
            "clip": clip,
        }
        seen: dict[str, Any] = frame.call("look", wanted)
        self._next = seen["next"]
        for fields in (*seen["elements"], *seen["panels"]):
            if "ref" in fields:
                self._frame_of[fields["ref"]] = frame
        inner: list[dict[str, Any] | None] = []
        for place in seen["frames"]:
            deep = depth >= _DEEPEST_FRAME
            inner.append(
                None if deep else self._see_foreign(frame, place, seen, html=html, depth=depth + 1)
            )
        if inner:
            insert_frames(seen, inner)
        return seen

    def _see_foreign(
        self,
        outer: ObservedFrame,
        place: dict[str, Any],
        around: dict[str, Any],
        *,
        html: bool,
        depth: int,
    ) -> dict[str, Any] | None:
        """What a frame of another origin shows, in coordinates of the frame around it."""
        x, y = place["x"], place["y"]
        width, height = around["viewport"]
        clip = (
            max(0, -x),
            max(0, -y),
            min(place["width"], width - x),
            min(place["height"], height - y),
        )
        for frame in self._connections(outer, place["ref"]):
            with suppress(Error):  # it may go elsewhere meanwhile
                seen = self._see(frame, html=html, clip=clip, depth=depth)
                _shift_elements(seen, place)
                return seen
        self._foreign.pop(place["ref"], None)
        return None

    def _connections(self, outer: ObservedFrame, ref: str) -> Iterator[ObservedFrame]:
        """The connection that served before, then a new one.

        A frame may have moved to another process.
        """
        if ref in self._foreign:
            yield self._foreign[ref]
        frame = outer.within(ref)
        if frame is not None:
            self._foreign[ref] = frame
            yield frame

    # -- what performers of actions share --------------------------------------------------------

    def cdp(self, page: Page) -> CdpSession:
        """Our connection to a tab; it hears the events of the domain ``Page``."""
        if page not in self._sessions:
            self._sessions[page] = CdpSession(page)
            self._sessions[page].session.send("Page.enable")
        return self._sessions[page]

    def frame(self, page: Page) -> ObservedFrame:
        """The page's main frame."""
        if page not in self._main_frames:
            self._main_frames[page] = ObservedFrame.of_page(page, self.cdp(page).session)
        return self._main_frames[page]

    def frame_of(self, ref: str, page: Page) -> ObservedFrame:
        """The frame that holds an element; `StepError` if no such element was seen in this tab."""
        frame = self._frame_of.get(ref)
        if frame is None:
            raise StepError(f"there is no element {ref}; take a ref from the observation")
        if frame.page is not page:
            raise StepError(f"{ref} is an element of another tab; switch to that tab first")
        return frame

    def goes_back(self, page: Page) -> bool:
        """Whether the tab has an earlier page of its own."""
        index, entries = self.cdp(page).history()
        # Every tab begins with an empty document, which is no page to go back to.
        return index > 0 and entries[index - 1]["url"] != "about:blank"

    def _can_go_back(self, page: Page, entry: str) -> bool:
        """The browser is asked once for each entry of the history.

        The tab that opened this one counts, too.
        """
        if self._earlier.get(page, ("", False))[0] != entry:
            self._earlier[page] = (entry, self.goes_back(page) or page.opener() is not None)
        return self._earlier[page][1]

    def _titles(self, tabs: Sequence[Page], page: Page, title: str) -> tuple[str, ...]:
        return tuple(title if tab is page else self._title(tab) for tab in tabs)

    def _title(self, page: Page) -> str:
        try:
            return sanitize(self.cdp(page).title()[:_LONGEST_TITLE])
        except Error:
            return ""


def _shift_elements(seen: dict[str, Any], place: dict[str, Any]) -> None:
    """From coordinates of a frame to those of the frame around it, where it is at ``place``."""
    for fields in seen["elements"]:
        left, top, *size = fields["box"]
        fields["box"] = [round(left + place["x"], 1), round(top + place["y"], 1), *size]
        fields["frame"] = fields.get("frame") or seen["url"][:_LONGEST_ADDRESS]
        if place["over"] and fields.get("in_view", True):
            fields.update(in_view=False, covered=True)


def _wait_for_document(page: Page) -> None:
    with suppress(Error):
        page.wait_for_load_state("domcontentloaded", timeout=_DOCUMENT_SECONDS * 1000)
