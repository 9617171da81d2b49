"""One episode's browser context: its tabs, what is observed in them, and how it ends."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

import greenlet
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request

from ..errors import InfraError
from ..evidence.models import ObservedAction, Target
from ..evidence.scrub import scrub
from .channel import Channel

_MOST_DIALOGS: Final = 100
_NEXT_FRAME: Final = "new Promise((resolve) => setTimeout(resolve, 10))"
_LONGEST_VALUE: Final = 2000
_COALESCED: Final = frozenset({"type"})


class StepSink(Protocol):
    """Takes steps as they happen, so that a killed run still shows them."""

    def step(self, action: ObservedAction) -> None:
        """A new action."""

    def step_changed(self, action: ObservedAction) -> None:
        """More is known of the newest action: the whole text typed, the address it led to."""

    def shot(self, number: int, jpeg: bytes) -> None:
        """What the page showed when action ``number`` took effect; number 0 is the start page."""


class Session:
    """A fresh context with one page; observes every tab that the agent or a page opens in it."""

    def __init__(
        self,
        browser: Browser,
        context_args: dict[str, Any],
        sink: StepSink,
        *,
        step_shots: bool,
    ) -> None:
        self.actions: list[ObservedAction] = []
        self.dialogs: list[str] = []
        self.in_flight: set[Request] = set()
        self.on_step: Callable[[int], None] = lambda _count: None
        self._browser, self._sink, self._step_shots = browser, sink, step_shots
        self._channels: dict[Page, Channel] = {}
        self._order: list[Page] = []
        self._last_active: Page | None = None
        self._page_navigates: set[Page] = set()
        self._urls: dict[Page, str] = {}
        self._opening = 0
        self._shots_due: dict[Page, list[int]] = {}
        self._started: float | None = None
        self._newest_key: tuple[int, int, str] | None = None
        self.context: BrowserContext = browser.new_context(**context_args)
        self.context.on("request", self._request_began)
        self.context.on("requestfinished", self._request_ended)
        self.context.on("requestfailed", self._request_ended)
        self.page = self.context.new_page()
        # The first tab is adopted here and now. Those that open later are adopted from an event, beside the agent's calls.
        self._adopt(self.page)
        self.context.on("page", self._adopt_later)

    # -- opening and closing -------------------------------------------------------------------------------------

    def open(self, url: str, *, timeout: float) -> None:
        """Open the start page; `InfraError` if that fails, for the agent has done nothing yet."""
        try:
            response = self.page.goto(url, timeout=timeout * 1000)
        except Error as error:
            raise InfraError(f"the start page {url} could not be opened: {first_line(error)}") from error
        if response is not None and response.status >= 500:
            raise InfraError(f"the start page {url} answered with HTTP status {response.status}")

    def seed_storage(self, url: str, entries: dict[str, str]) -> None:
        """Put entries into the localStorage of the origin of ``url`` before its first page runs."""
        origin = "/".join(url.split("/")[:3])
        script = """([origin, entries]) => {
          if (location.origin === origin) for (const [key, value] of entries) localStorage[key] ??= value;
        }"""
        arguments = json.dumps([origin, list(entries.items())])
        self.page.add_init_script(f"({script})({arguments})")

    def alive(self) -> bool:
        """Whether the browser is still there."""
        return self._browser.is_connected()

    def begin(self) -> None:
        """From now on what happens is the agent's doing."""
        if self._step_shots:
            _beside(lambda: self._shoot(self.page, 0))
        self._urls[self.page] = self.page.url
        self._started = time.monotonic()

    def flush(self) -> None:
        """Let every action and every new tab that the browser knows of arrive here; hangs if a page does not answer."""
        for page in self.tabs:
            self._ask(page, "1")  # answers come after all events before them
        while self._opening and self.tabs:
            self._ask(self.tabs[0], _NEXT_FRAME)

    def _ask(self, page: Page, expression: str) -> None:
        channel = self.channel(page)
        if channel is not None:
            with suppress(Error):
                channel.evaluate(expression, wait=True)

    def end(self) -> None:
        """The agent has stopped: what happens from now on is not its doing."""
        self._land()
        self._started = None

    def close(self) -> None:
        """Close all tabs; a browser that is gone already is no error."""
        with suppress(Error):
            self.context.close()

    # -- tabs ----------------------------------------------------------------------------------------------------

    @property
    def tabs(self) -> list[Page]:
        """Open tabs, in order of opening."""
        return [page for page in self._order if not page.is_closed()]

    def final_page(self) -> Page | None:
        """The tab the agent ended on: where it acted or what it opened last, if still open; else the newest."""
        if self._last_active is not None and not self._last_active.is_closed():
            return self._last_active
        return self.tabs[-1] if self.tabs else None

    def channel(self, page: Page) -> Channel | None:
        """Our own connection to a tab; None if the tab closed before we could connect."""
        if page not in self._channels and not page.is_closed():
            with suppress(Error):  # it opened a moment ago and its adoption has not come this far
                self._channels[page] = Channel(page)
        return self._channels.get(page)

    def _adopt_later(self, page: Page) -> None:
        with suppress(Error):  # it may close while we connect
            self._adopt(page)

    def _adopt(self, page: Page) -> None:
        self._order.append(page)
        self._last_active = page
        if page.opener() is not None:
            self._page_navigates.add(page)
            self._opening = max(0, self._opening - 1)
        self._channels[page] = channel = Channel(page)
        channel.start(
            lambda message: self._observed(page, message),
            {
                "Page.frameRequestedNavigation": lambda _event: self._page_navigates.add(page),
                "Page.frameNavigated": lambda event: self._navigated(page, event["frame"]),
                "Page.loadEventFired": lambda _event: self._loaded(page),
                "Page.javascriptDialogOpening": self._dialog,
                "Page.windowOpen": lambda _event: self._window_opens(),
            },
        )

    def _request_began(self, request: Request) -> None:
        self.in_flight.add(request)

    def _request_ended(self, request: Request) -> None:
        self.in_flight.discard(request)

    def _window_opens(self) -> None:
        """A tab is on its way: the browser announces it some time before it can be adopted."""
        self._opening += 1

    def _dialog(self, event: dict[str, Any]) -> None:
        if len(self.dialogs) < _MOST_DIALOGS:
            self.dialogs.append(scrub(f"{event['type']}: {event['message']}"[:500]))

    # -- actions -------------------------------------------------------------------------------------------------

    def _navigated(self, page: Page, frame: dict[str, Any]) -> None:
        """A new document in the main frame; unless a page asked for it, the agent opened it by address."""
        if "parentId" in frame or self._started is None:
            return
        before, self._urls[page] = self._urls.get(page, ""), frame["url"]
        by_page = page in self._page_navigates
        self._page_navigates.discard(page)
        if not by_page and frame["url"] != "about:blank":
            self._newest_key = None
            self._add(page, {"kind": "navigate", "value": frame["url"], "url": before})

    def _observed(self, page: Page, message: dict[str, Any]) -> None:
        if self._started is None:
            return
        key = (self._order.index(page), message["element"], message["kind"])
        if self.actions and key == self._newest_key and message["kind"] in _COALESCED:
            self._change_newest(value=_clip(message["value"]))
            return
        self._newest_key = key
        self._urls[page] = message["url"]
        self._add(page, message)

    def _add(self, page: Page, message: dict[str, Any]) -> None:
        assert self._started is not None, "actions are added between begin and end only"
        self._land()
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
            tab=self._order.index(page),
            seconds=round(time.monotonic() - self._started, 3),
        )  # fmt: skip
        self._last_active = page
        self.actions.append(action)
        self._sink.step(action)
        self.on_step(action.number)
        if self._step_shots:
            self._shoot(page, action.number)

    def _shoot(self, page: Page, number: int) -> None:
        """A picture of what an action does; if it leads to another document at once, that document's (see `_loaded`).

        Chromium never answers a capture whose document goes away meanwhile, so numbers stay due until one is answered.
        """
        self._shots_due.setdefault(page, []).append(number)
        self._shoot_due(page)

    def _shoot_due(self, page: Page) -> None:
        with suppress(Error):  # the tab may close under the camera
            self.deliver_shots(page, self._channels[page].screenshot())

    def _loaded(self, page: Page) -> None:
        if self._shots_due.get(page):
            self._shoot_due(page)

    def deliver_shots(self, page: Page, jpeg: bytes) -> None:
        """The first picture of a tab after the actions that still lack one."""
        for number in self._shots_due.pop(page, []):
            self._sink.shot(number, jpeg)

    def _land(self) -> None:
        """The newest action has led somewhere: note where."""
        if self.actions:
            page = self._order[self.actions[-1].tab]
            self._change_newest(url_after=scrub(page.url))

    def _change_newest(self, **changes: Any) -> None:
        newest = self.actions[-1].model_copy(update=changes)
        if newest != self.actions[-1]:
            self.actions[-1] = newest
            self._sink.step_changed(newest)

    def refuse_input(self) -> None:
        """The action budget is used up: no tab takes input any more."""
        for page in self.tabs:
            channel = self._channels.get(page)
            if channel is not None:
                with suppress(Error):
                    channel.refuse_input()


def _beside(work: Callable[[], None]) -> None:
    """Does work that waits for the browser while the next call of the main program waits, as event handlers do."""
    asyncio.get_running_loop().call_soon(lambda: greenlet.greenlet(work).switch())


def _clip(value: str | None) -> str | None:
    return None if value is None else scrub(value[:_LONGEST_VALUE])


def first_line(error: Error) -> str:
    """What a Playwright error says, without its call log."""
    return scrub(error.message.splitlines()[0]) if error.message else type(error).__name__
