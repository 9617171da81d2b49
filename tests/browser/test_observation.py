"""What an agent does is recorded as the browser saw it; neither pages nor agents can hide or forge it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from pytest_webbench.browser.session import Session, fresh_context
from pytest_webbench.world import World
from tests.browser.conftest import HOME, Notes

pytestmark = pytest.mark.browser


def told(notes: Notes) -> list[tuple[str, str, str, str | None]]:
    return [(step.kind, step.target.role, step.target.name, step.value) for step in notes.steps.values()]


def test_every_kind_of_input_is_recorded_with_its_target(session: Session, notes: Notes) -> None:
    page = session.page
    page.goto(HOME + "form")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Size").select_option("Large")
    page.get_by_label("Gift").check()
    page.get_by_label("Day").fill("2024-05-06")
    page.get_by_label("Name").press("Tab")
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/next?**")
    session.flush()
    session.end()
    assert told(notes) == [
        ("navigate", "", "", HOME + "form"),
        ("type", "textbox", "Name", "Ada"),
        ("select", "combobox", "Size", "Large"),
        ("click", "checkbox", "Gift", None),
        ("type", "textbox", "Day", "2024-05-06"),
        ("press", "textbox", "Name", "Tab"),
        ("click", "button", "Send", None),
    ]
    assert notes.steps[1].url == HOME
    assert notes.steps[7].url == HOME + "form"
    assert notes.steps[7].url_after.startswith(HOME + "next?name=Ada")
    box = notes.steps[7].target.box
    assert box is not None
    assert box[2] > 0


def test_typing_letter_by_letter_is_one_action(session: Session, notes: Notes) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").press_sequentially("Grace")
    session.flush()
    session.end()
    assert told(notes)[1:] == [("type", "textbox", "Name", "Grace")]


def test_a_password_is_not_recorded(session: Session, notes: Notes) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Secret").fill("hunter2")
    session.flush()
    session.end()
    assert told(notes)[1:] == [("type", "textbox", "Secret", "********")]


def test_opening_an_address_is_an_action_but_following_a_link_is_only_its_click(session: Session, notes: Notes) -> None:
    session.page.get_by_role("link", name="Next").click()
    session.page.wait_for_url("**/next")
    session.page.goto(HOME + "form")
    session.page.go_back()
    session.flush()
    session.end()
    assert [(step.kind, step.value) for step in notes.steps.values()] == [
        ("click", None),
        ("navigate", HOME + "form"),
        ("navigate", HOME + "next"),
    ]


def test_clicks_in_frames_of_the_same_and_of_another_site_and_in_shadow_roots_are_seen(
    session: Session, notes: Notes
) -> None:
    session.page.goto(HOME + "parts")
    session.page.frame_locator("#same").get_by_role("button").click()
    session.page.frame_locator("#cross").get_by_role("button").click()
    session.page.get_by_role("button", name="Shadow button").click()
    session.flush()
    session.end()
    assert [step.target.name for step in notes.steps.values()][1:] == [
        "Framed button",
        "Framed button",
        "Shadow button",
    ]


def test_a_tab_that_a_page_opens_is_followed(session: Session, notes: Notes) -> None:
    with session.context.expect_page() as opened:
        session.page.get_by_role("link", name="New tab").click()
    popup = opened.value
    popup.wait_for_load_state()
    assert session.final_page() == popup
    popup.get_by_role("heading").click()
    session.flush()
    session.end()
    assert [(step.kind, step.tab) for step in notes.steps.values()] == [("click", 0), ("click", 1)]


def test_when_the_last_tab_closes_the_one_before_is_final(session: Session) -> None:
    with session.context.expect_page() as opened:
        session.page.get_by_role("link", name="New tab").click()
    opened.value.close()
    assert session.final_page() == session.page


def test_acting_in_an_older_tab_makes_it_the_final_one(session: Session) -> None:
    with session.context.expect_page() as opened:
        session.page.get_by_role("link", name="New tab").click()
    opened.value.wait_for_load_state()
    session.page.get_by_role("link", name="Next").click()
    assert session.final_page() == session.page


def test_neither_page_nor_agent_can_reach_the_recorder(session: Session, notes: Notes) -> None:
    names = session.page.evaluate("Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('webbench'))")
    assert names == []
    session.page.evaluate("document.querySelector('a').click()")
    session.page.wait_for_url("**/next")
    session.flush()
    session.end()
    assert notes.steps == {}, "a click made by a script is not the agent's input"


def test_dialogs_are_recorded_and_wedge_nothing(session: Session) -> None:
    assert session.page.evaluate("confirm('sure?')") is False
    session.page.once("dialog", lambda dialog: dialog.accept("mine"))
    assert session.page.evaluate("prompt('name?')") == "mine"
    assert session.dialogs == ["confirm: sure?", "prompt: name?"]


def test_a_download_wedges_nothing(session: Session) -> None:
    with session.page.expect_download() as started:
        session.page.get_by_role("link", name="File").click()
    assert started.value.suggested_filename == "file.txt"
    session.page.get_by_role("link", name="Next").click()


def test_pictures_are_taken_of_the_start_and_of_each_step(mini_browser: Browser, world: World, notes: Notes) -> None:
    session = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=True)
    session.open(HOME, timeout=20)
    session.begin()
    session.page.get_by_role("link", name="Form").click()
    session.page.get_by_label("Name").fill("x")
    session.page.wait_for_timeout(300)
    session.close()
    assert sorted(set(notes.shots)) == [0, 1, 2]


def test_what_happens_before_the_agent_begins_is_not_its_doing(
    mini_browser: Browser, world: World, notes: Notes
) -> None:
    session = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=False)
    session.open(HOME, timeout=20)
    session.page.get_by_role("link", name="Next").click()
    session.page.wait_for_url("**/next")
    session.close()
    assert notes.steps == {}


def test_closing_a_session_leaves_no_context_behind(mini_browser: Browser, world: World, notes: Notes) -> None:
    before = len(mini_browser.contexts)
    session = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=False)
    assert len(mini_browser.contexts) == before + 1
    session.close()
    session.close()
    assert len(mini_browser.contexts) == before
