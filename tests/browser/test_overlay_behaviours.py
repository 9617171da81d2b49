"""The behaviours `banner`, `modal` and `tabs` of the site kit, in a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pytest_webbench.world.kit import site

pytestmark = pytest.mark.browser
BEHAVIOURS = Path(site.__file__).parent / "behaviours"

BANNER = """<div data-banner="consent" hidden>Cookies?
<button data-answers="all">Yes</button><button data-answers="none">No</button></div>"""
MODAL = """<button data-opens="offer">Offer</button>
<dialog id="offer">Ten for nine <button data-closes>Close</button></dialog>
<dialog id="news" data-at-once>Hello <button data-closes>Done</button></dialog>"""
TABS = """<div role="tablist" data-in-address>
<button role="tab" aria-controls="fees" aria-selected="false">Fees</button>
<button role="tab" aria-controls="rules" aria-selected="true">Rules</button></div>
<div role="tabpanel" id="fees">Ten pounds</div><div role="tabpanel" id="rules">No dogs</div>"""
PAGES = {"/banner": ("banner", BANNER), "/modal": ("modal", MODAL), "/tabs": ("tabs", TABS)}


def answer(route: Route) -> None:
    name, markup = PAGES[route.request.url.removeprefix("https://shop.example")]
    script = (BEHAVIOURS / f"{name}.js").read_text(encoding="utf-8")
    body = f"<!doctype html><body>{markup}<script>{script}</script>"
    route.fulfill(body=body, content_type="text/html")


@pytest.fixture
def tab(mini_browser: Browser) -> Iterator[Page]:
    page = mini_browser.new_page()
    page.route("https://shop.example/**", answer)
    yield page
    page.context.close()


def test_a_banner_is_shown_until_it_is_answered(tab: Page) -> None:
    tab.goto("https://shop.example/banner")
    expect(tab.get_by_text("Cookies?")).to_be_visible()
    tab.reload()
    tab.get_by_role("button", name="No").click()
    expect(tab.get_by_text("Cookies?")).to_be_hidden()
    assert tab.context.cookies()[0]["value"] == "none"
    tab.reload()
    expect(tab.get_by_text("Cookies?")).to_be_hidden()


def test_a_dialog_opens_by_its_button_or_at_once_until_it_was_closed(tab: Page) -> None:
    tab.goto("https://shop.example/modal")
    expect(tab.get_by_text("Hello")).to_be_visible()
    tab.get_by_role("button", name="Done").click()
    tab.get_by_role("button", name="Offer").click()
    expect(tab.get_by_text("Ten for nine")).to_be_visible()
    tab.get_by_role("button", name="Close").click()
    expect(tab.get_by_text("Ten for nine")).to_be_hidden()
    tab.reload()
    expect(tab.get_by_text("Hello")).to_be_hidden()


def test_tabs_open_by_click_keys_and_address(tab: Page) -> None:
    tab.goto("https://shop.example/tabs")
    expect(tab.get_by_role("tabpanel")).to_have_text("No dogs")
    tab.get_by_role("tab", name="Fees").click()
    expect(tab.get_by_role("tab", name="Fees")).to_have_attribute("aria-selected", "true")
    expect(tab.get_by_role("tabpanel")).to_have_text("Ten pounds")
    expect(tab).to_have_url("https://shop.example/tabs#fees")
    tab.get_by_role("tab", name="Fees").press("ArrowLeft")
    expect(tab.get_by_role("tabpanel")).to_have_text("No dogs")
    tab.evaluate("location.hash = 'fees'")
    expect(tab.get_by_role("tabpanel")).to_have_text("Ten pounds")
