"""Input in a browser that a program of its own drives."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Page

from .._text import sanitize
from ..errors import InfraError
from .action_log import ActionLog
from .cdp_listener import CANNOT_HEAR, CdpListener
from .cdp_session import BINDING, CdpSession
from .event_loop import run_in_event_loop, wait_in_event_loop
from .input_sources import Handlers
from .recorder_reports import RecorderReports
from .tabs import BLANK, Tabs

_LONGEST_REASON: Final = 200


class ListenerInput:
    """Notes what a `CdpListener` hears.

    What that hears of a tab may come long before Playwright knows that tab.
    """

    def __init__(self, url: str, log: ActionLog, reports: RecorderReports, tabs: Tabs) -> None:
        self.refusing = False
        self._log, self._reports, self._tabs = log, reports, tabs
        self._pages: dict[str, Page] = {}
        """Tabs that were adopted, by target id."""
        self._heard: deque[tuple[str, str, dict[str, Any]]] = deque()
        """Target id, event and parameters of what is not noted yet. The first is of a tab that is
        not adopted, and all that came later waits with it: what was done in two tabs keeps its
        order."""
        self._closed_early: list[Page] = []
        self._led: set[Page] = set()
        """Tabs whose next document was asked for by a page."""
        self._listener = self._listen(url)

    def _listen(self, url: str) -> CdpListener:
        loop = asyncio.get_running_loop()

        def deliver(target: str, event: str, parameters: dict[str, Any]) -> None:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(
                    run_in_event_loop, lambda: self._hear(target, event, parameters)
                )

        try:
            return CdpListener(url, deliver)
        except CANNOT_HEAR as error:
            reason = sanitize(str(error))[:_LONGEST_REASON]
            raise InfraError(f"the agent's own browser takes no connection: {reason}") from error

    def adopt(self, page: Page, cdp: CdpSession, handlers: Handlers) -> None:
        opened_by_agent = self._note_earlier(page, cdp)
        if opened_by_agent and self.refusing:
            page.close()  # a client may open a tab and an address in it at once
        cdp.start(None, handlers)

    def _note_earlier(self, page: Page, cdp: CdpSession) -> bool:
        """Note what was done in a tab before it was adopted; whether the agent opened it."""
        target, (_, entries) = cdp.target_id(), cdp.history()
        opened = [entry for entry in entries if entry["url"] not in BLANK]
        if opened:
            # Chromium reports addresses that a CDP client opens as typed.
            by_page = opened[0].get("transitionType") != "typed"
        else:  # it has no document yet; then what opened the tab tells
            by_page = page in self._tabs.page_navigates
        if by_page:
            self._led.add(page)
        self._pages[target] = page
        self._note_heard()
        return not by_page

    def closed_early(self, page: Page) -> None:
        self._closed_early.append(page)
        self._note_closed_early()

    def _note_closed_early(self) -> None:
        """Tabs that have closed cannot be asked for their ids; they come in order of opening."""
        here = self._listener.targets() | self._pages.keys()
        gone = dict.fromkeys(target for target, _, _ in self._heard if target not in here)
        for target, page in zip(gone, list(self._closed_early), strict=False):
            self._closed_early.remove(page)
            if page in self._tabs.page_navigates:
                self._led.add(page)
            self._pages[target] = page
        self._note_heard()

    def navigated(self, page: Page, url: str, *, by_page: bool) -> None:
        """The listener tells that as well, and in the right order with input."""

    def run_everywhere(self, source: str) -> None:
        self._listener.run_everywhere(source)

    def catch_up(self, page: Page) -> None:
        wait_in_event_loop(page, self._listener.settle)
        self._note_closed_early()

    def behind(self) -> bool:
        return not self._listener.targets() <= self._pages.keys()

    def gaps(self) -> list[str]:
        return self._listener.gaps()

    def close(self) -> None:
        self._listener.close()

    def _hear(self, target: str, event: str, parameters: dict[str, Any]) -> None:
        self._heard.append((target, event, parameters))
        self._note_heard()

    def _note_heard(self) -> None:
        while self._heard and self._heard[0][0] in self._pages:
            target, event, parameters = self._heard.popleft()
            self._note(self._pages[target], event, parameters)

    def _note(self, page: Page, event: str, parameters: dict[str, Any]) -> None:
        if event == "Runtime.bindingCalled":
            if parameters["name"] == BINDING["name"]:
                self._reports.received(page, parameters["payload"])
        elif event == "Page.frameRequestedNavigation":
            if parameters.get("disposition") != "newTab":
                self._led.add(page)
        elif "parentId" not in parameters["frame"]:  # the main frame
            by_page = page in self._led
            self._led.discard(page)
            self._log.navigated(page, parameters["frame"]["url"], by_page=by_page)
