"""The log of pages seen: what tabs and documents report, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.browser.page_log import PageLog
from pytest_webbench.evidence.models import HowOpened, PageSeen

LIST = "https://shop.example/lamps"
LAMP = "https://shop.example/lamps/42"
PUT_RIGHT = LAMP + "#size=m"


def new_tab() -> Any:
    """The log only tells tabs apart, so any object will do."""
    return object()


class Tabs:
    """A list in front, and a lamp that a click opened in a tab behind it."""

    def __init__(self) -> None:
        self.front, self.behind = new_tab(), new_tab()
        self.log = PageLog({self.behind: self.front})
        self.log.came_to_front(self.front)
        self.log.committed(self.front, LIST, tab=0, by_page=False, seconds=0)
        self.tells("shown", self.front, LIST)
        self.log.agent_acts = True
        self.log.acted(self.front, "click")
        self.log.committed(self.behind, LAMP, tab=1, by_page=True, seconds=1)
        self.tells("shown", self.behind, LAMP)

    def tells(self, event: str, page: Any, url: str, **more: Any) -> None:
        """A document reports which address it shows, or which text."""
        tab = int(page is self.behind)
        message = {"event": event, "document": f"d{tab}", "part": 0, "url": url, **more}
        self.log.reported(page, {"kind": "navigate", **message}, tab=tab, seconds=2)

    def seen(self) -> PageSeen:
        """The judged page, which is that of the tab behind."""
        self.log.came_to_front(self.behind)
        return self.log.pages(self.behind, None)[-1]


@pytest.mark.parametrize("read_before", [False, True])
def test_address_put_right_in_a_tab_behind_keeps_its_click(read_before: bool) -> None:
    tabs = Tabs()
    if read_before:
        tabs.tells("read", tabs.behind, LAMP, title="Lamp", text="Loading")
    tabs.tells("shown", tabs.behind, PUT_RIGHT, kind="replace", part=1)
    tabs.tells("read", tabs.behind, PUT_RIGHT, title="Lamp", text="Brass lamp", part=1)
    page = tabs.seen()
    assert (page.url, page.how, page.opened_from) == (PUT_RIGHT, HowOpened.CLICK, 1)
    assert page.text == "Brass lamp"


def test_address_changed_in_a_page_that_was_read_in_front_is_another_page() -> None:
    tabs = Tabs()
    tabs.log.came_to_front(tabs.behind)
    tabs.tells("read", tabs.behind, LAMP, title="Lamp", text="Brass lamp")
    tabs.tells("shown", tabs.behind, PUT_RIGHT, kind="replace", part=1)
    page = tabs.seen()
    assert (page.url, page.how, page.opened_from) == (PUT_RIGHT, HowOpened.SCRIPT, 2)
