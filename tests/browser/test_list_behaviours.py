"""The behaviours `autocomplete`, `endless` and `compare` of the site kit, in a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pytest_webbench.world.kit import site

pytestmark = pytest.mark.browser
BEHAVIOURS = Path(site.__file__).parent / "behaviours"

SEARCH = """<form>
<input role="combobox" aria-label="City" data-suggest="/suggest?q=" aria-controls="all">
<input type="hidden" name="code"><ul role="listbox" id="all"></ul></form>"""
CITIES: list[dict[str, Any]] = [
    {"label": "Leeds", "fill": {"code": "LS"}},
    {"label": "Leicester", "href": "/leicester"},
]
LIST = """<p style="height: {above}px"></p><ul id="list">{items}</ul>{more}"""
COMPARE = """<label>A<input type="checkbox" data-compare="a"></label>
<label>B<input type="checkbox" data-compare="b"></label>
<label>C<input type="checkbox" data-compare="c"></label>
<div data-compare-bar="/compare?ids=" data-most="2" hidden>
<b data-count></b> <a href="/">Compare</a></div>"""


def scripted(name: str, markup: str) -> str:
    script = (BEHAVIOURS / f"{name}.js").read_text(encoding="utf-8")
    return f"<!doctype html><body>{markup}<script>{script}</script>"


def numbered(page: int) -> str:
    items = "".join(f"<li>{page}.{one}</li>" for one in (1, 2))
    more = f'<a data-more="#list" href="/list?page={page + 1}">More</a>' if page < 3 else ""
    return LIST.format(above=3000 if page == 1 else 0, items=items, more=more)


def answer(route: Route) -> None:
    path, _, query = route.request.url.removeprefix("https://shop.example").partition("?")
    if path == "/suggest":
        found = [one for one in CITIES if one["label"].lower().startswith(query[2:])]
        route.fulfill(body=json.dumps(found), content_type="application/json")
        return
    page = int(query.removeprefix("page=") or 1)
    body = {
        "/search": scripted("autocomplete", SEARCH),
        "/list": scripted("endless", numbered(page)),
        "/compare": scripted("compare", COMPARE),
    }
    route.fulfill(body=body.get(path, path), content_type="text/html")


@pytest.fixture
def tab(mini_browser: Browser) -> Iterator[Page]:
    page = mini_browser.new_page()
    page.route("https://shop.example/**", answer)
    yield page
    page.context.close()


def test_a_suggestion_is_chosen_by_click_or_keys(tab: Page) -> None:
    tab.goto("https://shop.example/search")
    box = tab.get_by_role("combobox", name="City")
    box.press_sequentially("le")
    expect(tab.get_by_role("option")).to_have_text(["Leeds", "Leicester"])
    tab.get_by_role("option", name="Leeds").click()
    expect(box).to_have_value("Leeds")
    expect(tab.locator("[name=code]")).to_have_value("LS")
    expect(tab.get_by_role("option")).to_have_count(0)
    box.fill("le")
    expect(tab.get_by_role("option")).to_have_count(2)
    box.press("ArrowUp")
    box.press("Enter")
    expect(tab).to_have_url("https://shop.example/leicester")


def test_suggestions_close_when_nothing_is_typed_or_fits(tab: Page) -> None:
    tab.goto("https://shop.example/search")
    box = tab.get_by_role("combobox", name="City")
    for text in ("", "x"):
        box.fill("le")
        expect(tab.get_by_role("option")).to_have_count(2)
        box.fill(text)
        expect(tab.get_by_role("option")).to_have_count(0)
    box.fill("le")
    expect(tab.get_by_role("option")).to_have_count(2)
    box.press("Escape")
    expect(box).to_have_attribute("aria-expanded", "false")


def test_an_endless_list_grows_when_its_end_comes_into_view(tab: Page) -> None:
    tab.goto("https://shop.example/list")
    expect(tab.get_by_role("listitem")).to_have_text(["1.1", "1.2"])
    tab.get_by_role("link", name="More").scroll_into_view_if_needed()
    expect(tab.get_by_role("listitem").nth(3)).to_have_text("2.2")
    tab.get_by_role("link", name="More").click()
    expect(tab.get_by_role("listitem")).to_have_text(["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"])
    expect(tab.get_by_role("link")).to_have_count(0)


def test_things_to_compare_are_kept_up_to_the_most(tab: Page) -> None:
    tab.goto("https://shop.example/compare")
    tab.get_by_label("C").check()
    tab.get_by_label("A").check()
    expect(tab.get_by_label("B")).to_be_disabled()
    tab.reload()
    expect(tab.get_by_label("C")).to_be_checked()
    expect(tab.locator("[data-count]")).to_have_text("2")
    expect(tab.get_by_role("link")).to_have_attribute("href", "/compare?ids=c,a")
    tab.get_by_label("C").uncheck()
    tab.get_by_label("A").uncheck()
    expect(tab.get_by_role("link")).to_be_hidden()
