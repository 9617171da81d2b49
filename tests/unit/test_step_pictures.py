"""When pictures of steps are taken."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.browser.action_log import ActionLog, NoSink
from pytest_webbench.browser.tabs import Tabs


class Tab:
    """What the camera's owner asks of a page."""

    url = "https://a.test/"
    viewport_size = None

    def opener(self) -> None:
        return None

    def bring_to_front(self) -> None:
        return None


class Album:
    """Keeps the numbers of pictures."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def shot(self, number: int, _jpeg: bytes, _url: str, _width: int) -> None:
        self.numbers.append(number)


@pytest.mark.parametrize(("document_changes", "taken"), [(False, 1), (True, 2)])
def test_screenshot_is_retaken_only_after_a_navigation(document_changes: bool, taken: int) -> None:
    page: Any = Tab()
    album: Any = Album()
    asked: list[object] = []

    def camera(page: Any) -> bytes:
        asked.append(page)
        if len(asked) == 1:
            if document_changes:
                steps.navigated(page, "https://a.test/next", by_page=True)
            steps.loaded(page)
        return b"jpeg"

    tabs = Tabs()
    tabs.adopt(page)
    steps = ActionLog(tabs, album, camera)
    steps.shoot(page, 0)

    assert len(asked) == taken
    assert album.numbers == [0]


def test_action_reported_while_a_picture_is_taken_keeps_its_own_text() -> None:
    page: Any = Tab()
    waiting = [typed(2, "To", "2016-02-29")]

    def camera(_page: Any) -> bytes:
        while waiting:
            steps.observed(page, waiting.pop())
        return b"jpeg"

    tabs = Tabs()
    tabs.adopt(page)
    steps = ActionLog(tabs, NoSink(), camera)
    steps.begin(page)
    steps.observed(page, typed(1, "From", "2016-02-01"))

    assert [action.value for action in steps.repeatable()] == ["2016-02-01", "2016-02-29"]


def typed(element: int, name: str, value: str) -> dict[str, Any]:
    """What the recorder reports of a text field."""
    target = {"role": "textbox", "name": name, "tag": "input"}
    return {
        "element": element,
        "kind": "type",
        "value": value,
        "url": "https://a.test/",
        "target": target,
    }
