"""One episode's browser context: its tabs, what is observed in them, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Error, Page, Route

from ..errors import InfraError
from ..evidence.models import ObservedAction
from ..evidence.scrub import scrub
from .beside import beside, wait_beside
from .channel import LAST_INPUT, NO_INPUT, Channel
from .steps import Steps, StepSink
from .tabs import Tabs
from .traffic import Traffic

if TYPE_CHECKING:
    from .tap import Tap

_END_SECONDS: Final = 2.0
_MOST_DIALOGS: Final = 100
_NEXT_FRAME: Final = "new Promise((resolve) => setTimeout(resolve, 10))"


class FreshContext(NamedTuple):
    """A context that nobody has used yet, and what has to be known of its browser."""

    context: BrowserContext
    kill_browser: Callable[[], None] = lambda: None
    """Ends the browser's process, whatever it is doing."""
    cdp_url: str | None = None
    """Where CDP clients reach the browser; it is then this episode's own and ends with it."""
    socket_url: str = ""
    """The WebSocket behind that address."""
    lent: bool = False
    """Somebody else runs the browser and may end it, in good order even."""


def fresh_context(
    browser: Browser,
    context_args: dict[str, Any],
    kill_browser: Callable[[], None] = lambda: None,
    *,
    lent: bool = False,
) -> FreshContext:
    """A new context in a browser that other episodes use, too."""
    return FreshContext(browser.new_context(**context_args), kill_browser, lent=lent)


class Session:
    """A fresh context with one page; observes every tab that the agent or a page opens in it."""

    def __init__(self, fresh: FreshContext, sink: StepSink, *, step_shots: bool) -> None:
        self.dialogs: list[str] = []
        self.crashed: set[Page] = set()
        self.context, self.kill_browser, self.cdp_url = fresh.context, fresh.kill_browser, fresh.cdp_url
        self._lent = fresh.lent
        assert self.context.browser is not None, "only contexts of other kinds of devices have none"
        self._browser = self.context.browser
        self._tabs = Tabs()
        self._channels: dict[Page, Channel] = {}
        self.steps = Steps(self._tabs, sink, self._picture if step_shots else None)
        self._ended: set[Page] = set()
        self._close_asked = False
        self._watch_close()
        self._own_tabs = 0
        self._refusing = False
        self._adopting = 0
        self._input_limits: list[str] = []
        self._pages: dict[str, Page] = {}
        self._heard: deque[tuple[str, str, dict[str, Any]]] = deque()
        """What the tap told: target id, event, parameters. It waits where it is of a tab that is not adopted yet, and
        all that came later with it: what was done in two tabs keeps its order."""
        self._short_lived: list[Page] = []
        """Tabs that closed before we were connected to them."""
        self._led: set[Page] = set()
        """Tabs whose next document was asked for by a page, as the tap tells it."""
        self._tap = None if self.cdp_url is None else self._open_tap(fresh.socket_url)
        self.traffic = Traffic(self.context)
        self.page = self.context.pages[0] if self.context.pages else self.context.new_page()
        if self.cdp_url is not None:
            # Dialogs are for the agent's own client to answer; Playwright dismisses what nobody here listens to.
            self.context.on("dialog", lambda _dialog: None)
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

        A browser that dies tells of no tab's end; one that is asked to close ends its tabs first. Of one that is lent,
        its owner may have asked that, too.
        """
        if self._lent and not self.tabs and not self._close_asked:
            self._await_end()
        if self._browser.is_connected() or self._close_asked:
            return True
        return not self._lent and self._ended.issuperset(self._channels)

    def _await_end(self) -> None:
        """Its tabs have ended: if the browser ends as well, let that become known."""
        with suppress(Error):
            self.context.wait_for_event("close", timeout=_END_SECONDS * 1000)
        with suppress(Error):
            self._browser.new_browser_cdp_session().detach()

    def _watch_close(self) -> None:
        """Notice when the agent closes the browser by its own call: the tabs' ends may then come too late to tell."""
        close = self._browser.close

        def watched(**options: Any) -> None:
            self._close_asked = True
            close(**options)

        self._browser.close = watched  # type: ignore[method-assign]

    def begin(self) -> None:
        """From now on what happens is the agent's doing."""
        beside(lambda: self.steps.shoot(self.page, 0))
        if self._tap is not None:
            wait_beside(self.page, self._tap.settle)  # of opening the start page, which is our doing
        self.steps.begin(self.page)
        self.traffic.watching = True

    def flush(self) -> None:
        """Let every action and every new tab that the browser knows of arrive here; hangs if a page does not answer."""
        for page in self.tabs:
            self._ask(page, "1")  # answers come after all events before them
        if self._tap is not None:
            wait_beside(self.page, self._tap.settle)
            self._catch_up_closed()
        while (self._tabs.opening or self._adopting or self._unadopted()) and self.tabs:
            self._ask(self.tabs[0], _NEXT_FRAME)

    def _ask(self, page: Page, expression: str) -> None:
        channel = self.channel(page)
        if channel is not None:
            with suppress(Error):
                channel.evaluate(expression, wait=True)

    def end(self) -> None:
        """The agent has stopped: what happens from now on is not its doing."""
        self.steps.end()
        self.traffic.watching = False

    def close(self) -> None:
        """Close all tabs; a browser that is gone already is no error."""
        self._browser.__dict__.pop("close", None)  # what was watched is the class's own method again
        with suppress(Error):
            self.context.close()
        if self._tap is not None:
            self.kill_browser()  # the program that connected to it may hold it up
            self._tap.close()

    # -- tabs ----------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> list[ObservedAction]:
        """What the agent has done so far."""
        return self.steps.actions

    @property
    def tabs(self) -> list[Page]:
        """Open tabs, in order of opening."""
        return self._tabs.opened()

    def final_page(self) -> Page | None:
        """The tab the agent ended on: of those still open, the one that came to the front or was acted in last.

        A blank tab counts only where there is no other.
        """
        return self._tabs.front(self.traffic.loading)

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
        self._adopting += 1
        try:
            self._adopt(page)
        except Error:  # it closed while we connected
            self._short_lived.append(page)
            self._catch_up_closed()
        self._adopting -= 1

    def _adopt(self, page: Page) -> None:
        self._tabs.adopt(page)
        self._channels[page] = channel = Channel(page)
        if self._tap is not None:
            self._catch_up(page, channel)
        channel.start(
            None if self._tap is not None else lambda message: self.steps.observed(page, message),
            {
                "close": lambda _session: self._ended.add(page),
                "Inspector.targetCrashed": lambda _event: self.crashed.add(page),
                "Page.frameRequestedNavigation": lambda event: self._tabs.page_leads(page, event),
                "Page.frameNavigated": lambda event: self._navigated(page, event["frame"]),
                "Page.loadEventFired": lambda _event: self.steps.loaded(page),
                "Page.javascriptDialogOpening": self._dialog,
                "Page.windowOpen": lambda _event: self._tabs.window_opens(),
                "Runtime.consoleAPICalled": self.traffic.console_called,
                "Runtime.exceptionThrown": self.traffic.exception_thrown,
            },
        )
        for source in self._input_limits if self._tap is None else ():
            channel.run_in_every_document(source)

    def _dialog(self, event: dict[str, Any]) -> None:
        if len(self.dialogs) < _MOST_DIALOGS:
            self.dialogs.append(scrub(f"{event['type']}: {event['message']}"[:500]))

    # -- input in a browser that another process drives ------------------------------------------------------------

    def _open_tap(self, url: str) -> Tap:
        from .tap import CANNOT_HEAR, Tap

        loop = asyncio.get_running_loop()

        def deliver(target: str, event: str, parameters: dict[str, Any]) -> None:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(beside, lambda: self._tapped(target, event, parameters))

        try:
            return Tap(url, deliver)
        except CANNOT_HEAR as error:
            raise InfraError(f"the agent's own browser takes no connection: {scrub(str(error))[:200]}") from error

    def _unadopted(self) -> bool:
        """Whether the browser has a tab that has not come this far."""
        return self._tap is not None and not self._tap.targets() <= self._pages.keys()

    def _tapped(self, target: str, event: str, parameters: dict[str, Any]) -> None:
        self._heard.append((target, event, parameters))
        self._take_heard()

    def _take_heard(self) -> None:
        while self._heard and self._heard[0][0] in self._pages:
            target, event, parameters = self._heard.popleft()
            self._take(self._pages[target], event, parameters)

    def _take(self, page: Page, event: str, parameters: dict[str, Any]) -> None:
        if event == "Runtime.bindingCalled":
            self.steps.observed(page, json.loads(parameters["payload"]))
        elif event == "Page.frameRequestedNavigation":
            if parameters.get("disposition") != "newTab":
                self._led.add(page)
        elif "parentId" not in parameters["frame"]:
            by_page = page in self._led
            self._led.discard(page)
            self.steps.navigated(page, parameters["frame"]["url"], by_page=by_page)

    def _catch_up(self, page: Page, channel: Channel) -> None:
        """A tab is being adopted: what was done there before comes now."""
        target, (_, entries) = channel.target_id(), channel.history()
        opened = [entry for entry in entries if entry["url"] not in ("", "about:blank")]
        # It may not have come as far as its first document: then what opened the tab tells.
        by_page = opened[0].get("transitionType") != "typed" if opened else page in self._tabs.page_navigates
        if by_page:
            self._led.add(page)
        self._pages[target] = page
        self._take_heard()
        if not by_page and self._refusing:
            page.close()  # a client may open a tab and an address in it at once: that is beyond the budget

    def _catch_up_closed(self) -> None:
        """The same for tabs of which we cannot ask the id any more: they closed in the order in which they opened."""
        here = set() if self._tap is None else self._tap.targets() | self._pages.keys()
        gone = dict.fromkeys(target for target, _, _ in self._heard if target not in here)
        for target, page in zip(gone, list(self._short_lived), strict=False):
            self._short_lived.remove(page)
            if page in self._tabs.page_navigates:
                self._led.add(page)
            self._pages[target] = page
        self._take_heard()

    # -- actions -------------------------------------------------------------------------------------------------

    def _navigated(self, page: Page, frame: dict[str, Any]) -> None:
        if "parentId" in frame:
            return
        by_page = page in self._tabs.page_navigates
        if self.steps.going_on:
            self._tabs.page_navigates.discard(page)
        if self._tap is None:
            self.steps.navigated(page, frame["url"], by_page=by_page)

    def _picture(self, page: Page) -> bytes:
        channel = self.channel(page)
        if channel is None:
            raise Error("the tab has closed")
        return channel.screenshot()

    def _bar_addresses(self, route: Route) -> None:
        with suppress(Error):  # the tab may close meanwhile; a tab that opens right now has no frame yet
            request = route.request
            page = request.frame.page if request.is_navigation_request() else None
            mine = page is not None and request.frame == page.main_frame
            if self._refusing and mine and page not in self._tabs.page_navigates:
                self.steps.on_step(len(self.actions) + 1)
                route.fulfill(status=204)  # no content: the tab stays where it is
                return
        with suppress(Error):
            route.continue_()

    def expect_last_input(self) -> None:
        """One more action, and the budget is used up: be ready to refuse the next at once."""
        self._limit_input(LAST_INPUT)
        with suppress(Error):
            self.context.route("**/*", self._bar_addresses)

    def _limit_input(self, source: str) -> None:
        """In every tab, those that are opened later included."""
        self._input_limits.append(source)
        if self._tap is not None:
            self._tap.run_everywhere(source)
            return
        for channel in [self._channels[page] for page in self.tabs if page in self._channels]:
            with suppress(Error):
                channel.run_in_every_document(source)

    def refuse_input(self) -> None:
        """The action budget is used up: no tab takes input any more, only pages themselves open addresses."""
        self._refusing = True
        self._limit_input(NO_INPUT)


def first_line(error: Error) -> str:
    """What a Playwright error says, without its call log."""
    return scrub(error.message.splitlines()[0]) if error.message else type(error).__name__
