"""What the agent does, written down as it happens: one `ObservedAction` each, with a picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from playwright.sync_api import Error, Page

from .._text import sanitize
from ..evidence.models import ObservedAction, TouchedElement
from .page_log import PageLog
from .repeatable import Gesture, Hovered, RepeatableAction
from .tabs import Tabs

_LONGEST_VALUE: Final = 2000
# Each letter is an input of its own for the recorder; a text is one action.
_COALESCED: Final = frozenset({"type"})


class ActionSink(Protocol):
    """Takes steps as they happen, so that a killed run still shows them."""

    def step(self, action: ObservedAction) -> None:
        """A new action."""

    def step_changed(self, action: ObservedAction) -> None:
        """More is known of the newest action: the whole text typed, the address it led to."""

    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None:
        """What the page showed when action ``number`` took effect; number 0 is the start page.

        ``url`` is the page's address then, ``width`` that of its viewport in CSS pixels, 0 if it
        is not known.
        """

    def secret(self, value: str, field: str) -> None:
        """The whole content of a password field as far as it is typed: no file may hold it."""

    def shown(self, value: str) -> None:
        """The whole content of a field that anybody can read."""


class NoSink:
    """Takes everything and keeps nothing."""

    def step(self, action: ObservedAction) -> None: ...
    def step_changed(self, action: ObservedAction) -> None: ...
    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None: ...
    def secret(self, value: str, field: str) -> None: ...
    def shown(self, value: str) -> None: ...


class ActionLog:
    """Adds actions between `begin` and `end`.

    ``camera`` takes a picture of a tab; without one there are none.
    """

    def __init__(
        self, tabs: Tabs, sink: ActionSink, camera: Callable[[Page], bytes] | None
    ) -> None:
        self.actions: list[ObservedAction] = []
        self.on_step: Callable[[int], None] = lambda _count: None
        self.scroll_of: Callable[[Page], tuple[float, float] | None] = lambda _page: None
        """How far a tab is scrolled, where that is known."""
        self.sink = sink
        self._tabs, self._camera = tabs, camera
        self.pages = PageLog(tabs.openers)
        tabs.on_front = self.pages.came_to_front
        self._urls: dict[Page, str] = {}
        self._shots_due: dict[Page, list[int]] = {}
        self._in_the_camera: set[Page] = set()
        """Tabs whose present document a picture is being taken of."""
        self._started: float | None = None
        self._newest_key: tuple[int, int, str] | None = None
        self._whole: dict[int, str] = {}
        """By number of an action, what was really typed where the record hides or cuts it."""
        self._gestures: dict[int, Gesture] = {}
        self._files: dict[int, tuple[dict[str, Any], ...]] = {}
        """By number of an action, what the pointer did, and which files were uploaded."""
        self._uploads: dict[tuple[int, int], int] = {}
        """By tab and element, the number of the newest upload."""
        self.hovers: list[Hovered] = []

    @property
    def going_on(self) -> bool:
        """Whether what happens is the agent's doing."""
        return self._started is not None

    def begin(self, page: Page) -> None:
        """From now on what happens is the agent's doing."""
        self._urls[page] = page.url
        self._started = time.monotonic()
        self.pages.agent_acts = True

    def end(self) -> None:
        """The agent has stopped."""
        self._land()
        self._started = None

    def navigated(self, page: Page, url: str, *, by_page: bool) -> None:
        """A new document in a tab; unless a page asked for it, the agent opened it by address."""
        self._in_the_camera.discard(page)
        self.pages.committed(
            page, url, tab=self._tabs.number(page), by_page=by_page, seconds=self._seconds()
        )
        if self._started is None:
            return
        before, self._urls[page] = self._urls.get(page, ""), url
        # Every new tab begins blank; what counts is the address that follows.
        if not by_page and url != "about:blank":
            self._newest_key = None
            self._add(page, {"kind": "navigate", "value": url, "url": before})

    def downloaded(self, page: Page, url: str, name: str, *, by_page: bool) -> None:
        """A PDF that a tab was to show was saved instead."""
        if self._started is not None:
            number, seconds = self._tabs.number(page), self._seconds()
            self.pages.downloaded(page, url, name, tab=number, by_page=by_page, seconds=seconds)

    def observed(self, page: Page, message: dict[str, Any]) -> None:
        """A script of ours in a page reports: an input, or which page is shown."""
        if "page" in message:
            self.pages.reported(
                page, message["page"], tab=self._tabs.number(page), seconds=self._seconds()
            )
            return
        if self._started is None:
            return
        if "hover" in message:
            self._note_hover(page, message["hover"])
            return
        if "kind" not in message:
            self._note_files(page, message)
            return
        key = (self._tabs.number(page), message["element"], message["kind"])
        if message.get("secret"):
            self.sink.secret(message["secret"], f"{key[0]} {key[1]}")
        elif message["kind"] == "type":
            self.sink.shown(message["value"])
        if self.actions and key == self._newest_key and message["kind"] in _COALESCED:
            self._note_whole(self.actions[-1].number, message)
            self._change_newest(value=_clip(message["value"]))
            return
        self._newest_key = key
        self._urls[page] = message["url"]
        self._add(page, message)

    def _note_hover(self, page: Page, hover: dict[str, Any]) -> None:
        self.hovers.append(
            Hovered(
                target=_touched(hover["target"]),
                at=tuple(hover["at"]),
                url=sanitize(hover["url"]),
                tab=self._tabs.number(page),
                after=len(self.actions),
            )
        )

    def _note_files(self, page: Page, message: dict[str, Any]) -> None:
        """What an upload consists of; the files are read after the upload itself is reported."""
        key = (self._tabs.number(page), message["element"])
        if key in self._uploads:
            self._files[self._uploads[key]] = tuple(message.get("files") or ())

    def _note_whole(self, number: int, message: dict[str, Any]) -> None:
        self._whole[number] = message.get("secret") or message["value"] or ""

    def repeatable(self) -> list[RepeatableAction]:
        """The actions as they can be done again: what they typed is whole, and in no file."""
        return list(map(self._as_it_was, self.actions))

    def _as_it_was(self, action: ObservedAction) -> RepeatableAction:
        number, value = action.number, action.value
        if value is not None:
            value = self._whole.get(number, value)
        return RepeatableAction(
            **action.model_dump(exclude={"value"}),
            value=value,
            gesture=self._gestures.get(number),
            files=self._files.get(number),
        )

    def _seconds(self) -> float:
        """Since the agent started; 0 before."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    def _add(self, page: Page, message: dict[str, Any]) -> None:
        assert self._started is not None, "actions are added between begin and end only"
        self._land(page, message["url"])
        action = ObservedAction(
            number=len(self.actions) + 1,
            kind=message["kind"],
            target=_touched(message.get("target", {})),
            value=_clip(message["value"]),
            url=sanitize(message["url"]),
            tab=self._tabs.number(page),
            seconds=round(self._seconds(), 3),
            by_script=message.get("by_script", False),
        )
        self._tabs.came_to_front(page)
        self.pages.acted(page, action.kind)
        self.actions.append(action)
        # First of all: while a picture is taken, the next action may be reported.
        self._note_whole(action.number, message)
        if message.get("gesture"):
            self._gestures[action.number] = _gesture(message["gesture"])
        if action.kind == "upload":
            self._uploads[action.tab, message["element"]] = action.number
            self._note_files(page, message)
        self.sink.step(action)
        # After the step is written: this call may end the episode.
        self.on_step(action.number)
        self.shoot(page, action.number)

    def _land(self, next_page: Page | None = None, url: str = "") -> None:
        """The newest action has led somewhere: note where.

        The next action in the same tab says it; else the tab is asked.
        """
        if not self.actions:
            return
        page = self._tabs.of_number(self.actions[-1].tab)
        if page is not next_page:
            url = page.url
        self._change_newest(url_after=sanitize(url))

    def _change_newest(self, **changes: Any) -> None:
        self._change(len(self.actions) - 1, **changes)

    def _change(self, index: int, **changes: Any) -> None:
        changed = self.actions[index].model_copy(update=changes)
        if changed != self.actions[index]:
            self.actions[index] = changed
            self.sink.step_changed(changed)

    # -- pictures ------------------------------------------------------------------------------

    def shoot(self, page: Page, number: int) -> None:
        """Take a picture of what an action does.

        If it leads to another document at once, the picture is that document's, see `loaded`.
        Chromium never answers a capture whose document goes away meanwhile, so numbers stay due
        until one is answered.
        """
        if self._camera is not None:
            self._shots_due.setdefault(page, []).append(number)
            self._shoot_due(page, self._camera)

    def loaded(self, page: Page) -> None:
        """A tab has loaded its document."""
        if self._camera is None or page in self._in_the_camera:
            return
        if self._shots_due.get(page):
            self._shoot_due(page, self._camera)

    def _shoot_due(self, page: Page, camera: Callable[[Page], bytes]) -> None:
        self._in_the_camera.add(page)
        with suppress(Error):  # the tab may close under the camera
            scrolled = self.scroll_of(page)
            self.deliver_shots(page, camera(page), scrolled)
        self._in_the_camera.discard(page)

    def deliver_shots(
        self, page: Page, jpeg: bytes, scrolled: tuple[float, float] | None = None
    ) -> None:
        """The first picture of a tab after the actions that still lack one.

        ``scrolled``: how far the page was scrolled then.
        """
        width = (page.viewport_size or {"width": 0})["width"]
        for number in self._shots_due.pop(page, []):
            self.sink.shot(number, jpeg, sanitize(page.url), width)
            # Once the agent has stopped, its actions are evidence and stay as they are.
            if number and scrolled is not None and self.going_on:
                self._change(number - 1, scrolled=scrolled)


def _touched(described: dict[str, Any]) -> TouchedElement:
    box, corner = described.get("box"), described.get("corner")
    return TouchedElement(
        role=sanitize(described.get("role", "")),
        name=sanitize(described.get("name", "")),
        tag=described.get("tag", ""),
        box=tuple(box) if box else None,
        corner=tuple(corner) if corner else None,
    )


def _gesture(described: dict[str, Any]) -> Gesture:
    onto = described.get("onto")
    return Gesture.model_validate({**described, "onto": _touched(onto) if onto else None})


def _clip(value: str | None) -> str | None:
    if value is None:
        return None
    return sanitize(value[:_LONGEST_VALUE])
