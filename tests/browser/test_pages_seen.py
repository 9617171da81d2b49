"""Pages that were in front: which they were, what they showed, and how each was opened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Captured
from pytest_webbench.evidence.models import PageSeen

pytestmark = pytest.mark.browser

HOME = "https://mini.test/"
PUSH = "document.querySelector('h1').textContent = 'Part'; history.pushState(1, '', '/part')"


def button(page: Page, script: str) -> None:
    """Puts a button into the page whose click runs a script of the page's."""
    page.evaluate(
        "script => { const button = document.createElement('button'); button.textContent = 'Go';"
        " button.setAttribute('onclick', script); document.body.append(button); }",
        script,
    )


def route(captured: Captured) -> list[tuple[str, str, int | None]]:
    """Path, way and opener of each page."""
    return [
        (page.url.removeprefix("https://mini.test"), page.how.value, page.opened_from)
        for page in captured.evidence.pages_seen
    ]


def final(captured: Captured) -> PageSeen:
    (found,) = [page for page in captured.evidence.pages_seen if page.final]
    return found


def test_links_addresses_and_history(session: Session, capture: Callable[..., Captured]) -> None:
    page = session.page
    page.get_by_role("link", name="Next").click()
    page.get_by_role("link", name="Home").click()
    page.goto(HOME + "form")
    page.go_back()
    page.reload()
    captured = capture()
    assert route(captured) == [
        ("/", "start", None),
        ("/next", "click", 1),
        ("/", "click", 2),
        ("/form", "typed", 3),
        ("/", "back_forward", 4),
        ("/", "reload", 5),
    ]
    assert all(page.served for page in captured.evidence.pages_seen)
    assert final(captured).number == 6


def test_addresses_keep_their_fragment(session: Session, capture: Callable[..., Captured]) -> None:
    page = session.page
    page.goto(HOME + "form#part")
    page.goto(HOME + "next")
    page.go_back()
    captured = capture()
    assert route(captured) == [
        ("/", "start", None),
        ("/form#part", "typed", 1),
        ("/next", "typed", 2),
        ("/form#part", "back_forward", 3),
    ]
    assert all(page.served for page in captured.evidence.pages_seen)
    assert captured.evidence.actions[0].value == HOME + "form#part"


def test_texts_are_what_was_shown_first_and_last(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    page.wait_for_timeout(300)
    button(page, "document.querySelector('h1').textContent = 'Changed'")
    page.get_by_role("button", name="Go").click()
    page.wait_for_timeout(300)
    page.get_by_role("link", name="Next").click()
    page.wait_for_timeout(300)
    first, second = capture().evidence.pages_seen
    assert first.title == "Home"
    assert first.text.startswith("Home\nNext New tab")
    assert (first.text_left or "").startswith("Changed\nNext New tab")
    assert "You got here." in second.text


def test_tab_continues_the_route_of_its_opener(
    session: Session, capture: Callable[..., Captured]
) -> None:
    with session.page.expect_popup() as popup:
        session.page.get_by_role("link", name="New tab").click()
    popup.value.wait_for_load_state()
    captured = capture()
    assert route(captured) == [("/", "start", None), ("/popup", "click", 1)]
    assert final(captured).new_tab
    assert final(captured).tab == 1


def test_background_tab_is_seen_once_it_comes_to_the_front(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    with page.context.expect_page() as behind:
        page.get_by_role("link", name="Next").click(modifiers=["Control"])
    behind.value.wait_for_load_state()
    page.get_by_role("link", name="Form").click()
    page.wait_for_load_state()
    behind.value.bring_to_front()
    captured = capture()
    assert route(captured) == [("/", "start", None), ("/form", "click", 1), ("/next", "click", 1)]
    assert final(captured).url == HOME + "next"


def test_background_tab_is_not_seen(session: Session, capture: Callable[..., Captured]) -> None:
    page = session.page
    with page.context.expect_page() as behind:
        page.get_by_role("link", name="Next").click(modifiers=["Control"])
    behind.value.wait_for_load_state()
    assert route(capture()) == [("/", "start", None)]


def test_addresses_of_one_document_are_separate_pages(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    button(page, PUSH)
    page.get_by_role("button", name="Go").click()
    page.evaluate("history.pushState(2, '', '/faked')")
    page.wait_for_timeout(300)
    captured = capture()
    # What a script does after a click of the same page cannot be told from the click's effect, so
    # the second address is a page of its own in which nothing was clicked.
    assert route(captured) == [("/", "start", None), ("/part", "click", 1), ("/faked", "script", 2)]
    assert [page.same_document for page in captured.evidence.pages_seen] == [False, True, True]
    assert final(captured).served is None


def test_scripts_and_refreshes_are_no_clicks_unless_they_click(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    page.evaluate("location.href = '/next'")
    page.wait_for_url("**/next")
    page.evaluate("document.querySelector('a').click()")
    page.wait_for_url(HOME)
    assert route(capture()) == [("/", "start", None), ("/next", "script", 1), ("/", "click", 2)]


def test_form_sent_with_enter_is_a_click(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    page.get_by_role("link", name="Form").click()
    page.get_by_label("Name").fill("x")
    page.get_by_label("Name").press("Enter")
    page.wait_for_url("**/next?*")
    captured = capture()
    assert route(captured)[1:] == [
        ("/form", "click", 1),
        ("/next?name=x&secret=&day=&size=Small", "click", 2),
    ]


def test_page_faked_by_a_route_is_not_served(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page
    page.route("**/fake", lambda route: route.fulfill(body="<h1>faked</h1>"))
    page.evaluate("location.href = '/fake'")
    page.wait_for_url("**/fake")
    assert final(capture()).served is False


def test_address_typed_in_a_new_tab_is_typed(
    session: Session, capture: Callable[..., Captured]
) -> None:
    page = session.page.context.new_page()
    page.goto(HOME + "next")
    assert route(capture()) == [("/", "start", None), ("/next", "typed", None)]
