"""Where a session learns what the agent does: from Playwright's pipe, or from a WebSocket.

An agent in our process acts through the same pipe that we listen to, so that the recorder is in a
new tab before the agent can act there. An agent in a process of its own has no such patience; how
its browser is made to wait says `cdp_listener`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from playwright.sync_api import Error, Page

from .action_log import ActionLog
from .cdp_session import CdpSession
from .recorder_reports import RecorderReports

Handlers = Mapping[str, Callable[[Any], None]]
"""Handlers of CDP events, by their names."""


class InputSource(Protocol):
    """Notes input in all tabs of a session in its log, and limits it once the budget is used up."""

    refusing: bool
    """The action budget is used up."""

    def adopt(self, page: Page, cdp: CdpSession, handlers: Handlers) -> None:
        """Begin to observe a new tab, where ``handlers`` want to hear of events."""

    def closed_early(self, page: Page) -> None:
        """A tab closed before it could be adopted."""

    def navigated(self, page: Page, url: str, *, by_page: bool) -> None:
        """Playwright's pipe tells of another document in a tab."""

    def run_everywhere(self, source: str) -> None:
        """Run a script of ours in every tab, in those that are opened later, too."""

    def catch_up(self, page: Page) -> None:
        """Wait until everything is noted that was done up to now; ``page`` leads to the loop."""

    def behind(self) -> bool:
        """Whether the browser has a tab that has not arrived here."""

    def gaps(self) -> list[str]:
        """How the connection that tells of input was interrupted."""

    def close(self) -> None:
        """Stop to listen."""


class PipeInput:
    """Input in a browser that only we are connected to: a recorder in each tab reports it."""

    def __init__(
        self, log: ActionLog, reports: RecorderReports, connections: Mapping[Page, CdpSession]
    ) -> None:
        self.refusing = False
        self._log, self._reports, self._connections = log, reports, connections
        self._sources: list[str] = []

    def adopt(self, page: Page, cdp: CdpSession, handlers: Handlers) -> None:
        cdp.start(lambda payload: self._reports.received(page, payload), handlers)
        for source in self._sources:
            cdp.run_in_every_document(source)

    def closed_early(self, page: Page) -> None:
        """Nothing was done there: the agent's calls come after the news of the tab."""

    def navigated(self, page: Page, url: str, *, by_page: bool) -> None:
        self._log.navigated(page, url, by_page=by_page)

    def run_everywhere(self, source: str) -> None:
        self._sources.append(source)
        for page, cdp in list(self._connections.items()):
            if not page.is_closed():
                with suppress(Error):
                    cdp.run_in_every_document(source)

    def catch_up(self, page: Page) -> None:
        """Events come in order and before later answers: nothing can be missing."""

    def behind(self) -> bool:
        return False

    def gaps(self) -> list[str]:
        return []

    def close(self) -> None:
        """There is nothing of its own to close."""
