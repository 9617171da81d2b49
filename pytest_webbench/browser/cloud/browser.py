"""Takes a fresh session of a service for each episode."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Final

from playwright.sync_api import Browser, Playwright

from ...errors import InfraError
from ...world import World
from ..remote import connect_over_cdp, disconnect, refuse_start_arguments
from .service import BrowserService, SessionNotes, account_of, reap

# Ids are written to files and shown in messages.
_SESSION: Final = re.compile(r"[!-~]{1,200}")


class CloudBrowser:
    """A browser provider on top of a service.

    Notes each session before use, and gives back those that others have left behind.
    """

    external = True

    def __init__(
        self, playwright: Playwright, name: str, service: BrowserService, notes: SessionNotes
    ) -> None:
        self._playwright, self._name, self._service, self._notes = playwright, name, service, notes
        self._browser: Browser | None = None
        self._session: str | None = None

    def acquire(self, world: World) -> Browser:
        refuse_start_arguments(world, self._name)
        self.release()
        # An episode is waiting, and if one cannot be released the service may be out of reach.
        reap(self._name, self._service, self._notes, all_of_them=False)
        with ExitStack() as undo:
            undo.callback(self.release)
            url = self._service.acquire(self._note)
            if self._session is None:
                raise InfraError(f"{self._name} gave a browser without the id of its session")
            self._browser = connect_over_cdp(self._playwright, url)
            undo.pop_all()
        return self._browser

    def _note(self, session: str) -> None:
        if not _SESSION.fullmatch(session):
            raise InfraError(
                f"{self._name} gave a session id that cannot be used: {session[:50]!a}"
            )
        self._session = session
        self._notes.note(self._name, account_of(self._service), session)

    def kill(self) -> None:
        self.release()

    def release(self) -> None:
        """Give the session back; if that fails, its note stays and somebody tries again later."""
        session, self._session = self._session, None
        browser, self._browser = self._browser, None
        if session is not None:
            try:
                self._service.release(session)
            except Exception:  # noqa: BLE001 - the border to a user's service; the note tells of it
                self._notes.leave(session)
            else:
                self._notes.forget(session)
        disconnect(browser)

    def episode_over(self) -> None:
        """Every episode has a session of its own, and none runs longer than its episode."""
        self.release()
