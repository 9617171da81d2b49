"""Finds the node behind a ref, as a handle that Playwright can act on.

The observer's script says where its document holds an element now. Playwright takes no nodes of an
isolated world, so it is led to the same place by selectors, and the place is asked for again: only
if it has not changed meanwhile is what Playwright found the element that was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from playwright.sync_api import ElementHandle, Error, Frame, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from ..errors import StepError
from . import moving
from .observed_frame import ObservedFrame
from .observer import Observer
from .playwright_errors import reason_of

_ATTEMPTS: Final = 4
_OBSTACLES: Final = {
    "gone": "is gone from the page",
    "invisible": "cannot be seen",
    "disabled": "is disabled",
    "moving": "keeps moving",
    "away": "cannot be scrolled into view",
}
Path = Sequence[tuple[str, Any]]
"""Steps from a frame's document to an element, see ``paths.js``."""
T = TypeVar("T")


class LocatedElement(NamedTuple):
    """An element that is about to be used."""

    ref: str
    frame: ObservedFrame
    facts: dict[str, Any]
    """What the observer's function ``target`` says of it."""
    handle: ElementHandle
    seconds: float
    """How long it may take to become ready."""

    def __str__(self) -> str:
        return f'{self.ref} {self.facts["role"]} "{self.facts["name"]}"'

    @property
    def milliseconds(self) -> float:
        """The time to become ready, as Playwright wants it."""
        return self.seconds * 1000

    def clickable(self) -> ElementHandle:
        """The element itself, or the label that stands for a control that cannot be seen."""
        if self.facts["label"] is None:
            return self.handle
        return _handle(self.frame, self.facts["label"]) or self.handle

    def click(self) -> None:
        """Click `clickable`, where it is if it never rests; Playwright's `Error` if not ready."""
        moving.click(self.clickable(), self.frame.page, milliseconds=self.milliseconds)

    def obstacle(self, error: Error) -> str:
        """What is in the way of using it, in words."""
        try:
            trouble = self.frame.call("trouble", self.ref)
        except Error:
            trouble = {"kind": "gone"}
        kind = trouble["kind"]
        if not isinstance(error, PlaywrightTimeout) and kind != "gone":
            return f"refused: {reason_of(error)}"
        if kind == "covered":
            return f"is covered by {trouble.get('by')}"
        return _OBSTACLES.get(kind, f"was not ready within {self.seconds:g} s")

    def use(self, how: Callable[[LocatedElement], T]) -> T:
        """What ``how`` gives; `StepError` says what was in its way.

        Playwright's `Error` if it closed the tab.
        """
        try:
            return how(self)
        except Error as error:
            if "has been closed" in error.message or self.frame.page.is_closed():
                raise
            raise StepError(f"{self} {self.obstacle(error)}") from error


class ElementLocator:
    """Finds elements that ``observer`` has seen; they get ``seconds`` to become ready."""

    def __init__(self, observer: Observer, *, seconds: float) -> None:
        self._observer, self._seconds = observer, seconds

    def locate(self, page: Page, ref: str) -> LocatedElement:
        """The element with this ref; `StepError` if it is gone or has become another."""
        return self.locate_in(self._observer.frame_of(ref, page), ref)

    def locate_in(self, frame: ObservedFrame, ref: str) -> LocatedElement:
        """The same of a ref that the script gave in ``frame``."""
        for _ in range(_ATTEMPTS):
            try:
                facts = _facts(frame, ref)
                handle = _handle(frame, facts["path"])
                if handle is not None and _facts(frame, ref)["path"] == facts["path"]:
                    return LocatedElement(ref, frame, facts, handle, self._seconds)
            except Error as error:
                raise StepError(
                    f"{ref} is gone, with its page or frame: {reason_of(error)}"
                ) from error
        raise StepError(f"{ref} could not be reached: the page keeps changing around it")


def corner_of(frame: ObservedFrame) -> tuple[float, float]:
    """Where a frame begins in the viewport of the page, in CSS pixels."""
    if frame.parent is None:
        return 0.0, 0.0
    x, y = corner_of(frame.parent)
    corner = frame.parent.call("corner", frame.ref)
    return x + corner["x"], y + corner["y"]


def _facts(frame: ObservedFrame, ref: str) -> dict[str, Any]:
    facts: dict[str, Any] = frame.call("target", ref) or {"gone": True}
    if facts.get("gone"):
        raise StepError(f"{ref} is gone from the page")
    if facts["other"]:
        raise StepError(
            f'{ref} was {facts["was"]} and is now {facts["role"]} "{facts["name"]}": look again'
        )
    return facts


def _handle(frame: ObservedFrame, path: Path) -> ElementHandle | None:
    """The node at a place in a frame's document; None if there is none any more."""
    here: Frame | ElementHandle | None = _playwright_frame(frame)
    for kind, where in path:
        if kind == "xpath" and here is not None:
            here = here.query_selector(f"xpath={where}")
        elif kind == "shadow" and here is not None:
            here = _in_shadow(here, where)
        elif isinstance(here, ElementHandle):
            here = here.content_frame()
        else:
            return None
    return here if isinstance(here, ElementHandle) else None


def _in_shadow(host: Frame | ElementHandle, place: int) -> ElementHandle | None:
    """The child of a host's shadow root at a place, from 1.

    To selectors a host's own children and those of its shadow root are alike; only the latter have
    no element above.
    """
    for candidate in host.query_selector_all(f"css=:scope > :nth-child({place})"):
        if candidate.query_selector("xpath=..") is None:
            return candidate
    return None


def _playwright_frame(frame: ObservedFrame) -> Frame:
    if frame.parent is None:
        return frame.page.main_frame
    path = frame.parent.call("path", frame.ref)
    element = _handle(frame.parent, path) if path else None
    found = element.content_frame() if element else None
    if found is None:
        raise Error("the frame is gone")
    return found
