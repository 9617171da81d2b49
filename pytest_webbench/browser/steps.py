"""What the agent does, written down as it happens: one `ObservedAction` each, with a picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from playwright.sync_api import Error, Page

from ..evidence.models import ObservedAction, Target
from ..evidence.scrub import scrub
from .tabs import Tabs

_LONGEST_VALUE: Final = 2000
_COALESCED: Final = frozenset({"type"})


class StepSink(Protocol):
    """Takes steps as they happen, so that a killed run still shows them."""

    def step(self, action: ObservedAction) -> None:
        """A new action."""

    def step_changed(self, action: ObservedAction) -> None:
        """More is known of the newest action: the whole text typed, the address it led to."""

    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None:
        """What the page showed when action ``number`` took effect; number 0 is the start page.

        ``url`` is the page's address then, ``width`` that of its viewport in CSS pixels, 0 if unknown.
        """

    def secret(self, value: str, field: str) -> None:
        """The whole content of a password field, so far as it is typed: it must not reach any file."""

    def shown(self, value: str) -> None:
        """The same of a field that anybody can read."""


class Steps:
    """Adds actions between `begin` and `end`. ``camera`` takes a picture of a tab; without one there are none."""

    def __init__(self, tabs: Tabs, sink: StepSink, camera: Callable[[Page], bytes] | None) -> None:
        self.actions: list[ObservedAction] = []
        self.on_step: Callable[[int], None] = lambda _count: None
        self.sink = sink
        self._tabs, self._camera = tabs, camera
        self._urls: dict[Page, str] = {}
        self._shots_due: dict[Page, list[int]] = {}
        self._in_the_camera: set[Page] = set()
        """Tabs whose present document a picture is being taken of."""
        self._started: float | None = None
        self._newest_key: tuple[int, int, str] | None = None

    @property
    def going_on(self) -> bool:
        """Whether what happens is the agent's doing."""
        return self._started is not None

    def begin(self, page: Page) -> None:
        """From now on what happens is the agent's doing."""
        self._urls[page] = page.url
        self._started = time.monotonic()

    def end(self) -> None:
        """The agent has stopped."""
        self._land()
        self._started = None

    def navigated(self, page: Page, url: str, *, by_page: bool) -> None:
        """A new document in a tab; unless a page asked for it, the agent opened it by address."""
        self._in_the_camera.discard(page)
        if self._started is None:
            return
        before, self._urls[page] = self._urls.get(page, ""), url
        if not by_page and url != "about:blank":
            self._newest_key = None
            self._add(page, {"kind": "navigate", "value": url, "url": before})

    def observed(self, page: Page, message: dict[str, Any]) -> None:
        """The recorder in a page tells of an input."""
        if self._started is None:
            return
        key = (self._tabs.number(page), message["element"], message["kind"])
        if message.get("secret"):
            self.sink.secret(message["secret"], f"{key[0]} {key[1]}")
        elif message["kind"] == "type":
            self.sink.shown(message["value"])
        if self.actions and key == self._newest_key and message["kind"] in _COALESCED:
            self._change_newest(value=_clip(message["value"]))
            return
        self._newest_key = key
        self._urls[page] = message["url"]
        self._add(page, message)

    def _add(self, page: Page, message: dict[str, Any]) -> None:
        assert self._started is not None, "actions are added between begin and end only"
        self._land(page, message["url"])
        target = message.get("target", {})
        action = ObservedAction(
            number=len(self.actions) + 1,
            kind=message["kind"],
            target=Target(
                role=scrub(target.get("role", "")), name=scrub(target.get("name", "")), tag=target.get("tag", ""),
                box=tuple(target["box"]) if target.get("box") else None,
            ),
            value=_clip(message["value"]),
            url=scrub(message["url"]),
            tab=self._tabs.number(page),
            seconds=round(time.monotonic() - self._started, 3),
        )  # fmt: skip
        self._tabs.came_to_front(page)
        self.actions.append(action)
        self.sink.step(action)
        self.on_step(action.number)
        self.shoot(page, action.number)

    def _land(self, next_page: Page | None = None, url: str = "") -> None:
        """The newest action has led somewhere: note where. The next action in the same tab tells; else ask the tab."""
        if self.actions:
            page = self._tabs.of_number(self.actions[-1].tab)
            self._change_newest(url_after=scrub(url if page is next_page else page.url))

    def _change_newest(self, **changes: Any) -> None:
        newest = self.actions[-1].model_copy(update=changes)
        if newest != self.actions[-1]:
            self.actions[-1] = newest
            self.sink.step_changed(newest)

    # -- pictures ------------------------------------------------------------------------------------------------

    def shoot(self, page: Page, number: int) -> None:
        """A picture of what an action does; if it leads to another document at once, that document's (see `loaded`).

        Chromium never answers a capture whose document goes away meanwhile, so numbers stay due until one is answered.
        """
        if self._camera is not None:
            self._shots_due.setdefault(page, []).append(number)
            self._shoot_due(page, self._camera)

    def loaded(self, page: Page) -> None:
        """A tab has loaded its document."""
        if self._camera is not None and self._shots_due.get(page) and page not in self._in_the_camera:
            self._shoot_due(page, self._camera)

    def _shoot_due(self, page: Page, camera: Callable[[Page], bytes]) -> None:
        self._in_the_camera.add(page)
        with suppress(Error):  # the tab may close under the camera
            self.deliver_shots(page, camera(page))
        self._in_the_camera.discard(page)

    def deliver_shots(self, page: Page, jpeg: bytes) -> None:
        """The first picture of a tab after the actions that still lack one."""
        width = (page.viewport_size or {"width": 0})["width"]
        for number in self._shots_due.pop(page, []):
            self.sink.shot(number, jpeg, scrub(page.url), width)


def _clip(value: str | None) -> str | None:
    return None if value is None else scrub(value[:_LONGEST_VALUE])
