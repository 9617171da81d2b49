"""Tabs that the harness opens for itself; the episode has none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page, Route, StorageState

from ..errors import GetterError
from .cdp_session import CdpSession


class OwnTabs:
    """Opens tabs of ours, and tells them from the episode's."""

    def __init__(self, context: BrowserContext, context_args: Mapping[str, Any]) -> None:
        self._context, self._context_args = context, context_args
        self._opening = 0
        """Tabs of ours that are about to open."""

    def claims(self) -> bool:
        """Whether the tab that has just opened is one of ours, and so is not to be adopted."""
        if not self._opening:
            return False
        self._opening -= 1
        return True

    @contextmanager
    def empty(self, url: str) -> Iterator[CdpSession]:
        """A tab on an empty document at ``url``.

        No script of its origin runs, but the origin's storage can be read.
        """
        with self._tab() as page:
            page.route("**/*", _answer_with_nothing)
            page.goto(url)
            yield CdpSession(page)

    @contextmanager
    def at(self, url: str, *, seconds: float) -> Iterator[tuple[Page, CdpSession]]:
        """A tab that shows ``url``; `GetterError` if the site does not serve it.

        It is in a context of its own, with what sites have stored in the episode's: routes and
        scripts that the agent has put there for later pages do not reach it.
        """
        context = self._copied_context()
        try:
            page = context.new_page()
            cdp = CdpSession(page)
            response = page.goto(url, timeout=seconds * 1000)
            if response is not None and response.status >= 400:
                raise GetterError(f"{url} answered with HTTP status {response.status}")
            yield page, cdp
        finally:
            with suppress(Error):
                context.close()

    def _copied_context(self) -> BrowserContext:
        browser = self._context.browser
        assert browser is not None, "only contexts of Android devices have none"
        args = {
            name: value
            for name, value in self._context_args.items()
            if not name.startswith("record_")
        }
        return browser.new_context(**{**args, "storage_state": self._stored()})

    def _stored(self) -> StorageState:
        try:
            return self._context.storage_state(indexed_db=True)
        except Error:  # not all that a database may hold can be copied
            return self._context.storage_state()

    @contextmanager
    def _tab(self) -> Iterator[Page]:
        # Counted before it opens, because its event arrives while `new_page` waits.
        self._opening += 1
        page = self._context.new_page()
        try:
            yield page
        finally:
            with suppress(Error):
                page.close()


def _answer_with_nothing(route: Route) -> None:
    route.fulfill(status=200, content_type="text/html", body="")
