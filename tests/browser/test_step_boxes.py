"""Boxes of steps in the pictures of steps: the element that was used lies in the box."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.session import Session
from pytest_webbench.evidence.models import ObservedAction
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

RED = "width:90px;height:40px;border:0;background:rgb(255,0,0);color:rgb(255,0,0)"
PAGES = {
    "top": f"<button style='{RED}'>Go</button><div style='height:3000px'></div>",
    "tall": f"<div style='height:3000px'></div><button style='{RED}'>Go</button>",
    "panel": "<div style='height:200px;overflow:auto'><div style='height:900px'></div>"
    f"<button style='{RED}'>Go</button></div>",
    "frame": "<div style='height:1500px'></div><iframe style='margin-left:60px;border:7px solid' "
    f"srcdoc=\"<p>In a frame</p><button style='{RED}'>Go</button>\"></iframe>",
}


class Pictures(Notes):
    """Keeps the pictures as well."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[int, bytes] = {}

    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None:
        self.pictures[number] = jpeg


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture
def pictured(mini_browser: Browser, world: World, pictures: Pictures) -> Iterator[Session]:
    session = Session(fresh_context(mini_browser, world.context_args()), pictures, step_shots=True)
    yield session
    session.close()


def _colour_at_box(action: ObservedAction, jpeg: bytes) -> tuple[int, ...]:
    """The colour in the middle of the box of an action, in a picture of the page."""
    assert action.target.box is not None
    assert action.target.corner is not None
    assert action.scrolled is not None
    x, y, width, height = action.target.box
    left, top = (action.target.corner[at] - action.scrolled[at] for at in (0, 1))
    with Image.open(io.BytesIO(jpeg)) as picture:
        middle = (round(x + left + width / 2), round(y + top + height / 2))
        colour = picture.convert("RGB").getpixel(middle)
    assert isinstance(colour, tuple)
    return colour


@pytest.mark.parametrize("name", PAGES)
def test_element_lies_in_its_box(pictured: Session, pictures: Pictures, name: str) -> None:
    page = pictured.page
    page.route("**/boxes", lambda route: route.fulfill(content_type="text/html", body=PAGES[name]))
    pictured.open(HOME + "boxes", timeout=20)
    pictured.begin()
    frame = page.frames[-1]
    frame.get_by_role("button").click()
    while 1 not in pictures.pictures:
        page.evaluate("1")  # the picture comes by itself
    page.evaluate("scrollTo(0, 0)")
    action = pictures.steps[1]
    red, green, blue = _colour_at_box(action, pictures.pictures[1])
    assert red > 200
    assert max(green, blue) < 60
