"""One episode's browser context: its tabs, what is observed in them, and how it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

from playwright.sync_api import Browser, BrowserContext, Error, Page, Route

from ..errors import InfraError
from ..evidence.models import ObservedAction, Target
from ..evidence.scrub import scrub
from .beside import beside
from .channel import Channel
from .traffic import Traffic

_MOST_DIALOGS: Final = 100
_SAME_MOMENT_SECONDS: Final = 1.0
_NEXT_FRAME: Final = "new Promise((resolve) => setTimeout(resolve, 10))"
_LONGEST_VALUE: Final = 2000
_COALESCED: Final = frozenset({"type"})
_BLANK: Final = ("", "about:blank")


class StepSink(Protocol):
    """Takes steps as they happen, so that a killed run still shows them."""

    def step(self, action: ObservedAction) -> None:
        """A new action."""

    def step_changed(self, action: ObservedAction) -> None:
        """More is known of the newest action: the whole text typed, the address it led to."""

    def shot(self, number: int, jpeg: bytes) -> None:
        """What the page showed when action ``number`` took effect; number 0 is the start page."""

    def secret(self, value: str, field: str) -> None:
        """The whole content of a password field, so far as it is typed: it must not reach any file."""

    def shown(self, value: str) -> None:
        """The same of a field that anybody can read."""


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
        self.on_step: Callable[[int], None] = lambda _count: None
        self.sink = sink
        self.crashed: set[Page] = set()
        self._browser, self._step_shots = browser, step_shots
        self._channels: dict[Page, Channel] = {}
        self._order: list[Page] = []
        self._recent: list[Page] = []
        """Every tab, that one last which was opened, brought to the front or acted in last."""
        self._ended: set[Page] = set()
        self._behind = 0
        self._close_asked = False
        self._watch_close()
        self._announced = 0.0
        self._unclaimed: tuple[Page, float] | None = None
        """Tabs on their way that stay behind the present one."""
        self._own_tabs = 0
        self._page_navigates: set[Page] = set()
        self._urls: dict[Page, str] = {}
        self._opening = 0
        self._shots_due: dict[Page, list[int]] = {}
        self._started: float | None = None
        self._newest_key: tuple[int, int, str] | None = None
        self.context: BrowserContext = browser.new_context(**context_args)
        self.traffic = Traffic(self.context)
        self.page = self.context.new_page()
        # The first tab is adopted here and now; those that open later from an event, beside the agent's calls.
        self._adopt(self.page)
        self.context.on("page", self._adopt_later)

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

    def empty_clipboard(self) -> None:
        """All episodes of a browser share one clipboard: begin with an empty one."""
        self.context.grant_permissions(["clipboard-write"])
        self._ask(self.page, "navigator.clipboard.writeText('')")
        self.context.clear_permissions()

    def alive(self) -> bool:
        """Whether the browser is still there, or was closed in good order, which only the agent can have asked for.

        A browser that dies tells of no tab's end; one that is asked to close ends its tabs first.
        """
        return self._browser.is_connected() or self._close_asked or self._ended.issuperset(self._channels)

    def _watch_close(self) -> None:
        """Notice when the agent closes the browser by its own call: the tabs' ends may then come too late to tell."""
        close = self._browser.close

        def watched(**options: Any) -> None:
            self._close_asked = True
            close(**options)

        self._browser.close = watched  # type: ignore[method-assign]

    def begin(self) -> None:
        """From now on what happens is the agent's doing."""
        if self._step_shots:
            beside(lambda: self._shoot(self.page, 0))
        self._urls[self.page] = self.page.url
        self._started = time.monotonic()
        self.traffic.watching = True

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
        self.traffic.watching = False

    def close(self) -> None:
        """Close all tabs; a browser that is gone already is no error."""
        self._browser.__dict__.pop("close", None)  # what was watched is the class's own method again
        with suppress(Error):
            self.context.close()

    # -- tabs ----------------------------------------------------------------------------------------------------

    @property
    def tabs(self) -> list[Page]:
        """Open tabs, in order of opening."""
        return [page for page in self._order if not page.is_closed()]

    def final_page(self) -> Page | None:
        """The tab the agent ended on: of those still open, the one that came to the front or was acted in last.

        A blank tab counts only where there is no other.
        """
        opened = [page for page in self._recent if not page.is_closed()]
        shown = [page for page in opened if page.url not in _BLANK or self.traffic.loading(page)]
        return next(reversed(shown or opened), None)

    @contextmanager
    def own_tab(self, url: str) -> Iterator[Channel]:
        """A tab of ours on an empty document at ``url``: no script of its origin runs, but its storage can be read."""
        self._own_tabs += 1
        page = self.context.new_page()
        try:
            page.route("**/*", lambda route: route.fulfill(status=200, content_type="text/html", body=""))
            page.goto(url)
            yield Channel(page)
        finally:
            with suppress(Error):
                page.close()

    def channel(self, page: Page) -> Channel | None:
        """Our own connection to a tab; None if the tab closed before we could connect."""
        if page not in self._channels and not page.is_closed():
            with suppress(Error):  # it opened a moment ago and its adoption has not come this far
                self._channels[page] = Channel(page)
        return self._channels.get(page)

    def _adopt_later(self, page: Page) -> None:
        if self._own_tabs:
            self._own_tabs -= 1
            return
        with suppress(Error):  # it may close while we connect
            self._adopt(page)

    def _adopt(self, page: Page) -> None:
        self._order.append(page)
        self._recent.insert(self._place_among_recent(page), page)
        self._watch_front(page)
        if page.opener() is not None:
            self._page_navigates.add(page)
            self._opening = max(0, self._opening - 1)
        self._channels[page] = channel = Channel(page)
        channel.start(
            lambda message: self._observed(page, message),
            {
                "close": lambda _session: self._ended.add(page),
                "Inspector.targetCrashed": lambda _event: self.crashed.add(page),
                "Page.frameRequestedNavigation": lambda event: self._page_leads(page, event),
                "Page.frameNavigated": lambda event: self._navigated(page, event["frame"]),
                "Page.loadEventFired": lambda _event: self._loaded(page),
                "Page.javascriptDialogOpening": self._dialog,
                "Page.windowOpen": lambda _event: self._window_opens(),
                "Runtime.consoleAPICalled": self.traffic.console_called,
                "Runtime.exceptionThrown": self.traffic.exception_thrown,
            },
        )

    def _place_among_recent(self, page: Page) -> int:
        """At the end, for a new tab comes to the front; one opened with Control or the middle button stays behind."""
        if page.opener() is not None:
            return len(self._recent)
        just_announced = time.monotonic() - self._announced < _SAME_MOMENT_SECONDS
        if not self._behind or (page.url in _BLANK and not just_announced):
            if self._recent:  # the first tab is ours
                self._unclaimed = (page, time.monotonic())
            return len(self._recent)
        self._behind -= 1
        self._opening = max(0, self._opening - 1)
        self._page_navigates.add(page)
        return max(0, len(self._recent) - 1)

    def _claim_behind(self) -> bool:
        """Whether the tab that a page has just announced is here already: the two messages may come in either order."""
        page, since = self._unclaimed or (None, 0.0)
        self._unclaimed = None
        if page is None or page not in self._recent or time.monotonic() - since > _SAME_MOMENT_SECONDS:
            return False
        self._recent.remove(page)
        self._recent.insert(max(0, len(self._recent) - 1), page)
        self._page_navigates.add(page)
        return True

    def _came_to_front(self, page: Page) -> None:
        if page in self._recent:
            self._recent.remove(page)
        self._recent.append(page)

    def _watch_front(self, page: Page) -> None:
        """Notice when the agent brings a tab to the front: the browser tells nobody of that."""
        bring_to_front = page.bring_to_front

        def watched() -> None:
            bring_to_front()
            self._came_to_front(page)

        page.bring_to_front = watched  # type: ignore[method-assign]

    def _page_leads(self, page: Page, event: dict[str, Any]) -> None:
        """A page asks for another document, in its own tab or in one behind it."""
        if event.get("disposition") == "newTab":
            self._announced = time.monotonic()
            if not self._claim_behind():
                self._behind += 1
                self._window_opens()
        else:
            self._page_navigates.add(page)

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
        self._came_to_front(page)
        self.actions.append(action)
        self.sink.step(action)
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
            self.sink.shot(number, jpeg)

    def _land(self) -> None:
        """The newest action has led somewhere: note where."""
        if self.actions:
            page = self._order[self.actions[-1].tab]
            self._change_newest(url_after=scrub(page.url))

    def _change_newest(self, **changes: Any) -> None:
        newest = self.actions[-1].model_copy(update=changes)
        if newest != self.actions[-1]:
            self.actions[-1] = newest
            self.sink.step_changed(newest)

    def _bar_addresses(self, route: Route) -> None:
        with suppress(Error):  # the tab may close meanwhile; a tab that opens right now has no frame yet
            request = route.request
            page = request.frame.page if request.is_navigation_request() else None
            if page is not None and request.frame == page.main_frame and page not in self._page_navigates:
                self.on_step(len(self.actions) + 1)
                route.fulfill(status=204)  # no content: the tab stays where it is
                return
        with suppress(Error):
            route.continue_()

    def refuse_input(self) -> None:
        """The action budget is used up: no tab takes input any more, only pages themselves open addresses."""
        with suppress(Error):
            self.context.route("**/*", self._bar_addresses)
        for page in self.tabs:
            channel = self._channels.get(page)
            if channel is not None:
                with suppress(Error):
                    channel.refuse_input()


def _clip(value: str | None) -> str | None:
    return None if value is None else scrub(value[:_LONGEST_VALUE])


def first_line(error: Error) -> str:
    """What a Playwright error says, without its call log."""
    return scrub(error.message.splitlines()[0]) if error.message else type(error).__name__
