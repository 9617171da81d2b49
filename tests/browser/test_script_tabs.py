"""Steps of scripts that open, change and close tabs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Captured
from pytest_webbench.errors import StepError
from pytest_webbench.task import ScriptStep
from pytest_webbench.task.script import Click, CloseTab, SwitchTab

pytestmark = pytest.mark.browser

NEXT = Click(do="click", role="link", name="Next")
BEHIND = Click(do="click", role="link", name="Next", new_tab=True)
POPUP = Click(do="click", role="link", name="New tab")
HOME = Click(do="click", role="link", name="Home")
NEWEST = SwitchTab(do="tab", index=-1)
OLDEST = SwitchTab(do="tab", index=0)
CLOSE = CloseTab(do="close")


@pytest.mark.parametrize(
    ("steps", "final", "tabs"),
    [
        ([BEHIND], "/", 2),
        ([BEHIND, NEWEST], "/next", 2),
        ([BEHIND, CLOSE], "/next", 1),
        ([BEHIND, NEXT, HOME, NEWEST], "/next", 2),
        ([BEHIND, NEWEST, CLOSE], "/", 1),
        ([BEHIND, NEWEST, OLDEST], "/", 2),
        ([BEHIND, BEHIND, SwitchTab(do="tab", index=1), CLOSE], "/next", 2),
        ([POPUP], "/popup", 2),
        ([POPUP, OLDEST, NEXT], "/next", 2),
        ([POPUP, CLOSE], "/", 1),
    ],
)
def test_script_continues_in_the_front_tab(
    session: Session,
    capture: Callable[..., Captured],
    steps: list[ScriptStep],
    final: str,
    tabs: int,
) -> None:
    performer = StepPerformer()
    for step in steps:
        performer.perform(session.page.context.pages[-1], step)
    assert performer.front(session.page.context).url == f"https://mini.test{final}"
    evidence = capture().evidence
    assert evidence.page is not None
    assert evidence.page.url == f"https://mini.test{final}"
    assert len(evidence.tabs) == tabs


def test_background_tab_continues_the_route(
    session: Session, capture: Callable[..., Captured]
) -> None:
    performer = StepPerformer()
    for step in (BEHIND, NEWEST):
        performer.perform(session.page, step)
    (judged,) = [page for page in capture().evidence.pages_seen if page.final]
    assert (judged.url, judged.how.value, judged.new_tab) == (
        "https://mini.test/next",
        "click",
        True,
    )


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (SwitchTab(do="tab", index=3), "tab 3: there is no such tab, only 1: use 0 to 0"),
        (SwitchTab(do="tab", index=-2), "tab -2: there is no such tab, only 1"),
        (CLOSE, "close: this is the last tab"),
    ],
)
def test_step_on_a_missing_tab_is_reported(session: Session, step: ScriptStep, why: str) -> None:
    with pytest.raises(StepError, match=f"^{why}"):
        StepPerformer().perform(session.page, step)
