"""Repeats recorded actions: finds each element by its recorded words, acts on it as a user would.

The search uses the very function that gave the element its name when the action was recorded, so
that what Playwright would call it does not matter.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final, NamedTuple

from playwright.sync_api import Error, Page, Position
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from ..evidence.models import ObservedAction, TouchedElement
from .element_locator import ElementLocator, LocatedElement
from .field_formats import fill
from .observed_frame import ObservedFrame
from .observer import Observer
from .performer import Performer
from .repeatable import Hovered, Point, RepeatableAction
from .settle import TO_LOOK, Patience, loaded

FIND_SECONDS: Final = 10.0
# What `scripts/recorder.js` reports for a password of any length.
HIDDEN: Final = "********"
"""What a record holds instead of the content of a password field."""
_DOCUMENT_TIMEOUT: Final = 30_000
_PAUSE_MILLISECONDS: Final = 100
_DEEPEST_FRAME: Final = 4
_TO_THE_END: Final = 100_000
"""CSS pixels: one turn of the wheel that goes as far as the page does."""
_HAS_LINK: Final = """(_observer, url) => {
  const links = [...document.querySelectorAll("a[href],area[href]")];
  return JSON.stringify(links.some((link) => link.href === url));
}"""
_ON_ELEMENT: Final = frozenset({"click", "check", "type", "select", "drag", "upload"})
_HOVER_SECONDS: Final = 1.0
_BESIDE_MILLISECONDS: Final = 2_000
# Elsewhere the place within an element may matter: on a map, a picture, a canvas.
_SAME_EVERYWHERE: Final = frozenset(
    {"a", "button", "input", "select", "textarea", "label", "summary", "option"}
)
_SAME_SIZE: Final = 2.0
"""CSS pixels by which two sizes may differ and be the same."""


class _Match(NamedTuple):
    """The element of one frame that is most like the recorded one."""

    order: list[float]
    """How unlike it is, the most important difference first."""
    ref: str
    frame: ObservedFrame


class Replayer:
    """Repeats recorded actions in the tabs of one episode.

    ``find_seconds`` is how long an element may take to appear, and then to become ready;
    ``patience`` says how long a page is given to come to rest after an action.
    """

    def __init__(self, *, find_seconds: float = FIND_SECONDS, patience: Patience = TO_LOOK) -> None:
        self._find_seconds = find_seconds
        self._observer = Observer()
        self._performer = Performer(self._observer, patience=patience)
        self._locator = ElementLocator(self._observer, seconds=find_seconds)
        self._tabs: list[Page] = []
        """In order of opening, closed ones too: records count them so."""

    def do(self, page: Page, action: ObservedAction) -> None:
        """Repeat ``action``; ``page`` is any tab. `StepError` says why it cannot be done."""
        if action.kind == "navigate" and action.tab == len(self._all_tabs(page)):
            page.context.new_page()  # whoever opens an address may open a tab for it
        tab = self._tab(page, action.tab)
        _refuse_unrecorded(action)
        if _is_on_element(action):
            self._performer.act(
                tab,
                describe_recorded(action),
                locate=lambda: self._locate_target(tab, action),
                use=lambda element: self._use(element, action),
            )
        else:
            self._performer.act(
                tab,
                describe_recorded(action),
                locate=lambda: tab,
                use=lambda found: _use_tab(found, action),
            )
        self._note_tabs(page)

    def hover(self, page: Page, hovered: Hovered) -> None:
        """Put the pointer on an element, where it is there at once; else `StepError`."""
        tab = self._tab(page, hovered.tab)
        title = f'move to {hovered.target.role or hovered.target.tag} "{hovered.target.name}"'
        wanted = _wanted(hovered.target, url=hovered.url)
        self._performer.act(
            tab,
            title,
            locate=lambda: self._locate(tab, wanted, title, seconds=_HOVER_SECONDS),
            use=lambda element: _point_at(element, hovered),
        )

    def traverse(self, page: Page, *, tab: int, url: str, reload: bool) -> None:
        """Go to the entry of a tab's history that has this address, or load it again.

        A tab that is there already, because its page went back by itself, stays.
        """
        found = self._tab(page, tab)
        if found.url != url or reload:
            self._performer.act(
                found,
                f"go back to {url}",
                locate=lambda: found,
                use=lambda there: self._move(there, url),
            )

    def bring_to_front(self, page: Page, *, tab: int) -> None:
        """Show a tab."""
        self._tab(page, tab).bring_to_front()

    def has_link(self, page: Page, *, tab: int, url: str) -> bool:
        """Whether the page that a tab shows has a link to this address."""
        tabs = self._all_tabs(page)
        with suppress(Error, IndexError):
            return bool(self._observer.frame(tabs[tab]).ask(_HAS_LINK, url))
        return False

    def _move(self, page: Page, url: str) -> None:
        cdp = self._observer.cdp(page)
        current, entries = cdp.history()
        places = [place for place, entry in enumerate(entries) if entry["url"] == url]
        if page.url == url:
            page.reload(timeout=_DOCUMENT_TIMEOUT)
        elif places:
            nearest = min(places, key=lambda place: abs(place - current))
            cdp.go_to(entries[nearest])
        else:
            page.goto(url, timeout=_DOCUMENT_TIMEOUT)

    # -- tabs ----------------------------------------------------------------------------------

    def _all_tabs(self, page: Page) -> list[Page]:
        self._note_tabs(page)
        return self._tabs

    def _note_tabs(self, page: Page) -> None:
        for tab in page.context.pages:
            if tab not in self._tabs:
                self._tabs.append(tab)
                loaded(tab)

    def _tab(self, page: Page, number: int) -> Page:
        tabs = self._all_tabs(page)
        if number >= len(tabs):
            raise StepError(
                f"tab {number} of the recording did not open; there are {len(tabs)}, counted from 0"
            )
        if tabs[number].is_closed():
            raise StepError(f"tab {number} of the recording is closed")
        return tabs[number]

    # -- elements ------------------------------------------------------------------------------

    def _use(self, element: LocatedElement, action: ObservedAction) -> None:
        try:
            self._act_on(element, action)
        except Error as error:
            if "not attached" not in error.message:
                raise
            # The page has drawn it anew since it was found; a second time is the page's fault.
            self._act_on(self._locate_target(element.frame.page, action), action)

    def _act_on(self, element: LocatedElement, action: ObservedAction) -> None:
        if isinstance(action, RepeatableAction) and action.kind == "drag":
            self._drag(element, action)
        else:
            _act_on(element, action)

    def _drag(self, element: LocatedElement, action: RepeatableAction) -> None:
        """Press the button on an element, lead it the same way, and let go where it was let go."""
        assert action.gesture is not None, "drags without one are refused"
        gesture, mouse = action.gesture, element.frame.page.mouse
        element.handle.hover(
            position=_place(element, action.target, gesture.at), timeout=element.milliseconds
        )
        begin = _point_in(element, gesture.at)
        mouse.down()
        try:
            for x, y in gesture.path:
                mouse.move(begin[0] + x, begin[1] + y)
            if gesture.onto is not None and gesture.onto_at is not None:
                wanted = _wanted(gesture.onto, url=action.url)
                onto = self._locate(element.frame.page, wanted, describe_recorded(action))
                end = _point_in(onto, gesture.onto_at)
                mouse.move(*end)
                mouse.move(*end)  # some pages act on the second
        finally:
            mouse.up()  # a button left down would drag with whatever comes next

    def _locate_target(self, page: Page, action: ObservedAction) -> LocatedElement:
        """The element that an action was recorded on; `StepError` if none appears in time."""
        wanted = _wanted(action.target, url=action.url, url_after=action.url_after)
        # Pages hide the inputs that take files, and show something nicer.
        wanted["hidden"] = action.kind == "upload"
        return self._locate(page, wanted, describe_recorded(action))

    def _locate(
        self, page: Page, wanted: dict[str, Any], title: str, *, seconds: float | None = None
    ) -> LocatedElement:
        deadline = time.monotonic() + (self._find_seconds if seconds is None else seconds)
        while True:
            with suppress(Error, StepError):  # the page changes under the search: search anew
                match = self._search(self._observer.frame(page), wanted)
                if match is not None:
                    return self._locator.locate_in(match.frame, match.ref)
            if time.monotonic() > deadline:
                raise StepError(f"{title}: no such element at {page.url}")
            page.wait_for_timeout(_PAUSE_MILLISECONDS)

    def _search(
        self, frame: ObservedFrame, wanted: dict[str, Any], depth: int = 0
    ) -> _Match | None:
        """The best match in a frame and those of other origins within it."""
        answer = frame.call("search", wanted)
        best = None
        if answer["found"]:
            best = _Match(answer["found"]["order"], answer["found"]["ref"], frame)
        if depth == _DEEPEST_FRAME:
            return best
        for ref in answer["frames"]:
            inner = frame.within(ref)
            match = self._search(inner, wanted, depth + 1) if inner is not None else None
            if match is not None and (best is None or match.order < best.order):
                best = match
        return best


def _is_on_element(action: ObservedAction) -> bool:
    """Whether an action is done to an element: keys are, where an element has the focus."""
    if action.kind == "press":
        return action.target.tag not in ("", "html", "body")
    return action.kind in _ON_ELEMENT


def _refuse_unrecorded(action: ObservedAction) -> None:
    """`StepError` for what a record does not hold all of."""
    if action.kind == "type" and action.value == HIDDEN:
        raise StepError(
            f"{describe_recorded(action)}: what was typed into a password field is not recorded"
        )
    if action.kind == "upload" and not (
        isinstance(action, RepeatableAction) and action.files is not None
    ):
        raise StepError(f"{describe_recorded(action)}: the files are not kept with the recording")
    if action.kind == "drag" and not (
        isinstance(action, RepeatableAction) and action.gesture is not None
    ):
        raise StepError(f"{describe_recorded(action)}: its way is not kept with the recording")


def _wanted(target: TouchedElement, *, url: str, url_after: str = "") -> dict[str, Any]:
    return {
        "role": target.role,
        "name": target.name,
        "tag": target.tag,
        "box": target.box,
        "url": url,
        "urlAfter": url_after,
        "hidden": False,
    }


def _act_on(element: LocatedElement, action: ObservedAction) -> None:
    value = action.value or ""
    match action.kind:
        case "click" | "check":
            _click(element, action)
        case "upload" if isinstance(action, RepeatableAction):
            element.handle.set_input_files(action.payloads(), timeout=element.milliseconds)
        case "press":
            element.handle.press(value, timeout=element.milliseconds)
        case "type":
            fill(element.handle, value, name=str(element), milliseconds=element.milliseconds)
        case "select":
            several = element.handle.get_attribute("multiple") is not None
            labels = value.split(", ") if several and value else [value]
            element.handle.select_option(label=labels, timeout=element.milliseconds)


def _click(element: LocatedElement, action: ObservedAction) -> None:
    """Click as a user does; what only a script could click, as a script does."""
    gesture = action.gesture if isinstance(action, RepeatableAction) else None
    if gesture is not None and gesture.beside:
        _open_beside(element)
        return
    place = _place(element, action.target, gesture.at) if gesture is not None else None
    if place is not None and action.target.tag not in _SAME_EVERYWHERE:
        element.handle.click(position=place, timeout=element.milliseconds)
        return
    try:
        element.click()
    except PlaywrightTimeout:
        if not action.by_script:
            raise
        element.handle.dispatch_event("click")


def _open_beside(element: LocatedElement) -> None:
    """Click so that a link opens in a tab of its own; what is no link may open none."""
    context = element.frame.page.context
    with suppress(PlaywrightTimeout), context.expect_page(timeout=_BESIDE_MILLISECONDS):
        element.handle.click(modifiers=["ControlOrMeta"], timeout=element.milliseconds)


def _point_at(element: LocatedElement, hovered: Hovered) -> None:
    place = _place(element, hovered.target, hovered.at)
    element.handle.hover(position=place, timeout=_HOVER_SECONDS * 1000)


def _place(element: LocatedElement, target: TouchedElement, at: Point) -> Position | None:
    """A place within an element, from its corner; None if it is not as large as it was."""
    box = element.handle.bounding_box()
    if box is None or target.box is None:
        return None
    differs = max(abs(box["width"] - target.box[2]), abs(box["height"] - target.box[3]))
    if differs > _SAME_SIZE or not all(0 <= share <= 1 for share in at):
        return None
    return {"x": at[0] * box["width"], "y": at[1] * box["height"]}


def _point_in(element: LocatedElement, at: Point) -> Point:
    """A point of an element in the viewport of its tab; Playwright's `Error` if it is not shown."""
    box = element.handle.bounding_box()
    if box is None:
        raise Error("the element is not visible")
    return box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]


def _use_tab(page: Page, action: ObservedAction) -> None:
    value = action.value or ""
    match action.kind:
        case "press":
            page.keyboard.press(value)
        case "scroll":
            page.mouse.wheel(0, -_TO_THE_END if value == "up" else _TO_THE_END)
        case "navigate":
            page.goto(value, timeout=_DOCUMENT_TIMEOUT)


def describe_recorded(action: ObservedAction) -> str:
    """A recorded action in words: ``3. click link "Next"``."""
    words = [f"{action.number}. {action.kind}"]
    if action.value:
        words.append(repr(action.value))
    kind = action.target.role or action.target.tag
    if kind:
        words.append(f'{kind} "{action.target.name}"')
    return " ".join(words)
