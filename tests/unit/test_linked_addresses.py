"""Which of the addresses that an agent opened count as linked by the page before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_webbench.agents.base import Budget
from pytest_webbench.episode.repetition import Repetition, Step
from pytest_webbench.evidence.models import ObservedAction
from pytest_webbench.task import TaskBrief

START, END, BESIDE = "https://a.test/", "https://a.test/end", "https://a.test/beside"


class Links:
    """Stands in for a browser that follows addresses; ``links`` says which page links where."""

    def __init__(self, *links: tuple[str, str]) -> None:
        self._links, self._at = links, START

    def has_link(self, _page: object, *, tab: int, url: str) -> bool:
        del tab
        return (self._at, url) in self._links

    def do(self, _page: object, action: ObservedAction) -> None:
        self._at = str(action.value).partition("#")[0]

    def bring_to_front(self, _page: object, *, tab: int) -> None:
        del tab


def linked(links: Links, *opened: str) -> list[str]:
    steps = [Step(ObservedAction(number=0, kind="navigate", value=url)) for url in opened]
    tab = SimpleNamespace(is_closed=lambda: False)
    page: Any = SimpleNamespace(context=SimpleNamespace(pages=[tab]))
    again = Repetition(steps, 0, cast("Any", links))
    again.run(cast("TaskBrief", None), page, cast("Budget", None))
    return again.linked


def test_address_is_linked_by_the_page_before() -> None:
    assert linked(Links((START, END)), END) == [END]
    assert linked(Links((BESIDE, END)), END) == []


@pytest.mark.parametrize(
    ("links", "opened"),
    [
        (Links((END, END)), [END, END]),
        (Links((END, END)), [f"{END}#top", END]),
        (Links((BESIDE, END)), [END, BESIDE, END]),
    ],
)
def test_what_was_opened_without_a_link_is_not_linked_by_what_it_led_to(
    links: Links, opened: list[str]
) -> None:
    assert linked(links, *opened) == []
