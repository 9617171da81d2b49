"""Does again what was recorded: finds the element by role and name, and acts on it as a user would."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, cast

from playwright.sync_api import Error, Frame, Locator, Page

from ..errors import StepError
from ..evidence.models import ObservedAction, Target
from .observe import Observer
from .session import first_line
from .settle import loaded, new_tabs, requests_of, settle

FIND_SECONDS: Final = 10.0
"""How long an element may take to appear, and then to become ready."""
HIDDEN: Final = "********"
"""What stands in a record for the content of a password field."""
_CLIPPED: Final = 200
"""Characters of a name that are recorded."""


class Again:
    """Repeats recorded actions in the tabs of one episode."""

    def __init__(self) -> None:
        self._observer = Observer()
        self._tabs: list[Page] = []
        """In order of opening, closed ones too: records count them so."""

    def do(self, page: Page, action: ObservedAction) -> None:
        """Repeat ``action``; ``page`` is any tab. `StepError` says why it cannot be done."""
        tab = self._tab(page, action.tab)
        try:
            with requests_of(tab) as requests:
                with new_tabs(tab, self._observer.session(tab)):
                    self._act(tab, action)
                if not tab.is_closed():
                    settle(tab, self._observer.lens(tab), requests)
            self._see_tabs(page)
        except Error as error:
            if not tab.is_closed():
                raise StepError(f"{told(action)}: {first_line(error)}") from error

    def _see_tabs(self, page: Page) -> None:
        for tab in page.context.pages:
            if tab not in self._tabs:
                self._tabs.append(tab)
                loaded(tab)

    def _tab(self, page: Page, number: int) -> Page:
        self._see_tabs(page)
        if number >= len(self._tabs):
            raise StepError(f"tab {number} of the recording did not open; there are {len(self._tabs)}, counted from 0")
        if self._tabs[number].is_closed():
            raise StepError(f"tab {number} of the recording is closed")
        return self._tabs[number]

    def _act(self, page: Page, action: ObservedAction) -> None:
        value, timeout = action.value or "", FIND_SECONDS * 1000
        match action.kind:
            case "click" | "check":
                find(page, action).click(timeout=timeout)
            case "type":
                if value == HIDDEN:
                    raise StepError(f"{told(action)}: what was typed into a password field is not recorded")
                find(page, action).fill(value, timeout=timeout)
            case "select":
                find(page, action).select_option(label=value.split(", ") if value not in ("",) else [], timeout=timeout)
            case "press":
                page.keyboard.press(value)
            case "scroll":
                page.mouse.wheel(0, -100_000 if value == "up" else 100_000)
            case "navigate":
                page.goto(value, timeout=timeout * 3)
            case "upload":
                raise StepError(f"{told(action)}: the files are not kept with the recording")


def told(action: ObservedAction) -> str:
    """A recorded action in words: ``click link "Next"``."""
    target = action.target
    where = f' {target.role or target.tag} "{target.name}"' if target.role or target.tag else ""
    value = f" {action.value!r}" if action.value else ""
    return f"{action.number}. {action.kind}{value}{where}"


def find(page: Page, action: ObservedAction) -> Locator:
    """The element that an action was recorded on; `StepError` if there is none, even after some seconds."""
    deadline = time.monotonic() + FIND_SECONDS
    while True:
        frames = sorted(page.frames, key=lambda frame: frame.url != action.url)
        for locators in zip(*(_candidates(frame, action.target) for frame in frames), strict=True):
            for locator in locators:
                with suppress(Error):  # the document goes away under the search: searched anew
                    if found := _likest(locator, action):
                        return found
        if time.monotonic() > deadline:
            raise StepError(f"{told(action)}: no such element at {page.url}")
        page.wait_for_timeout(100)


def _candidates(frame: Frame, target: Target) -> Iterator[Locator]:
    """Where to look, the strictest first."""
    if target.role:
        role = cast(Any, target.role)
        if target.name:
            yield frame.get_by_role(role, name=target.name, exact=True)
            yield frame.get_by_role(role, name=target.name)
        else:
            yield frame.get_by_role(role)
    if target.tag and re.fullmatch(r"[a-z][a-z0-9-]*", target.tag):
        tagged = frame.locator(target.tag)
        yield tagged.filter(has_text=_words(target.name)) if target.name else tagged


def _words(name: str) -> re.Pattern[str]:
    """The name as the whole text of an element, whatever the space between its words."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return re.compile(rf"^\s*{words}" + (r"\s*$" if len(name) < _CLIPPED else ""))


def _likest(locator: Locator, action: ObservedAction) -> Locator | None:
    """Of several elements that can be seen: one that leads where the recorded one led, else the nearest."""
    shown = [one for one in locator.all()[:50] if one.is_visible()]
    if len(shown) < 2:
        return shown[0] if shown else None
    x, y, *_ = action.target.box or (0.0, 0.0)

    def unlike(one: Locator) -> tuple[bool, float]:
        box = one.bounding_box(timeout=1000) or {"x": 1e9, "y": 1e9}
        leads = action.target.tag == "a" and one.evaluate("element => element.href", timeout=1000) == action.url_after
        return not leads, abs(box["x"] - x) + abs(box["y"] - y)

    return min(shown, key=unlike)
