"""Evidence: what is read of the final page, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_webbench.browser.session import Session
from pytest_webbench.checks import Probe
from pytest_webbench.evidence.capture import Captured
from pytest_webbench.evidence.models import Evidence
from tests.browser.conftest import HOME

pytestmark = pytest.mark.browser

CaptureIt = Callable[..., Captured]


def test_address_title_texts_and_history(session: Session, capture: CaptureIt) -> None:
    session.page.get_by_role("link", name="Next").click()
    evidence = capture(answer="done").evidence
    assert evidence.page is not None
    assert (evidence.page.url, evidence.page.title, evidence.page.status) == (HOME + "next", "Next", 200)
    assert "You got here." in evidence.page.text
    assert evidence.page.visible_text == "Next You got here. Home"
    assert [(entry.url, entry.typed) for entry in evidence.history] == [(HOME, True), (HOME + "next", False)]
    assert evidence.health.state == "ok"
    assert evidence.gaps == ()


def test_a_navigation_under_way_is_waited_for(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate("setTimeout(() => document.querySelector('a').click(), 5)")
    session.page.wait_for_timeout(20)
    assert capture().evidence.final_page().url == HOME + "next"


def test_the_page_is_scrolled_through_before_it_is_read_and_left_where_it_was(
    session: Session, capture: CaptureIt
) -> None:
    session.page.goto(HOME + "long")
    evidence = capture().evidence
    assert "lazily loaded words" in evidence.final_page().visible_text
    assert session.page.evaluate("scrollY") == 0


def test_frames_and_open_shadow_roots_are_read_and_hidden_text_is_not_visible(
    session: Session, capture: CaptureIt
) -> None:
    session.page.goto(HOME + "parts", wait_until="load")
    probe = Probe("domExtract", {"selectors": {"deep": "#deep", "inner": "#inner"}, "attr": None, "all": False})
    evidence = capture(probe).evidence
    page = evidence.final_page()
    assert "shadow words" in page.visible_text
    assert "framed words" in page.visible_text
    assert "hidden words" not in page.visible_text
    assert "shadow words" in page.text
    assert evidence.reads[probe.key()].value == {"deep": "shadow words", "inner": "framed words"}


def test_state_of_controls_is_live_state(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "form")
    session.page.get_by_label("Name").fill("Ada")
    session.page.get_by_label("Size").select_option("Large")
    session.page.get_by_label("Gift").check()
    selectors = {"name": "[name=name]", "size": "select", "gift": "[name=gift]", "none": "#none"}
    probe = Probe("controlState", {"selectors": selectors})
    value = capture(probe).evidence.reads[probe.key()].value
    assert isinstance(value, dict)
    assert value["name"]["value"] == "Ada"
    assert value["size"]["selected"] == ["Large"]
    assert value["gift"]["checked"] is True
    assert value["none"] is None


def test_a_bad_selector_is_an_error_of_that_read_alone(session: Session, capture: CaptureIt) -> None:
    bad, good = Probe("domCount", {"selector": "a[["}), Probe("domCount", {"selector": "a"})
    reads = capture(bad, good).evidence.reads
    assert "SyntaxError" in (reads[bad.key()].error or "")
    assert reads[good.key()].value == 12


def test_storage_is_read(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate("localStorage.theme = 'dark'; sessionStorage.once = '1'")
    evidence = capture().evidence
    assert (evidence.local_storage, evidence.session_storage) == ({"theme": "dark"}, {"once": "1"})


def test_a_page_cannot_lie_by_replacing_what_scripts_use(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate(
        """() => {
          Document.prototype.querySelectorAll = () => [];
          JSON.stringify = () => '{"url": "https://mini.test/next"}';
          Object.defineProperty(document, 'title', { get: () => 'Next' });
        }"""
    )
    evidence = capture().evidence
    assert (evidence.final_page().url, evidence.final_page().title) == (HOME, "Home")


def test_odd_characters_survive_as_replacement_characters(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "odd")
    evidence = capture(answer="a\ud83db\x00c").evidence
    text = evidence.to_json()
    assert Evidence.model_validate_json(text.encode()) == evidence
    assert evidence.answer == "a\ufffdb\ufffdc"
    assert "half \ufffd null" in evidence.final_page().text


def test_a_script_that_never_returns_is_ended_and_the_page_read(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "hang")
    session.page.wait_for_timeout(200)
    evidence = capture().evidence
    assert evidence.final_page().title == "Hang"
    assert "a script of the final page never returned and was ended" in evidence.gaps


def test_a_dead_address_typed_by_the_agent_is_its_own_doing(session: Session, capture: CaptureIt) -> None:
    with pytest.raises(Exception, match="ERR_"):
        session.page.goto("https://mini.test:81/")
    session.page.wait_for_timeout(200)
    health = capture().evidence.health
    assert (health.state, health.by_agent) == ("browser_error", True)


def test_no_open_tab_is_told_as_a_gap(session: Session, capture: CaptureIt) -> None:
    session.page.close()
    evidence = capture().evidence
    assert evidence.page is None
    assert evidence.gaps == ("no tab was open when the episode ended",)


def test_tabs_are_listed_and_the_new_one_is_final(session: Session, capture: CaptureIt) -> None:
    with session.context.expect_page() as opened:
        session.page.get_by_role("link", name="New tab").click()
    opened.value.wait_for_load_state()
    evidence = capture().evidence
    assert [(tab.url, tab.title) for tab in evidence.tabs] == [(HOME, "Home"), (HOME + "popup", "Popup")]
    assert evidence.final_page().title == "Popup"


def test_the_archive_holds_the_page_and_a_picture(session: Session, capture: CaptureIt) -> None:
    archive = capture(archive=True).archive
    assert archive.mhtml is not None
    assert "multipart/related" in archive.mhtml
    assert archive.screenshot is not None
    assert archive.screenshot.startswith(b"\xff\xd8")
