"""Which tab is the final one, and who is at fault if no page can be read."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Playwright

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Captured
from pytest_webbench.checks import BUILT_IN
from pytest_webbench.evidence.models import Ending, Evidence
from pytest_webbench.judge import Outcome, Verdict, judge
from pytest_webbench.task import Task
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

CaptureIt = Callable[..., Captured]


def opened(session: Session, action: Callable[[], Any]) -> Page:
    with session.context.expect_page() as event:
        action()
    event.value.wait_for_load_state()
    return event.value


def title(evidence: Evidence) -> str:
    return evidence.final_page().title


def verdict(evidence: Evidence, **check: Any) -> Verdict:
    """On a task that only asks for the page that says "You got here."."""
    arrived = {
        "name": "arrived",
        "get": "page_text",
        "metric": "include_exclude",
        "expected": ["You got here."],
    }
    return judge(
        Task.model_validate(
            {
                "id": "t",
                "goal": "Open the next page.",
                "start_url": HOME,
                "checks": [{**arrived, **check}],
            }
        ),
        evidence,
    )


# -- which tab ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", [{"modifiers": ["Control"]}, {"button": "middle"}], ids=["control", "middle-button"]
)
def test_background_tab_stays_in_the_background(
    session: Session, capture: CaptureIt, how: Any
) -> None:
    opened(session, lambda: session.page.get_by_role("link", name="Next").click(**how))
    evidence = capture().evidence
    assert title(evidence) == "Home"
    assert [tab.title for tab in evidence.tabs] == ["Home", "Next"]
    assert [action.kind for action in evidence.actions] == ["click"]


def test_background_tab_becomes_final_by_an_action(session: Session, capture: CaptureIt) -> None:
    link = session.page.get_by_role("link", name="Next")
    opened(session, lambda: link.click(modifiers=["Control"])).get_by_role("heading").click()
    assert title(capture().evidence) == "Next"


def test_window_opened_with_shift_comes_to_the_front(session: Session, capture: CaptureIt) -> None:
    opened(
        session, lambda: session.page.get_by_role("link", name="Next").click(modifiers=["Shift"])
    )
    assert title(capture().evidence) == "Next"


@pytest.mark.parametrize("features", ["", "noopener", "width=300,height=300"])
def test_popup_comes_to_the_front(session: Session, capture: CaptureIt, features: str) -> None:
    opened(
        session,
        lambda: session.page.evaluate(f"void window.open('/popup', '_blank', '{features}')"),
    )
    assert title(capture().evidence) == "Popup"


def test_loading_popup_is_waited_for(session: Session, capture: CaptureIt) -> None:
    session.page.evaluate("void window.open('/slow')")
    assert capture().evidence.final_page().url == HOME + "slow"


def test_tab_opened_or_activated_by_the_agent_is_final(
    session: Session, capture: CaptureIt
) -> None:
    session.context.new_page().goto(HOME + "next")
    final = session.final_page()
    assert final is not None
    assert final.url == HOME + "next"
    session.page.bring_to_front()
    assert title(capture().evidence) == "Home"


def test_emulated_focus_does_not_choose_the_final_tab(session: Session, capture: CaptureIt) -> None:
    other = session.context.new_page()
    other.goto(HOME + "next")
    assert session.page.evaluate("document.hasFocus() && document.visibilityState === 'visible'")
    assert title(capture().evidence) == "Next"


@pytest.mark.parametrize("how", ["agent", "page"])
def test_blank_tab_is_not_final(session: Session, capture: CaptureIt, how: str) -> None:
    if how == "agent":
        session.context.new_page()
    else:
        opened(session, lambda: session.page.evaluate("void window.open('')"))
    evidence = capture().evidence
    assert title(evidence) == "Home"
    assert [tab.url for tab in evidence.tabs] == [HOME, "about:blank"]


def test_closed_tab_yields_to_the_last_used_one(session: Session, capture: CaptureIt) -> None:
    session.context.new_page().goto(HOME + "next")
    session.context.new_page().goto(HOME + "popup")
    session.page.get_by_role("heading").click()
    last = session.context.new_page()
    last.goto(HOME + "form")
    last.close()
    assert title(capture().evidence) == "Home"


def test_goto_after_opening_a_background_tab_is_an_action(
    session: Session, capture: CaptureIt
) -> None:
    link = session.page.get_by_role("link", name="Next")
    opened(session, lambda: link.click(modifiers=["Control"]))
    session.page.goto(HOME + "form")
    assert [action.kind for action in capture().evidence.actions] == ["click", "navigate"]


# -- who is to blame ---------------------------------------------------------------------------


def test_blank_page_fails(session: Session, capture: CaptureIt) -> None:
    session.page.goto("about:blank")
    assert verdict(capture().evidence).outcome is Outcome.FAILED


@pytest.mark.parametrize("what", ["tabs", "context"])
def test_closing_all_tabs_fails(session: Session, capture: CaptureIt, what: str) -> None:
    session.page.close() if what == "tabs" else session.context.close()
    evidence = capture().evidence
    assert (verdict(evidence).outcome, evidence.ending) == (Outcome.FAILED, Ending.DONE)


def test_open_dialog_is_dismissed_before_judging(session: Session, capture: CaptureIt) -> None:
    session.page.on("dialog", lambda dialog: None)
    session.page.evaluate("void setTimeout(() => alert('Saved'), 0)")
    session.page.wait_for_timeout(200)
    evidence = capture().evidence
    assert "a dialog of the final page was open and was dismissed" in evidence.gaps
    assert evidence.dialogs == ("alert: Saved",)
    assert verdict(evidence).outcome is Outcome.FAILED


def test_endless_dialogs_fail(session: Session, capture: CaptureIt) -> None:
    session.page.on("dialog", lambda dialog: None)
    session.page.evaluate("void setTimeout(() => { for (;;) alert('again') }, 0)")
    session.page.wait_for_timeout(200)
    assert verdict(capture().evidence).outcome is Outcome.FAILED


@pytest.mark.parametrize("how", ["address", "protocol"])
def test_crashed_tab_fails(session: Session, capture: CaptureIt, how: str, watchdog: Any) -> None:
    with suppress(Error, KeyboardInterrupt), watchdog.limit(2.0, "crash"):
        if how == "address":
            session.page.goto("chrome://crash")
        else:
            session.context.new_cdp_session(session.page).send("Page.crash")
    evidence = capture().evidence
    assert "the final tab crashed" in evidence.gaps
    assert verdict(evidence).outcome is Outcome.FAILED


def test_hanging_page_is_judged_as_it_is(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "hang")
    session.page.wait_for_timeout(200)
    assert verdict(capture().evidence).outcome is Outcome.FAILED


@pytest.mark.parametrize("how", ["same tab", "new tab"])
def test_bot_wall_of_a_site_the_agent_chose_fails(
    session: Session, capture: CaptureIt, how: str
) -> None:
    (session.page if how == "same tab" else session.context.new_page()).goto(
        "https://other.test/wall"
    )
    evidence = capture().evidence
    assert evidence.health.state == "bot_wall"
    assert verdict(evidence).outcome is Outcome.FAILED


def test_bot_wall_of_the_task_site_is_unscored(session: Session, capture: CaptureIt) -> None:
    session.page.goto(HOME + "wall")
    found = verdict(capture().evidence)
    assert (found.outcome, found.reason) == (Outcome.UNSCORED, "blocked")


CANARY: dict[str, Any] = {
    "get": {"type": "dom_extract", "selectors": {"name": "#no-such"}, "must_exist": ["name"]},
    "metric": "json_object_match",
    "expected": {"name": "x"},
}


@pytest.mark.parametrize(
    ("address", "outcome"),
    [
        (HOME + "next", Outcome.UNSCORED),
        (HOME + "no-such-page", Outcome.FAILED),
        ("https://other.test/next", Outcome.FAILED),
    ],
    ids=["right page", "not found", "another site"],
)
def test_missing_canary_fails_only_on_the_wrong_page(
    session: Session, capture: CaptureIt, address: str, outcome: Outcome
) -> None:
    session.page.goto(address)
    probe = BUILT_IN.getters["dom_extract"].model_validate(CANARY["get"]).probe()
    assert verdict(capture(probe).evidence, **CANARY).outcome is outcome


# -- the browser itself ------------------------------------------------------------------------


@pytest.fixture
def own_browser(
    playwright: Playwright, world: World, notes: Notes
) -> Iterator[tuple[LocalBrowser, Session]]:
    """A browser that may be lost, and a session in it with two tabs."""
    provider = LocalBrowser(playwright, {})
    session = Session(
        fresh_context(provider.acquire(world), world.context_args()), notes, step_shots=False
    )
    session.open(HOME, timeout=20)
    session.begin()
    session.context.new_page().goto(HOME + "next")
    yield provider, session
    session.close()
    provider.release()


def lose(session: Session) -> None:
    with suppress(Error):
        session.page.wait_for_timeout(5000)


def over_the_protocol(session: Session) -> None:
    browser = session.context.browser
    assert browser is not None
    with suppress(Error):
        browser.new_browser_cdp_session().send("Browser.close")
    lose(session)


def by_call(session: Session) -> None:
    browser = session.context.browser
    assert browser is not None
    browser.close()


@pytest.mark.parametrize("close", [by_call, over_the_protocol])
def test_browser_closed_by_the_agent_is_not_lost(
    own_browser: tuple[LocalBrowser, Session], close: Callable[[Session], None]
) -> None:
    _, session = own_browser
    close(session)
    assert session.alive()
    assert session.final_page() is None


def test_killed_browser_is_lost(own_browser: tuple[LocalBrowser, Session]) -> None:
    provider, session = own_browser
    assert provider._pid is not None
    os.kill(provider._pid, signal.SIGKILL)
    lose(session)
    assert not session.alive()
