"""What an agent does is recorded as the browser saw it and cannot be hidden or forged."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.session import Session
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser


def told(notes: Notes) -> list[tuple[str, str, str, str | None]]:
    return [
        (step.kind, step.target.role, step.target.name, step.value) for step in notes.steps.values()
    ]


def test_every_input_is_recorded_with_its_target(session: Session, notes: Notes) -> None:
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


def test_password_is_not_recorded(session: Session, notes: Notes) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Secret").fill("hunter2")
    session.flush()
    session.end()
    assert told(notes)[1:] == [("type", "textbox", "Secret", "********")]


def test_goto_is_an_action_and_a_link_only_a_click(session: Session, notes: Notes) -> None:
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


@pytest.mark.parametrize("kind", ["password", "text"])
def test_letters_typed_in_a_closed_shadow_tree_are_not_told(
    session: Session, notes: Notes, kind: str
) -> None:
    session.page.goto(HOME)
    session.page.evaluate(
        """kind => {
            const host = document.body.appendChild(document.createElement("x-field"));
            host.attachShadow({ mode: "closed" }).innerHTML = `<input type=${kind} autofocus>`;
            host.style = "position: fixed; inset: 0 auto auto 0; z-index: 9";
        }""",
        kind,
    )
    session.page.mouse.click(20, 10)
    session.page.keyboard.type("s3cret")
    session.page.keyboard.press("Enter")
    session.flush()
    session.end()
    assert [(step.kind, step.value) for step in notes.steps.values()][1:] == [
        ("click", None),
        ("type", ""),
        ("press", "Enter"),
    ]


def test_clicks_in_frames_and_shadow_roots_are_recorded(session: Session, notes: Notes) -> None:
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


def test_tab_that_a_page_opens_is_followed(session: Session, notes: Notes) -> None:
    with session.context.expect_page() as opened:
        session.page.get_by_role("link", name="New tab").click()
    popup = opened.value
    popup.wait_for_load_state()
    assert session.final_page() == popup
    popup.get_by_role("heading").click()
    session.flush()
    session.end()
    assert [(step.kind, step.tab) for step in notes.steps.values()] == [("click", 0), ("click", 1)]


def test_closing_the_last_tab_makes_the_previous_one_final(session: Session) -> None:
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


def test_recorder_is_hidden_from_page_and_agent(session: Session, notes: Notes) -> None:
    names = session.page.evaluate(
        "Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('webbench'))"
    )
    assert names == []
    session.end()
    assert notes.steps == {}


@pytest.mark.parametrize(
    ("script", "action"),
    [
        ("document.querySelector('a').click()", ("click", "link", "Next", None)),
        (
            "new Promise((resolve) => setTimeout(() => resolve("
            "document.querySelector('a').dispatchEvent(new MouseEvent('click'))), 20))",
            ("click", "link", "Next", None),
        ),
        (
            "Object.assign(document.body.appendChild(document.createElement('input')), "
            "{ value: 'Ada', title: 'Name' })"
            ".dispatchEvent(new InputEvent('input', { bubbles: true }))",
            ("type", "textbox", "Name", "Ada"),
        ),
        (
            "document.querySelector('a').dispatchEvent("
            "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))",
            ("press", "link", "Next", "Enter"),
        ),
    ],
    ids=["click", "click later", "input", "key"],
)
def test_input_by_a_script_of_the_agent_is_an_action_by_script(
    session: Session, notes: Notes, script: str, action: tuple[str, str, str, str | None]
) -> None:
    session.page.evaluate(script)
    session.flush()
    session.end()
    assert told(notes) == [action]
    assert notes.steps[1].by_script


def test_what_a_page_does_to_itself_is_no_action(session: Session, notes: Notes) -> None:
    session.page.goto(HOME + "busy")
    session.page.get_by_role("button", name="Outer").click()
    session.page.get_by_text("inner inner inner").wait_for()
    session.flush()
    session.end()
    assert told(notes) == [
        ("navigate", "", "", HOME + "busy"),
        ("click", "button", "Outer", None),
    ]
    assert not notes.steps[2].by_script


def test_dialogs_are_recorded_without_blocking(session: Session) -> None:
    assert session.page.evaluate("confirm('sure?')") is False
    session.page.once("dialog", lambda dialog: dialog.accept("mine"))
    assert session.page.evaluate("prompt('name?')") == "mine"
    assert session.dialogs == ["confirm: sure?", "prompt: name?"]


def test_download_does_not_block(session: Session) -> None:
    with session.page.expect_download() as started:
        session.page.get_by_role("link", name="File").click()
    assert started.value.suggested_filename == "file.txt"
    session.page.get_by_role("link", name="Next").click()


def test_pictures_are_taken_of_the_start_and_of_each_step(
    mini_browser: Browser, world: World, notes: Notes
) -> None:
    session = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=True)
    session.open(HOME, timeout=20)
    session.begin()
    session.page.get_by_role("link", name="Form").click()
    session.page.get_by_label("Name").fill("x")
    session.page.wait_for_timeout(300)
    session.close()
    assert sorted(set(notes.shots)) == [0, 1, 2]


def test_events_before_the_agent_are_not_its_actions(
    mini_browser: Browser, world: World, notes: Notes
) -> None:
    session = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=False)
    session.open(HOME, timeout=20)
    session.page.get_by_role("link", name="Next").click()
    session.page.wait_for_url("**/next")
    session.close()
    assert notes.steps == {}


def test_closed_session_leaves_no_context(
    mini_browser: Browser, world: World, notes: Notes
) -> None:
    before = len(mini_browser.contexts)
    session = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=False)
    assert len(mini_browser.contexts) == before + 1
    session.close()
    session.close()
    assert len(mini_browser.contexts) == before
