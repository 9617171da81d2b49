"""What servers and scripts do to the final page, and whose trouble it is."""

from __future__ import annotations

from contextlib import AbstractContextManager, suppress

import pytest
from playwright.sync_api import Error, Page, Playwright

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Capture, Finished
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.evidence.models import Ending
from pytest_webbench.judge import judge
from pytest_webbench.task import Task
from pytest_webbench.world.base import Live
from tests.support.fake_http import Answer, Asked, serving
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser

LINKS = ("locked", "missing", "forbidden", "broken", "silent", "wall", "dead")
HTML = {"Content-Type": "text/html"}
ANSWERS = {
    "/locked": Answer(body="", status=401, headers={"WWW-Authenticate": "Basic", **HTML}),
    "/missing": Answer(body="", status=404, headers=HTML),
    "/forbidden": Answer(body="", status=403, headers=HTML),
    "/broken": Answer(body="", status=503, headers=HTML),
    "/silent": Answer(body="", headers=HTML),
    "/wall": Answer(body="<title>Just a moment...</title>Verify you are human", headers=HTML),
    "/dead": Answer(trouble="reset"),
}


def home(asked: Asked) -> Answer:
    links = "".join(f"<a href='/{name}'>{name}</a> " for name in LINKS)
    return ANSWERS.get(asked.path, Answer(body=links, headers=HTML))


def click(page: Page, name: str) -> None:
    page.get_by_role("link", name=name).click()
    page.wait_for_url(lambda url: url.endswith(name) or url.startswith("chrome-error:"))


def lead(page: Page, name: str) -> None:
    with suppress(Error):
        page.evaluate("path => { location.href = path }", f"/{name}")
        page.wait_for_url(lambda url: url.endswith(name) or url.startswith("chrome-error:"))


@pytest.fixture
def provider(playwright: Playwright) -> LocalBrowser:
    return LocalBrowser(playwright, {})


def test_server_is_to_blame_only_for_what_it_did(
    provider: LocalBrowser, watchdog: Watchdog
) -> None:
    browser = provider.acquire(Live())

    def limit(seconds: float) -> AbstractContextManager[None]:
        return watchdog.limit(seconds, "capture")

    def outcome(url: str, act: object, name: str) -> str:
        assert callable(act)
        session = Session(fresh_context(browser, {}), Notes(), step_shots=False)
        session.open(url, timeout=20)
        session.begin()
        act(session.page, name)
        session.flush()
        session.end()
        evidence = (
            Capture(session, limit, archive=False)
            .run(
                task="t",
                finished=Finished(Ending.DONE, None),
                probes=(),
                outside=[],
                delivered=None,
            )
            .evidence
        )
        session.close()
        return judge(task(url), evidence).outcome.value

    with serving(home) as service:
        clicked = {name: outcome(service.url, click, name) for name in LINKS}
        led = {name: outcome(service.url, lead, name) for name in LINKS}
    provider.release()
    agents = {"locked", "missing"}
    assert clicked == {name: "failed" if name in agents else "unscored" for name in LINKS}
    assert led == {name: "unscored" if name == "wall" else "failed" for name in LINKS}


def task(url: str) -> Task:
    check = {"name": "x", "get": "page_title", "metric": "exact_match", "expected": "Lamps"}
    return Task.model_validate(
        {"id": "t", "goal": "Open the lamps.", "start_url": url, "checks": [check]}
    )
