"""When pictures of steps are taken."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.browser.steps import Steps
from pytest_webbench.browser.tabs import Tabs


class Tab:
    """What the camera's owner asks of a page."""

    url = "https://a.test/"
    viewport_size = None


class Album:
    """Keeps the numbers of pictures."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def shot(self, number: int, _jpeg: bytes, _url: str, _width: int) -> None:
        self.numbers.append(number)


@pytest.mark.parametrize(("document_changes", "taken"), [(False, 1), (True, 2)])
def test_a_page_that_loads_under_the_camera_is_taken_again_only_if_it_is_another_document(
    document_changes: bool, taken: int
) -> None:
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

    steps = Steps(Tabs(), album, camera)
    steps.shoot(page, 0)

    assert len(asked) == taken
    assert album.numbers == [0]
