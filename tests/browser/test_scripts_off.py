"""Pages whose own scripts are off: nothing of ours waits for what never comes there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, Route

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.script import StepPerformer
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Capture, Finished
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.evidence.models import Ending
from pytest_webbench.task.script import Click, Type
from pytest_webbench.world import World
from tests.support.mini_suite import HOME
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>Still</title><label>Name <input></label><p>Words</p>
    <a href="/still?2" target="_blank">Next</a><script>document.title = 'Scripts run'</script>"""


def _limit(watchdog: Watchdog) -> Callable[[float], AbstractContextManager[None]]:
    return lambda seconds: watchdog.limit(seconds, "capture")


@pytest.mark.parametrize(
    ("enabled", "policy"),
    [
        (False, ""),
        (True, "sandbox allow-popups"),
        (True, "sandbox allow-popups allow-same-origin"),
        (True, "script-src 'none'"),
    ],
)
def test_page_without_scripts_is_acted_on_and_read(
    mini_browser: Browser, world: World, watchdog: Watchdog, *, enabled: bool, policy: str
) -> None:
    def answer(route: Route) -> None:
        headers = {"content-security-policy": policy} if policy else {}
        route.fulfill(content_type="text/html", body=PAGE, headers=headers)

    args = {**world.context_args(), "java_script_enabled": enabled}
    session = Session(fresh_context(mini_browser, args), Notes(), step_shots=False)
    try:
        session.context.route("**/still*", answer)
        session.seed_storage(HOME, {"theme": "dark"})
        with watchdog.limit(30, "agent"):
            session.open(HOME + "still", timeout=20)
            session.begin()
            steps = StepPerformer()
            steps.perform(session.page, Type(do="type", role="textbox", name="Name", text="Ada"))
            steps.perform(session.page, Click(do="click", role="link", name="Next"))
            session.flush()
        session.end()
        capture = Capture(session, _limit(watchdog), archive=False)
        evidence = capture.run(
            task="t",
            finished=Finished(Ending.DONE, None),
            probes=[],
            outside=[],
            delivered=None,
        ).evidence
    finally:
        session.close()

    assert [action.kind for action in evidence.actions] == ["type", "click"]
    page = evidence.final_page()
    assert (page.url, page.title, page.visible_text) == (
        HOME + "still?2",
        "Still",
        "Name Words Next",
    )
    assert evidence.pages_seen[0].text == "Name\nWords\nNext"
    if "sandbox" not in policy or "same-origin" in policy:
        assert evidence.local_storage == {"theme": "dark"}
