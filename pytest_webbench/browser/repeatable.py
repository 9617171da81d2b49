"""Actions as they can be done again, with what no file holds of them."""

from __future__ import annotations

import base64
from typing import Any, Final

from playwright.sync_api import FilePayload
from pydantic import Field

from ..evidence.models import ObservedAction, Record, TouchedElement

_MOST_FILLED: Final = 40_000_000
"""Bytes; Playwright hands over no more."""
Point = tuple[float, float]


class Gesture(Record):
    """What the pointer did in an action; shares of an element's size stay when it is moved."""

    at: Point
    """Where in the element, as shares of its width and height."""
    path: tuple[Point, ...] = ()
    """Where a drag went, in CSS pixels from its beginning."""
    onto: TouchedElement | None = None
    onto_at: Point | None = None
    beside: bool = False
    """Whether it was a click that opens a link in a tab of its own."""


class Hovered(Record):
    """The pointer was put on an element. That is no action, but pages may react to it."""

    target: TouchedElement
    at: Point
    url: str
    tab: int
    after: int
    """Number of the newest action then."""

    def is_part_of(self, action: ObservedAction) -> bool:
        """Whether it is the way to ``action``, which moves the pointer as well."""
        mine, other = self.target, action.target
        same = (mine.role, mine.name, mine.tag) == (other.role, other.name, other.tag)
        return same and action.tab == self.tab and action.kind in ("click", "check", "drag")


class RepeatableAction(ObservedAction):
    """An action with all that it takes to do it again."""

    gesture: Gesture | None = None
    files: tuple[dict[str, Any], ...] | None = Field(None, description="what was uploaded")

    def payloads(self) -> list[FilePayload]:
        """The files uploaded; one that could not be kept has its size, and is filled with zeros."""
        return [
            FilePayload(name=file["name"], mimeType=file["type"], buffer=_content(file))
            for file in self.files or ()
        ]


def _content(file: dict[str, Any]) -> bytes:
    if file["content"] is None:
        return bytes(min(file["size"], _MOST_FILLED))
    return base64.b64decode(file["content"])
