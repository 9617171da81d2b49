"""One episode's browser context: its tabs, what is observed in them, and how it ends."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final, Self

from playwright.sync_api import Download, Error, Page, Route

from .._text import sanitize
from ..errors import InfraError
from ..evidence.models import ObservedAction
from .action_log import ActionLog, ActionSink, NoSink
from .boundary import ERROR_PAGE, Boundary
from .cdp_session import LAST_INPUT, NO_INPUT, PULSE, CdpSession
from .context import FreshContext, named
from .event_loop import run_in_event_loop
from .input_sources import Handlers, InputSource, PipeInput
from .own_tabs import OwnTabs
from .playwright_errors import reason_of
from .recorder_reports import InputCounts, RecorderReports
from .tab_history import TabHistory
from .tabs import BLANK, Tabs
from .traffic import Traffic

_END_SECONDS: Final = 2.0
# A page may open dialogs without end.
_MOST_DIALOGS: Final = 100
_LONGEST_DIALOG: Final = 500
_MOST_REWRITTEN: Final = 100
# Waits in the page: Playwright delivers events only while one of its calls waits. Not by a timeout,
# which never comes where scripts are off.
_NEXT_FRAME: Final = "scheduler.postTask(() => 0, { delay: 10 })"
_FILLED: Final = """
    document.body?.querySelector(":scope > :not(script, style)") != null
    || (document.body?.textContent ?? "").trim() !== ""
"""
"""Whether a page has written something into an empty document."""
# Runs in every document of the tab, so it must not undo what the site has stored since.
_SEED_STORAGE: Final = """([origin, entries]) => {
  if (location.origin !== origin) return;
  for (const [key, value] of entries) localStorage[key] ??= value;
}"""


class Session:
    """A fresh context with one page; observes every tab that the agent or a page opens in it."""

    def __init__(self, fresh: FreshContext, sink: ActionSink, *, step_shots: bool) -> None:
        self.context = fresh.context
        self.kill_browser = fresh.kill_browser
        self.cdp_url = fresh.cdp_url
        assert self.context.browser is not None, "only contexts of Android devices have none"
        self._browser = self.context.browser
        self.external = fresh.external
        """Somebody else runs the browser."""
        self.dialogs: list[str] = []
        self.rewritten: list[str] = []
        """Addresses of documents that a script opened anew while the agent acted."""
        self.crashed: set[Page] = set()
        self._ended: set[Page] = set()
        self._close_asked = False
        self._watch_close()
        self._tabs = Tabs()
        self.history = TabHistory()
        self._connections: dict[Page, CdpSession] = {}
        self._main_frames: dict[Page, str] = {}
        """CDP ids of the tabs' main frames, as far as they are known."""
        self._under_way: set[Page] = set()
        """Tabs that have set out for another document, and do not show it yet."""
        self._adopting = 0
        """Tabs that are being adopted at this moment."""
        self.own_tabs = OwnTabs(self.context, fresh.args)
        self.log = ActionLog(self._tabs, sink, self._picture if step_shots else None)
        self.log.scroll_of = self._scrolled
        self.reports = RecorderReports(self.log)
        self._input = self._open_input(fresh)
        self.traffic = Traffic(self.context)
        self.boundary = Boundary(None if fresh.external else self._browser)
        # A browser that is the episode's own starts with a tab.
        self.page = self.context.pages[0] if self.context.pages else self.context.new_page()
        if self.cdp_url is not None:
            # Dialogs are the agent's own client's to answer; Playwright dismisses what nobody
            # listens to.
            self.context.on("dialog", lambda _dialog: None)
        # The first tab is adopted here and now; later ones from an event, while the agent's calls
        # wait.
        self._adopt(self.page)
        self.context.on("page", self._adopt_later)
        self.context.on("download", self._note_pdf)
        if not self.external:
            self._connections[self.page].allow_copying()

    def _open_input(self, fresh: FreshContext) -> InputSource:
        if fresh.cdp_url is None:
            return PipeInput(self.log, self.reports, self._connections)
        # Few agents have a browser of their own, and websockets takes long to import.
        from .listener_input import ListenerInput

        return ListenerInput(fresh.socket_url, self.log, self.reports, self._tabs)

    @classmethod
    def unrecorded(cls, fresh: FreshContext) -> Self:
        """A session whose actions nobody wants to hear of as they happen, without pictures."""
        return cls(fresh, NoSink(), step_shots=False)

    @property
    def browser(self) -> str:
        """Name and version of the browser, such as ``chromium 142.0.7444.59``."""
        return named(self._browser)

    # -- before the agent begins -----------------------------------------------------------------

    def open(self, url: str, *, timeout: float) -> None:
        """Open the start page within ``timeout`` seconds.

        `InfraError` if that fails, for the agent has done nothing yet.
        """
        try:
            response = self.page.goto(url, timeout=timeout * 1000)
        except Error as error:
            raise InfraError(
                f"the start page {url} could not be opened: {reason_of(error)}"
            ) from error
        if response is not None and response.status >= 500:
            raise InfraError(f"the start page {url} answered with HTTP status {response.status}")

    def seed_storage(self, url: str, entries: dict[str, str]) -> None:
        """Put entries into the localStorage of the origin of ``url`` before its first page runs."""
        origin = "/".join(url.split("/")[:3])
        arguments = json.dumps([origin, list(entries.items())])
        self._connections[self.page].run_in_every_document(f"({_SEED_STORAGE})({arguments})")

    def empty_clipboard(self) -> None:
        """All episodes of a browser share one clipboard: begin with an empty one."""
        self._connections[self.page].allow_copying()
        self._ask(self.page, "navigator.clipboard.writeText('')")

    # -- while the agent acts --------------------------------------------------------------------

    def begin(self) -> None:
        """From now on what happens is the agent's doing."""
        # Not waited for: the agent can start while the picture is taken.
        run_in_event_loop(lambda: self.log.shoot(self.page, 0))
        self._input.catch_up(self.page)  # with opening the start page, which is our doing
        self.log.begin(self.page)
        self.traffic.watching = True

    def flush(self) -> None:
        """Let every action and every new tab that the browser knows of arrive here.

        Hangs if a page does not answer.
        """
        counted = [(page, page.url, self._input_counts(page)) for page in self.tabs]
        for page in self.tabs:
            self._ask(page, PULSE)  # answers come after all events before them
        self._input.catch_up(self.page)
        while self._tabs_arriving() and self.tabs:
            self._ask(self.tabs[0], _NEXT_FRAME)
        for page, url, counts in counted:
            self.reports.check(page, url, counts)

    def _input_counts(self, page: Page) -> list[InputCounts]:
        cdp = self.cdp_session(page)
        if cdp is not None and not page.url.startswith(ERROR_PAGE):
            with suppress(Error):
                return [InputCounts(*found) for found in cdp.input_counts()]
        return []

    def recorder_gaps(self) -> list[str]:
        """What is missing or doubtful in the record of actions."""
        return [*self.reports.gaps(), *self._input.gaps()]

    def _tabs_arriving(self) -> bool:
        return bool(self._tabs.opening or self._adopting or self._input.behind())

    def _ask(self, page: Page, expression: str) -> None:
        cdp = self.cdp_session(page)
        if cdp is not None:
            with suppress(Error):
                cdp.world.evaluate(expression, wait=True)

    def expect_last_input(self) -> None:
        """One more action, and the budget is used up: be ready to refuse the next at once."""
        # Not earlier: with a route, every request passes through us and the browser's cache is off.
        self._input.run_everywhere(LAST_INPUT)
        with suppress(Error):
            self.context.route("**/*", self._refuse_addresses)

    def refuse_input(self) -> None:
        """The action budget is used up: no tab takes input, only pages open addresses."""
        self._input.refusing = True
        self._input.run_everywhere(NO_INPUT)

    def _refuse_addresses(self, route: Route) -> None:
        with suppress(Error):  # a tab that opens right now has no frame yet, and one may close
            if self._input.refusing and self._is_agents_navigation(route):
                # This one is beyond the budget, which ends the episode.
                self.log.on_step(len(self.actions) + 1)
                route.fulfill(status=204)  # no content: the tab stays where it is
                return
        with suppress(Error):
            route.continue_()

    def _is_agents_navigation(self, route: Route) -> bool:
        request = route.request
        if not request.is_navigation_request():
            return False
        page = request.frame.page
        return request.frame == page.main_frame and page not in self._tabs.page_navigates

    # -- how it ends -----------------------------------------------------------------------------

    def end(self) -> None:
        """The agent has stopped: what happens from now on is not its doing."""
        self.log.end()
        self.traffic.watching = False

    def alive(self) -> bool:
        """Whether the browser is there or was closed in good order, which only the agent can ask.

        A browser that dies says nothing of its tabs; one that is asked to close ends its tabs
        first. An external one may have been asked by its owner, so its tabs prove nothing.
        """
        if self.external and not self.tabs and not self._close_asked:
            self._wait_for_browser_end()
        if self._browser.is_connected() or self._close_asked:
            return True
        return not self.external and self._ended.issuperset(self._connections)

    def require_connection(self) -> None:
        """Raise Playwright's error if a browser that seems to be there cannot be reached."""
        if self._browser.is_connected():
            self._browser.new_browser_cdp_session().detach()

    def _wait_for_browser_end(self) -> None:
        """Its tabs have ended: if the browser ends as well, let that become known."""
        with suppress(Error):
            self.context.wait_for_event("close", timeout=_END_SECONDS * 1000)
        with suppress(Error):
            # A round trip, answered or not, brings `is_connected` up to date.
            self._browser.new_browser_cdp_session().detach()

    def _watch_close(self) -> None:
        """Notice when the agent closes the browser by its own call.

        The news of its tabs' ends may then come too late.
        """
        close = self._browser.close

        def watched(**options: Any) -> None:
            self._close_asked = True
            close(**options)

        self._browser.close = watched  # type: ignore[method-assign]  # there is no event for it

    def close(self) -> None:
        """Close all tabs; a browser that is gone already is no error."""
        # The class's own method again: other episodes may use this browser.
        self._browser.__dict__.pop("close", None)
        self.boundary.close()
        with suppress(Error):
            self.context.close()
        if self.cdp_url is not None:
            self.kill_browser()  # the program that is connected to it may hold it up
        self._input.close()

    # -- tabs ------------------------------------------------------------------------------------

    @property
    def actions(self) -> list[ObservedAction]:
        """What the agent has done so far."""
        return self.log.actions

    @property
    def tabs(self) -> list[Page]:
        """Open tabs, in order of opening."""
        return self._tabs.opened()

    def final_page(self) -> Page | None:
        """The tab the agent ended on: the open one that came to the front or was acted in last.

        A blank tab that no page has filled counts only where there is no other. Hangs if a blank
        tab does not answer.
        """
        return self._tabs.front(lambda page: self.traffic.loading(page) or self._is_filled(page))

    def _is_filled(self, page: Page) -> bool:
        cdp = self.cdp_session(page)
        with suppress(Error):
            return cdp is not None and bool(cdp.world.evaluate(_FILLED))
        return False

    def cdp_session(self, page: Page) -> CdpSession | None:
        """Our own connection to a tab; None if the tab closed before we could connect."""
        if page not in self._connections and not page.is_closed():
            with suppress(Error):  # it opened a moment ago and its adoption has not come this far
                self._connections[page] = CdpSession(page)
        return self._connections.get(page)

    def _adopt_later(self, page: Page) -> None:
        if self.own_tabs.claims():
            return
        self._adopting += 1
        try:
            self._adopt(page)
        except Error:  # it closed while we connected
            self._input.closed_early(page)
        self._adopting -= 1

    def _adopt(self, page: Page) -> None:
        self._tabs.adopt(page)
        self._connections[page] = cdp = CdpSession(page)
        if page.url not in BLANK:
            self.history.shows(page, page.url)
        self._input.adopt(page, cdp, self._handlers(page))
        self.boundary.shown(cdp, page.url, typed=page not in self._tabs.page_navigates)

    def _handlers(self, page: Page) -> Handlers:
        return {
            "close": lambda _session: self._ended.add(page),
            "Inspector.targetCrashed": lambda _event: self.crashed.add(page),
            "Page.frameRequestedNavigation": lambda event: self._tabs.page_leads(page, event),
            "Page.frameStartedNavigating": lambda event: self._sets_out(page, event),
            "Page.frameNavigated": lambda event: self._navigated(page, event["frame"]),
            "Page.navigatedWithinDocument": lambda event: self._moved(page, event),
            "Page.downloadProgress": self.traffic.download_goes_on,
            "Page.loadEventFired": lambda _event: self.log.loaded(page),
            "Page.javascriptDialogOpening": self._note_dialog,
            "Page.documentOpened": lambda event: self._rewritten(page, event["frame"]),
            "Network.requestWillBeSent": self.traffic.request_sent,
            "Network.responseReceived": self.traffic.response_came,
            "Page.windowOpen": lambda _event: self._tabs.window_opens(),
            "Runtime.consoleAPICalled": self.traffic.console_called,
            "Runtime.exceptionThrown": self.traffic.exception_thrown,
        }

    def _sets_out(self, page: Page, event: dict[str, Any]) -> None:
        """A frame is about to show another document, which may turn out to be a download."""
        self.boundary.started(event["url"])
        if event["frameId"] == self._main_frames.get(page, event["frameId"]):
            self._under_way.add(page)

    def _navigated(self, page: Page, frame: dict[str, Any]) -> None:
        if "parentId" in frame:
            self.history.frame_moves(page)
            return
        self._main_frames[page] = frame["id"]
        self._under_way.discard(page)
        by_page = page in self._tabs.page_navigates
        url = frame["url"] + frame.get("urlFragment", "")
        self.history.shows(page, url, typed=not by_page)
        if self.log.going_on:
            self._tabs.page_navigates.discard(page)
        address = frame["url"] + frame.get("urlFragment", "")
        self._input.navigated(page, address, by_page=by_page)
        self.boundary.shown(self._connections[page], frame["url"], typed=not by_page)

    def _moved(self, page: Page, event: dict[str, Any]) -> None:
        """A frame shows another address of its document."""
        if event["frameId"] == self._main_frames.get(page, event["frameId"]):
            self.history.shows(page, event["url"])
        else:
            self.history.frame_moves(page)

    def _rewritten(self, page: Page, frame: dict[str, Any]) -> None:
        # A page may well fill the empty document of a tab that it has opened.
        if "parentId" in frame or not self.log.pages.shows_document(page):
            return
        if self.log.going_on and len(self.rewritten) < _MOST_REWRITTEN:
            self.rewritten.append(frame["url"])

    def _note_pdf(self, download: Download) -> None:
        """A PDF counts as a page that was seen, although a browser without a window saves it."""
        if not download.suggested_filename.lower().endswith(".pdf"):
            return
        page = download.page
        if page not in self._connections:  # a tab that closes before it can be adopted
            page = page.opener() or self.page
        # A PDF that was to open in a new tab comes from the old one, which went nowhere.
        by_page = page not in self._under_way or page in self._tabs.page_navigates
        self._under_way.discard(page)
        self._tabs.page_navigates.discard(page)
        self.log.downloaded(page, download.url, download.suggested_filename, by_page=by_page)

    def _note_dialog(self, event: dict[str, Any]) -> None:
        if len(self.dialogs) < _MOST_DIALOGS:
            text = f"{event['type']}: {event['message']}"
            self.dialogs.append(sanitize(text[:_LONGEST_DIALOG]))

    def _scrolled(self, page: Page) -> tuple[float, float] | None:
        cdp = self.cdp_session(page)
        return None if cdp is None else cdp.scrolled()

    def _picture(self, page: Page) -> bytes:
        cdp = self.cdp_session(page)
        if cdp is None:
            raise Error("the tab has closed")
        return cdp.screenshot()
