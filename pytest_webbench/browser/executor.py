"""Performs an agent's actions on elements that it was shown, with real input, as a user would.

Playwright acts on exactly the node that was seen, after its own checks that it is visible, enabled,
at rest and not covered.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from . import moving
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
)
from .element_locator import ElementLocator, LocatedElement, corner_of
from .field_formats import fill, takes_format
from .observer import Observer
from .performer import Effect, Performer

READY_SECONDS: Final = 3.0
"""How long an element may take to become ready."""
_BACK_SECONDS: Final = 15.0
_SUGGESTIONS_SECONDS: Final = 0.4
_WAIT_SECONDS: Final = 1.0
_TURN: Final = 0.8
"""How much of its height one turn of the wheel scrolls a page or panel."""
# Fields for free text. Others, such as dates, only take a whole value, not a last letter.
_KEYED: Final = frozenset({"text", "search", "email", "url", "tel", "password"})
_UNTYPED: Final = frozenset({"checkbox", "radio", "button", "submit", "reset", "image", "file"})
T = TypeVar("T")


class ActionExecutor:
    """Performs actions in the tabs that ``observer`` looks at.

    ``files`` are offered for upload, by name.
    """

    def __init__(self, observer: Observer, *, files: Mapping[str, Path] | None = None) -> None:
        self._observer = observer
        self._performer = Performer(observer)
        self._locator = ElementLocator(observer, seconds=READY_SECONDS)
        self._files = dict(files or {})

    def do(self, page: Page, action: Action) -> Page:
        """Perform ``action`` in the tab ``page`` and wait for what it started.

        Returns the tab that is in front then. `StepError` says why the action could not be done;
        the agent may go on.
        """
        if isinstance(action, Done | Blocked):
            return page
        before = list(page.context.pages)
        front = self._act(page, action)
        if not front.is_closed():
            return front
        left = [tab for tab in before if not tab.is_closed()]
        if not left:
            raise StepError("the action closed the last tab")
        left[-1].bring_to_front()
        return left[-1]

    def _act(self, page: Page, action: Action) -> Page:
        match action:
            case Click() | TypeText() | SelectOption() | Hover() | Upload():
                return self._performer.act(
                    page,
                    action.do,
                    locate=lambda: self._locator.locate(page, action.ref),
                    use=lambda element: element.use(lambda found: self._use(found, action)),
                )
            case Drag():
                return self._performer.act(
                    page,
                    action.do,
                    locate=lambda: self._ends(page, action),
                    use=lambda ends: _drag(*ends),
                )
            case _:
                return self._performer.act(
                    page,
                    action.do,
                    locate=lambda: page,
                    use=lambda tab: self._use_tab(tab, action),
                )

    # -- elements ------------------------------------------------------------------------------

    def _use(
        self, element: LocatedElement, action: Click | TypeText | SelectOption | Hover | Upload
    ) -> Effect | None:
        match action:
            case Click():
                element.click()
            case TypeText():
                return _type(element, action)
            case SelectOption():
                _select(element, action.option)
            case Hover():
                moving.hover(element.handle, milliseconds=element.milliseconds)
            case Upload():
                self._upload(element, action.names)
        return None

    def _ends(self, page: Page, action: Drag) -> tuple[LocatedElement, LocatedElement]:
        goal = self._locator.locate(page, action.to)
        return self._locator.locate(page, action.ref), goal

    def _upload(self, element: LocatedElement, names: tuple[str, ...]) -> None:
        unknown = [name for name in names if name not in self._files]
        if unknown or not names:
            asked = ", ".join(unknown) or "none named"
            offered = ", ".join(sorted(self._files)) or "none"
            raise StepError(f"no such file: {asked}; the task offers: {offered}")
        try:
            with element.frame.page.expect_file_chooser(timeout=element.milliseconds) as opened:
                element.click()
        except PlaywrightTimeout as error:
            raise StepError(
                f"{element} opens no file chooser ({element.obstacle(error)})"
            ) from error
        chooser = opened.value
        if len(names) > 1 and not chooser.is_multiple():
            raise StepError(f"{element} takes one file only")
        chooser.set_files([self._files[name] for name in names])

    # -- tabs ----------------------------------------------------------------------------------

    def _use_tab(self, page: Page, action: Action) -> Effect | None:
        match action:
            case ClickAt():
                self._click_at(page, action)
            case Press():
                page.keyboard.press(action.key)
            case Scroll():
                self._scroll(page, action)
            case Back():
                return self._back(page)
            case SwitchTab():
                return _switch(page, action.index)
            case Wait():
                return Effect(expect=_WAIT_SECONDS)
        return None

    def _click_at(self, page: Page, action: ClickAt) -> None:
        size = self._observer.frame(page).call("size")
        if not (0 <= action.x < size["width"] and 0 <= action.y < size["height"]):
            raise StepError(
                f"({action.x:g}, {action.y:g}) lies outside the viewport of "
                f"{size['width']} x {size['height']}"
            )
        page.mouse.click(action.x, action.y)

    def _scroll(self, page: Page, action: Scroll) -> None:
        frame = self._observer.frame(page)
        if action.ref:
            frame = self._observer.frame_of(action.ref, page)
        spot = frame.call("wheel", action.ref)
        if spot.get("away"):
            frame.call("reveal", action.ref)
            spot = frame.call("wheel", action.ref)
        if "x" not in spot:
            why = "is gone from the page" if spot.get("gone") else "cannot be seen"
            raise StepError(f"panel {action.ref} {why}")
        x, y = corner_of(frame)
        page.mouse.move(spot["x"] + x, spot["y"] + y)
        distance = round(spot["height"] * _TURN)
        page.mouse.wheel(0, distance if action.direction == "down" else -distance)

    def _back(self, page: Page) -> Effect | None:
        if self._observer.goes_back(page):
            # Only until the answer is there: pages from the cache fire none of the later events.
            page.go_back(timeout=_BACK_SECONDS * 1000, wait_until="commit")
            return None
        opener = page.opener()
        if opener is None or opener.is_closed():
            raise StepError("there is no earlier page to go back to")
        page.close()
        opener.bring_to_front()
        return Effect(front=opener)


def _type(element: LocatedElement, action: TypeText) -> Effect | None:
    """Replace the content of a field; `StepError` if it takes no text."""
    _require_text_field(element)
    facts, handle, text = element.facts, element.handle, action.text
    page, timeout = element.frame.page, element.milliseconds
    if facts["tag"] == "input" and takes_format(facts["type"]):
        fill(handle, text, name=str(element), milliseconds=timeout)
        handle.press("Shift")  # many fields act on keys alone
    elif facts["tag"] == "input" and facts["type"] in _KEYED and text and text.isprintable():
        # Keys for the last letter: many fields act on these alone.
        handle.fill(text[:-1], timeout=timeout)
        handle.type(text[-1], timeout=timeout)
    elif facts["tag"] in ("input", "textarea") or facts["editable"]:
        handle.fill(text, timeout=timeout)
    else:
        # Playwright's fill() refuses anything that is not a field, but it may still listen to keys.
        element.click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
    if action.submit:
        page.keyboard.press("Enter")
        return None
    return Effect(expect=_SUGGESTIONS_SECONDS) if facts["suggests"] else None


def _require_text_field(element: LocatedElement) -> None:
    facts = element.facts
    if facts["tag"] == "select":
        raise StepError(f"{element} is a list: use select with one of its options")
    if facts["tag"] == "input" and facts["type"] in _UNTYPED:
        raise StepError(f"{element} takes no text: it is an input of type {facts['type']}")
    if facts["readonly"]:
        raise StepError(f"{element} is read only: click it and use what it opens")


def _select(element: LocatedElement, option: str) -> None:
    tag = element.facts["tag"]
    if tag == "input" and element.facts["role"] == "combobox":
        element.handle.fill(option, timeout=element.milliseconds)
        return
    if tag != "select":
        raise StepError(
            f"{element} is not a native list: click it to open it, then click the option"
        )
    found = element.frame.call("option", element.ref, option)
    if not found["indices"]:
        left_out = found["count"] - len(found["labels"])
        more = f" and {left_out} more" if left_out > 0 else ""
        raise StepError(f"{element} has no option {option!r}; there are {found['labels']}{more}")
    if found["disabled"]:
        raise StepError(f"option {option!r} of {element} is disabled")
    element.handle.select_option(index=found["indices"], timeout=element.milliseconds)


def _drag(element: LocatedElement, goal: LocatedElement) -> None:
    mouse = element.frame.page.mouse
    element.use(lambda found: moving.hover(found.handle, milliseconds=found.milliseconds))
    mouse.down()
    try:
        goal.use(_drop_over)
    finally:
        # A button left down would drag with whatever comes next.
        mouse.up()


def _drop_over(goal: LocatedElement) -> None:
    # Forced, for what is dragged lies over the goal; twice, for some pages act on the second move.
    goal.handle.hover(timeout=goal.milliseconds, force=True)
    goal.handle.hover(timeout=goal.milliseconds, force=True)


def _switch(page: Page, index: int) -> Effect:
    tabs = page.context.pages
    if index >= len(tabs):
        raise StepError(f"there is no tab {index}; there are {len(tabs)}, counted from 0")
    tabs[index].bring_to_front()
    return Effect(front=tabs[index])
