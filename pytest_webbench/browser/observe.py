"""Looks at a tab as an agent sees it: one walk through the page by a script in an isolated world of ours.

Nothing is added to the page and nothing in it is changed. Frames of other origins are asked one by one.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Error, Page

from ..errors import StepError
from ..evidence.scrub import scrub
from .lens import Lens
from .marks import with_marks
from .observation import Choice, Element, Mode, Observation, Panel
from .session import first_line

_HTML_CHARACTERS: Final = 30_000
_DEEPEST_FRAME: Final = 4
_FRAME: Final = "\ufeff"
"""Around the number of a frame, where that stands in text or HTML; taken out of all texts of the page."""
_PICTURE_SECONDS: Final = 5.0


class Observer:
    """Looks at the tabs of one episode. Refs that it gives name the same element as long as its document lives."""

    def __init__(
        self, *, elements: int = 250, text: int = 6000, marks: bool = False, viewport_only: bool = False
    ) -> None:
        self.elements, self.text = elements, text
        self.marks, self.viewport_only = marks, viewport_only
        self._next = 1
        self._sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
        self._fronts: WeakKeyDictionary[Page, Lens] = WeakKeyDictionary()
        self._earlier: WeakKeyDictionary[Page, tuple[str, bool]] = WeakKeyDictionary()
        self._frames: dict[str, Lens] = {}
        """Frames of other origins, by the ref of the element that holds them."""
        self._lenses: dict[str, Lens] = {}
        """Which frame a ref belongs to."""

    def look(self, page: Page, *, mode: Mode = "axtree") -> Observation:
        """What ``page`` shows now; `StepError` if it is closed or does not hold still long enough."""
        if page.is_closed():
            raise StepError("the tab is closed")
        for attempt in range(5):
            try:
                return self._look(page, mode)
            except Error as error:  # the document went away under the look
                self._fronts.pop(page, None)
                if attempt == 4 or page.is_closed():
                    raise StepError(f"cannot look at {page.url[:200]}: {first_line(error)}") from error
            _settled(page)
        raise AssertionError("the last attempt returns or raises")

    def _look(self, page: Page, mode: Mode) -> Observation:
        seen = self._seen(self.lens(page), html=mode == "html")
        observation = replace(
            told(seen, elements=self.elements, text=self.text),
            tabs=tuple(seen["title"] if tab is page else self._title(tab) for tab in page.context.pages),
            tab=page.context.pages.index(page),
            can_go_back=self._can_go_back(page, seen["history"]),
        )
        if mode == "visual":
            picture = page.screenshot(type="jpeg", quality=70, caret="initial", timeout=_PICTURE_SECONDS * 1000)
            observation = replace(observation, picture=with_marks(picture, observation) if self.marks else picture)
        return replace(observation, fingerprint=fingerprint(observation))

    def _seen(self, lens: Lens, *, html: bool, clip: list[float] | None = None, depth: int = 0) -> dict[str, Any]:
        wanted = {
            "elements": self.elements,
            "text": self.text,
            "html": _HTML_CHARACTERS if html else 0,
            "viewportOnly": self.viewport_only,
            "next": self._next,
            "clip": clip,
        }
        seen: dict[str, Any] = lens.call("look", wanted)
        self._next = seen["next"]
        for one in (*seen["elements"], *seen["panels"]):
            if "ref" in one:
                self._lenses[one["ref"]] = lens
        inner = [
            self._within(lens, place, seen, html=html, depth=depth + 1) if depth < _DEEPEST_FRAME else None
            for place in seen["frames"]
        ]
        if inner:
            _splice(seen, inner)
        return seen

    def _within(
        self, lens: Lens, place: dict[str, Any], outer: dict[str, Any], *, html: bool, depth: int
    ) -> dict[str, Any] | None:
        """What a frame of another origin shows, in coordinates of the page."""
        width, height = outer["viewport"]
        x, y = place["x"], place["y"]
        clip = [max(0, -x), max(0, -y), min(place["width"], width - x), min(place["height"], height - y)]
        seen = self._seen_within(lens, place["ref"], html=html, clip=clip, depth=depth)
        if seen is None:
            return None
        for one in seen["elements"]:
            left, top, *size = one["box"]
            one["box"] = [round(left + x, 1), round(top + y, 1), *size]
            one["frame"] = one.get("frame") or seen["url"][:500]
            if place["over"] and one.get("in_view", True):
                one.update(in_view=False, covered=True)
        return seen

    def _seen_within(self, lens: Lens, ref: str, *, html: bool, clip: list[float], depth: int) -> dict[str, Any] | None:
        """By the connection that served before; by a new one if the frame has moved to another process."""
        for known in (True, False):
            frame = self._frames.get(ref) if known else lens.within(ref)
            if frame is None:
                continue
            self._frames[ref] = frame
            with suppress(Error):  # it may go elsewhere meanwhile
                return self._seen(frame, html=html, clip=clip, depth=depth)
        self._frames.pop(ref, None)
        return None

    # -- Shared with Hands ---------------------------------------------------------------------------------------

    def session(self, page: Page) -> CDPSession:
        """Our connection to a tab."""
        if page not in self._sessions:
            self._sessions[page] = page.context.new_cdp_session(page)
            self._sessions[page].send("Page.enable")
        return self._sessions[page]

    def lens(self, page: Page) -> Lens:
        """The page's main frame."""
        if page not in self._fronts:
            session = self.session(page)
            frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            self._fronts[page] = Lens(page, session, frame)
        return self._fronts[page]

    def lens_of(self, ref: str, page: Page) -> Lens:
        """The frame that holds an element; `StepError` if no such element was seen in this tab."""
        lens = self._lenses.get(ref)
        if lens is None:
            raise StepError(f"there is no element {ref}; take a ref from the observation")
        if lens.page is not page:
            raise StepError(f"{ref} is an element of another tab; switch to that tab first")
        return lens

    def goes_back(self, page: Page) -> bool:
        """Whether the tab has an earlier page of its own."""
        answer = self.session(page).send("Page.getNavigationHistory")
        index = answer["currentIndex"]
        return bool(index > 0 and answer["entries"][index - 1]["url"] != "about:blank")

    def _can_go_back(self, page: Page, entry: str) -> bool:
        """The browser is asked once for each entry of the history; the tab that opened this one counts too."""
        if self._earlier.get(page, ("", False))[0] != entry:
            self._earlier[page] = (entry, self.goes_back(page) or page.opener() is not None)
        return self._earlier[page][1]

    def _title(self, page: Page) -> str:
        """As the browser knows it: a tab that hangs cannot be asked."""
        try:
            return scrub(str(self.session(page).send("Target.getTargetInfo")["targetInfo"]["title"])[:300])
        except Error:
            return ""


def _settled(page: Page) -> None:
    with suppress(Error):
        page.wait_for_load_state("domcontentloaded", timeout=5000)


def told(seen: dict[str, Any], *, elements: int, text: int) -> Observation:
    """What `observer.js` tells of a look, without what only the browser knows: tabs and history."""
    return Observation(
        url=seen["url"],
        title=seen["title"],
        text="\n".join(seen["lines"])[:text],
        elements=tuple(_element(one) for one in seen["elements"][:elements]),
        panels=tuple(Panel(**one) for one in seen["panels"]),
        scrolled=tuple(seen["scrolled"]),
        viewport=tuple(seen["viewport"]),
        left_out=seen["leftOut"] + max(0, len(seen["elements"]) - elements),
        html=seen["html"],
    )


def _element(told: dict[str, Any]) -> Element:
    told["operations"] = tuple(told["operations"])
    told["choices"] = tuple(Choice(**one) for one in told.get("choices", ()))
    told["box"] = tuple(told["box"])
    return Element(**told)


def _splice(seen: dict[str, Any], inner: list[dict[str, Any] | None]) -> None:
    """Put what frames show where they stand."""
    elements: list[dict[str, Any]] = []
    for one in seen["elements"]:
        shown = inner[one["frame"]] if isinstance(one.get("frame"), int) else None
        if shown is not None:
            elements += shown["elements"]
            seen["leftOut"] += shown["leftOut"]
            seen["panels"] += shown["panels"]
        elif not isinstance(one.get("frame"), int):
            elements.append(one)
    lines: list[str] = []
    for line in seen["lines"]:
        if line.startswith(_FRAME):
            shown = inner[int(line.strip(_FRAME))]
            lines += shown["lines"] if shown else []
        else:
            lines.append(line)
    for number, shown in enumerate(inner):
        seen["html"] = seen["html"].replace(f"{_FRAME}{number}{_FRAME}", shown["html"] if shown else "")
    seen["elements"], seen["lines"] = elements, lines


_FACTS: Final = attrgetter(
    "role", "name", "tag", "value", "kind", "checked", "expanded", "selected", "disabled", "required", "focused",
    "href", "in_view", "covered", "frame",
)  # fmt: skip


def fingerprint(observation: Observation) -> str:
    """Digest of what is seen, positions left out."""
    choices = [(choice.value, choice.label, choice.selected) for one in observation.elements for choice in one.choices]
    facts = [_FACTS(element) for element in observation.elements]
    seen = repr((observation.url, observation.title, observation.text, facts, choices))
    return hashlib.blake2b(seen.encode("ascii", "backslashreplace"), digest_size=16).hexdigest()
