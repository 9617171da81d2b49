"""The tabs of one episode: which are open, in which order, and which one the agent looks at."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Page

# An announcement and a tab that are further apart do not belong together.
_SAME_MOMENT_SECONDS: Final = 1.0
BLANK: Final = ("", "about:blank")
"""Addresses of a tab that shows nothing yet."""


class Tabs:
    """Keeps the order.

    Pages announce a tab some time before it can be adopted, and sometimes only after it has come.
    """

    def __init__(self) -> None:
        self.opening = 0
        """Tabs that were announced and are not here yet."""
        self.page_navigates: set[Page] = set()
        """Tabs whose next document was asked for by a page, not by address."""
        self.openers: dict[Page, Page] = {}
        """Which tab opened a tab, where that is known."""
        self.on_front: Callable[[Page], None] = lambda _page: None
        """Called whenever a tab comes to the front."""
        self._order: list[Page] = []
        self._recent: list[Page] = []
        """Every tab, that one last which was opened, brought to the front or acted in last."""
        self._behind = 0
        """Tabs on their way that stay behind the present one."""
        self._announced = 0.0
        self._announcer: Page | None = None
        """The tab that announced one behind it last."""
        self._unclaimed: tuple[Page, float] | None = None

    def adopt(self, page: Page) -> None:
        """A new tab is here."""
        self._order.append(page)
        opener = page.opener()
        if opener is not None:
            self.openers[page] = opener
        self._recent.insert(self._place_among_recent(page, opener), page)
        self._watch_front(page)
        if opener is not None:
            self.page_navigates.add(page)
            self.opening = max(0, self.opening - 1)
        if self._recent[-1] is page:
            self.on_front(page)

    def opened(self) -> list[Page]:
        """Open tabs, in order of opening."""
        return [page for page in self._order if not page.is_closed()]

    def number(self, page: Page) -> int:
        """Which tab this is, in order of opening, from 0; closed ones count."""
        return self._order.index(page)

    def of_number(self, number: int) -> Page:
        """The tab of that number."""
        return self._order[number]

    def front(self, loading: Callable[[Page], bool]) -> Page | None:
        """The open tab that came to the front or was acted in last.

        A blank one only if there is no other; ``loading`` says whether another document of a tab
        is on its way.
        """
        opened = [page for page in self._recent if not page.is_closed()]
        shown = [page for page in opened if page.url not in BLANK or loading(page)]
        return next(reversed(shown or opened), None)

    def came_to_front(self, page: Page) -> None:
        """The agent acts in this tab now."""
        if page in self._recent:
            self._recent.remove(page)
        self._recent.append(page)
        self.on_front(page)

    def window_opens(self) -> None:
        """A tab is on its way: the browser announces it some time before it can be adopted."""
        self.opening += 1

    def page_leads(self, page: Page, event: dict[str, Any]) -> None:
        """``Page.frameRequestedNavigation``: a page asks for a document, maybe in a tab behind."""
        if event.get("disposition") == "newTab":
            self._announced = time.monotonic()
            self._announcer = page
            if not self._claim_behind():
                self._behind += 1
                self.window_opens()
        else:
            self.page_navigates.add(page)

    def _place_among_recent(self, page: Page, opener: Page | None) -> int:
        """The index of a new tab: the last, for it comes to the front.

        One that was opened with Control or the middle button stays behind.
        """
        if opener is not None:
            return len(self._recent)
        just_announced = time.monotonic() - self._announced < _SAME_MOMENT_SECONDS
        # A tab that the agent opens begins blank. One that a page opens behind has its address
        # already, unless it was announced only just now.
        if not self._behind or (page.url in BLANK and not just_announced):
            if self._recent:  # the first tab is ours
                self._unclaimed = (page, time.monotonic())
            return len(self._recent)
        self._behind -= 1
        # Never below 0: an announcement may come after its tab.
        self.opening = max(0, self.opening - 1)
        self._opened_behind(page)
        return max(0, len(self._recent) - 1)

    def _claim_behind(self) -> bool:
        """Whether the tab that a page has just announced is here already.

        The two messages may come in either order.
        """
        if self._unclaimed is None:
            return False
        page, since = self._unclaimed
        self._unclaimed = None
        if page not in self._recent or time.monotonic() - since > _SAME_MOMENT_SECONDS:
            return False
        self._recent.remove(page)
        self._recent.insert(max(0, len(self._recent) - 1), page)
        self._opened_behind(page)
        return True

    def _opened_behind(self, page: Page) -> None:
        self.page_navigates.add(page)
        if self._announcer is not None and self._announcer is not page:
            self.openers[page] = self._announcer

    def _watch_front(self, page: Page) -> None:
        """Notice when the agent brings a tab to the front: the browser sends no event then."""
        bring_to_front = page.bring_to_front

        def watched() -> None:
            bring_to_front()
            self.came_to_front(page)

        page.bring_to_front = watched  # type: ignore[method-assign]  # there is no event for it
