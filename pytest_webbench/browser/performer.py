"""Does one thing in a tab as a user would: find, act, and wait for what that started.

Actions of agents, steps of scripts and recorded actions all come through `Performer.act`, so that
each of them meets the page in the same state.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

from playwright.sync_api import Error, Page

from ..errors import StepError
from .observer import Observer
from .playwright_errors import reason_of
from .settle import TO_LOOK, Patience, Requests, loaded, new_tabs, requests_of, settle

_CLOSING_SECONDS: Final = 2.0
T = TypeVar("T")


class Effect(NamedTuple):
    """What has to be known of an action to wait for what it started."""

    front: Page | None = None
    """The tab that the action has brought to the front, where it is another."""
    expect: float = 0.0
    """How many seconds a first change may take to show."""


class Performer:
    """Acts in the tabs that ``observer`` looks at; ``patience`` says what is waited for then."""

    def __init__(self, observer: Observer, *, patience: Patience = TO_LOOK) -> None:
        self._observer, self._patience = observer, patience

    def act(
        self,
        page: Page,
        title: str,
        *,
        locate: Callable[[], T],
        use: Callable[[T], Effect | None],
    ) -> Page:
        """Hand what ``locate`` finds to ``use``, then wait until nothing more happens.

        Returns the tab to go on in: the newest that was opened, else ``page`` or the tab that the
        action went to. It may be closed, if the action has closed it. `StepError` begins with
        ``title`` and says why the action could not be done.
        """
        before = list(page.context.pages)
        try:
            front = self._act(page, locate, use)
        except Error as error:
            if not _closed_by(error, page):
                raise StepError(f"{title}: {reason_of(error)}") from error
            front = page
        opened = [tab for tab in page.context.pages if tab not in before]
        if not opened:
            return front
        self._wait_for_tab(opened[-1])
        return opened[-1]

    def _act(self, page: Page, locate: Callable[[], T], use: Callable[[T], Effect | None]) -> Page:
        with requests_of(page) as requests:
            with new_tabs(page, self._observer.cdp(page).session):
                effect = use(locate()) or Effect()
            if effect.front is None or effect.front is page:
                self._settle(page, requests, expect=effect.expect)
                return page
        self._settle(effect.front, expect=effect.expect)
        return effect.front

    def _wait_for_tab(self, page: Page) -> None:
        loaded(page)
        with suppress(Error):  # it may have closed by itself
            self._settle(page)

    def _settle(self, page: Page, requests: Requests | None = None, *, expect: float = 0.0) -> None:
        settle(self._observer.frame(page), requests, expect=expect, patience=self._patience)


def _closed_by(error: Error, page: Page) -> bool:
    """Whether the action has closed the tab; the news of that may still be on its way."""
    if "has been closed" in error.message:
        with suppress(Error):
            page.wait_for_event("close", timeout=_CLOSING_SECONDS * 1000)
    return page.is_closed()
