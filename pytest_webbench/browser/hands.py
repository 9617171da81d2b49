"""Performs actions on elements that were observed, with real input, as a user would.

An element is found again by where its document holds it now, and checked to be the one that was seen; then Playwright
acts on just that node, after its own checks that it is visible, enabled, at rest and not covered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from playwright.sync_api import ElementHandle, Error, Frame, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from .actions import (
    Action,
    Back,
    Blocked,
    Click,
    ClickAt,
    Done,
    Drag,
    Hover,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)  # fmt: skip
from .lens import Lens
from .observe import Observer
from .rendering import describe
from .session import first_line
from .settle import loaded, new_tabs, requests_of, settle

__all__ = ["Hands", "describe"]

READY_SECONDS: Final = 3.0
"""How long an element may take to let itself be used."""
_BACK_SECONDS: Final = 15.0
_CLOSING_SECONDS: Final = 2.0
_SUGGESTIONS_SECONDS: Final = 0.4
_WAIT_SECONDS: Final = 1.0
_TURN: Final = 0.8
"""How much of its height one turn of the wheel scrolls a page or panel."""
_KEYED: Final = frozenset({"text", "search", "email", "url", "tel", "password", "number"})
_T = TypeVar("_T")
_UNTYPED: Final = frozenset({"checkbox", "radio", "button", "submit", "reset", "image", "file"})


class Target(NamedTuple):
    """An element that is about to be used."""

    ref: str
    lens: Lens
    facts: dict[str, Any]
    handle: ElementHandle

    def __str__(self) -> str:
        return f'{self.ref} {self.facts["role"]} "{self.facts["name"]}"'


class Hands:
    """Performs actions in the tabs that ``observer`` looks at. ``files`` are offered for upload, by name."""

    def __init__(self, observer: Observer, *, files: Mapping[str, Path] | None = None) -> None:
        self._observer = observer
        self._files = dict(files or {})

    def do(self, page: Page, action: Action) -> Page:
        """Perform ``action`` in the tab ``page``, wait for what it started; returns the tab that is in front then.

        `StepError` says why it could not be done; the agent may go on.
        """
        if isinstance(action, Done | Blocked):
            return page
        before = list(page.context.pages)
        try:
            with requests_of(page) as requests:
                with new_tabs(page, self._observer.session(page)):
                    front, expect = self._perform(page, action)
                settle(front, self._observer.lens(front), requests if front is page else None, expect=expect)
        except PlaywrightTimeout as error:
            raise StepError(f"{action.do}: {first_line(error)}") from error
        except Error as error:
            if not _closed(page, error):
                raise StepError(f"{action.do}: {first_line(error)}") from error
            front = page
        return self._front(front, before)

    def _front(self, page: Page, before: list[Page]) -> Page:
        """The newest tab that the action opened, else where it was done, else what is left."""
        opened = [tab for tab in page.context.pages if tab not in before]
        if opened:
            page = opened[-1]
            loaded(page)
            with suppress(Error):
                settle(page, self._observer.lens(page))
        if not page.is_closed():
            return page
        left = [tab for tab in before if not tab.is_closed()]
        if not left:
            raise StepError("the action closed the last tab")
        left[-1].bring_to_front()
        return left[-1]

    def _perform(self, page: Page, action: Action) -> tuple[Page, float]:
        """Returns the tab in front, and how long a first change may take to show."""
        match action:
            case Click():
                self._use(page, action.ref, self._click)
            case ClickAt():
                self._click_at(page, action)
            case TypeText():
                return page, self._use(page, action.ref, lambda target: self._type(page, target, action))
            case SelectOption():
                self._use(page, action.ref, lambda target: self._select(target, action.option))
            case Press():
                page.keyboard.press(action.key)
            case Scroll():
                self._scroll(page, action)
            case Hover():
                self._use(page, action.ref, lambda target: target.handle.hover(timeout=READY_SECONDS * 1000))
            case Drag():
                self._drag(page, action)
            case Upload():
                self._use(page, action.ref, lambda target: self._upload(page, target, action.names))
            case Back():
                return self._back(page), 0.0
            case SwitchTab():
                return self._switch(page, action.index), 0.0
            case Wait():
                return page, _WAIT_SECONDS
        return page, 0.0

    # -- Elements ------------------------------------------------------------------------------------------------

    def _use(self, page: Page, ref: str, how: Callable[[Target], _T]) -> _T:
        target = self._target(page, ref)
        try:
            return how(target)
        except Error as error:
            if _closed(page, error):
                raise
            raise StepError(f"{target} {self._why(target, error)}") from error

    def _target(self, page: Page, ref: str) -> Target:
        """The element with its handle; where the page changes under the search, it is searched anew."""
        lens = self._observer.lens_of(ref, page)
        for _ in range(4):
            try:
                facts = _facts(lens, ref)
                handle = _handle(page, lens, facts["path"])
                if handle is not None and _facts(lens, ref)["path"] == facts["path"]:
                    return Target(ref, lens, facts, handle)
            except Error as error:
                raise StepError(f"{ref} is gone, with its page or frame: {first_line(error)}") from error
        raise StepError(f"{ref} could not be reached: the page keeps changing around it")

    def _why(self, target: Target, error: Error) -> str:
        """What is in the way of an element, in words."""
        try:
            trouble = target.lens.call("trouble", target.ref)
        except Error:
            trouble = {"kind": "gone"}
        if isinstance(error, PlaywrightTimeout) or trouble["kind"] == "gone":
            why = {
                "gone": "is gone from the page",
                "invisible": "cannot be seen",
                "disabled": "is disabled",
                "covered": f"is covered by {trouble.get('by')}",
                "moving": "keeps moving",
                "away": "cannot be scrolled into view",
            }
            return why.get(trouble["kind"], f"did not let itself be used within {READY_SECONDS:g} s")
        return f"refused: {first_line(error)}"

    # -- Kinds of action -----------------------------------------------------------------------------------------

    def _click(self, target: Target) -> None:
        self._clickable(target).click(timeout=READY_SECONDS * 1000)

    def _clickable(self, target: Target) -> ElementHandle:
        """The element itself, or the label that stands for a control that cannot be seen."""
        if target.facts["label"] is None:
            return target.handle
        return _handle(target.lens.page, target.lens, target.facts["label"]) or target.handle

    def _click_at(self, page: Page, action: ClickAt) -> None:
        size = self._observer.lens(page).call("size")
        if not (0 <= action.x < size["width"] and 0 <= action.y < size["height"]):
            raise StepError(
                f"({action.x:g}, {action.y:g}) lies outside the viewport of {size['width']} x {size['height']}"
            )
        page.mouse.click(action.x, action.y)

    def _type(self, page: Page, target: Target, action: TypeText) -> float:
        facts, handle, text = target.facts, target.handle, action.text
        if facts["tag"] == "select":
            raise StepError(f"{target} is a list: use select with one of its options")
        if facts["tag"] == "input" and facts["type"] in _UNTYPED:
            raise StepError(f"{target} takes no text: it is an input of type {facts['type']}")
        if facts["readonly"]:
            raise StepError(f"{target} is read only: click it and use what it opens")
        timeout = READY_SECONDS * 1000
        if facts["tag"] == "input" and facts["type"] in _KEYED and text and text.isprintable():
            # Keys for the last letter: many fields act on these alone.
            handle.fill(text[:-1], timeout=timeout)
            handle.type(text[-1], timeout=timeout)
        elif facts["tag"] in ("input", "textarea") or facts["editable"]:
            handle.fill(text, timeout=timeout)
        else:
            handle.click(timeout=timeout)
            page.keyboard.press("ControlOrMeta+a")
            page.keyboard.type(text)
        if action.submit:
            page.keyboard.press("Enter")
            return 0.0
        return _SUGGESTIONS_SECONDS if facts["suggests"] else 0.0

    def _select(self, target: Target, option: str) -> None:
        tag = target.facts["tag"]
        if tag == "input" and target.facts["role"] == "combobox":
            target.handle.fill(option, timeout=READY_SECONDS * 1000)
            return
        if tag != "select":
            raise StepError(f"{target} is no native list: click it to open it, then click the option")
        found = target.lens.call("option", target.ref, option)
        if not found["indices"]:
            more = f" and {found['count'] - len(found['labels'])} more" if found["count"] > len(found["labels"]) else ""
            raise StepError(f"{target} has no option {option!r}; there are {found['labels']}{more}")
        if found["disabled"]:
            raise StepError(f"option {option!r} of {target} is disabled")
        target.handle.select_option(index=found["indices"], timeout=READY_SECONDS * 1000)

    def _scroll(self, page: Page, action: Scroll) -> None:
        lens = self._observer.lens_of(action.ref, page) if action.ref else self._observer.lens(page)
        spot = lens.call("wheel", action.ref)
        if spot.get("away"):
            lens.call("reveal", action.ref)
            spot = lens.call("wheel", action.ref)
        if "x" not in spot:
            raise StepError(f"panel {action.ref} {'is gone from the page' if spot.get('gone') else 'cannot be seen'}")
        x, y = _offset(page, lens)
        page.mouse.move(spot["x"] + x, spot["y"] + y)
        page.mouse.wheel(0, round(spot["height"] * _TURN) * (1 if action.direction == "down" else -1))

    def _drag(self, page: Page, action: Drag) -> None:
        goal = self._target(page, action.to)
        timeout = READY_SECONDS * 1000
        self._use(page, action.ref, lambda target: target.handle.hover(timeout=timeout))
        page.mouse.down()
        try:
            goal.handle.hover(timeout=timeout, force=True)
            goal.handle.hover(timeout=timeout, force=True)  # some pages act on the second move only
        except Error as error:
            raise StepError(f"{goal} {self._why(goal, error)}") from error
        finally:
            page.mouse.up()

    def _upload(self, page: Page, target: Target, names: tuple[str, ...]) -> None:
        unknown = [name for name in names if name not in self._files]
        if unknown or not names:
            offered = ", ".join(sorted(self._files)) or "none"
            raise StepError(f"no such file: {', '.join(unknown) or 'none named'}; the task offers: {offered}")
        try:
            with page.expect_file_chooser(timeout=READY_SECONDS * 1000) as opened:
                self._click(target)
        except PlaywrightTimeout as error:
            trouble = self._why(target, error)
            raise StepError(f"{target} opens no file chooser ({trouble})") from error
        if len(names) > 1 and not opened.value.is_multiple():
            raise StepError(f"{target} takes one file only")
        opened.value.set_files([self._files[name] for name in names])

    def _back(self, page: Page) -> Page:
        if self._observer.goes_back(page):
            page.go_back(timeout=_BACK_SECONDS * 1000, wait_until="commit")
            return page
        opener = page.opener()
        if opener is None or opener.is_closed():
            raise StepError("there is no earlier page to go back to")
        page.close()
        opener.bring_to_front()
        return opener

    def _switch(self, page: Page, index: int) -> Page:
        tabs = page.context.pages
        if index >= len(tabs):
            raise StepError(f"there is no tab {index}; there are {len(tabs)}, counted from 0")
        tabs[index].bring_to_front()
        return tabs[index]


def _closed(page: Page, error: Error) -> bool:
    """Whether what was done has closed the tab; the news of that may still be on its way."""
    if "has been closed" in error.message:
        with suppress(Error):
            page.wait_for_event("close", timeout=_CLOSING_SECONDS * 1000)
    return page.is_closed()


def _facts(lens: Lens, ref: str) -> dict[str, Any]:
    facts: dict[str, Any] = lens.call("target", ref) or {"gone": True}
    if facts.get("gone"):
        raise StepError(f"{ref} is gone from the page")
    if facts["other"]:
        raise StepError(f'{ref} was {facts["was"]} and is now {facts["role"]} "{facts["name"]}": look again')
    return facts


def _handle(page: Page, lens: Lens, path: list[tuple[str, Any]]) -> ElementHandle | None:
    """The node at a place in a frame's document; None if there is none any more."""
    root: Frame | ElementHandle = _frame_of(page, lens)
    for kind, where in path:
        found: Frame | ElementHandle | None
        if kind == "xpath":
            found = root.query_selector(f"xpath={where}")
        elif kind == "frame":
            found = root.content_frame() if isinstance(root, ElementHandle) else None
        else:
            found = _in_shadow(root, where)
        if found is None:
            return None
        root = found
    return root if isinstance(root, ElementHandle) else None


def _in_shadow(host: Frame | ElementHandle, place: int) -> ElementHandle | None:
    """Selectors see the children of a host and those of its shadow root as one: the latter have no element above."""
    candidates = host.query_selector_all(f"css=:scope > :nth-child({place})")
    return next((one for one in candidates if one.query_selector("xpath=..") is None), None)


def _frame_of(page: Page, lens: Lens) -> Frame:
    if lens.parent is None:
        return page.main_frame
    path = lens.parent.call("path", lens.ref)
    element = _handle(page, lens.parent, path) if path else None
    frame = element.content_frame() if element else None
    if frame is None:
        raise Error("the frame is gone")
    return frame


def _offset(page: Page, lens: Lens) -> tuple[float, float]:
    """Where a frame of another origin begins in the viewport of the page."""
    if lens.parent is None:
        return 0.0, 0.0
    x, y = _offset(page, lens.parent)
    corner = lens.parent.call("corner", lens.ref)
    return x + corner["x"], y + corner["y"]
