"""A browser in the small suite's replica world, and sessions in it, without pytest items."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.find import find_browser
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.session import Session
from pytest_webbench.capture.capture import Capture, Captured, Finished
from pytest_webbench.checks import Probe
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.evidence.models import Ending
from pytest_webbench.world import World, open_world
from tests.support.mini_suite import HOME, MINI
from tests.support.step_notes import Notes


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    opened = open_world("replica", MINI)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def mini_browser(playwright: Playwright, world: World) -> Iterator[Browser]:
    provider = browser_provider(playwright, {}, "local")
    yield provider.acquire(world)
    provider.release()


@pytest.fixture(scope="session")
def running_chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Chromium that somebody else started; it sees the small suite's replica sites."""
    world: World = open_world("replica", MINI)
    profile = tmp_path_factory.mktemp("profile")
    chrome = subprocess.Popen(
        [
            find_browser().path,
            "--headless",
            "--no-sandbox",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            *world.launch_args(),
        ],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert chrome.stderr is not None
    found = next(match for line in chrome.stderr if (match := re.search(r"ws://([\d.:]+)/", line)))
    yield f"http://{found[1]}"
    chrome.kill()
    chrome.wait()
    chrome.stderr.close()
    world.close()


@pytest.fixture(scope="session")
def watchdog() -> Watchdog:
    return Watchdog()


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def session(mini_browser: Browser, world: World, notes: Notes) -> Iterator[Session]:
    """A session on the home page, with the agent's part begun."""
    opened = Session(fresh_context(mini_browser, world.context_args()), notes, step_shots=False)
    opened.open(HOME, timeout=20)
    opened.begin()
    yield opened
    opened.close()


@pytest.fixture
def capture(session: Session, watchdog: Watchdog, world: World) -> Callable[..., Captured]:
    """Captures the session's evidence."""

    def limit(seconds: float) -> AbstractContextManager[None]:
        return watchdog.limit(seconds, "capture")

    def run(
        *probes: Probe, archive: bool = False, answer: str | None = None, **overrides: Any
    ) -> Captured:
        with suppress(KeyboardInterrupt), limit(1.0):
            session.flush()
        session.end()
        values = {
            "task": "t",
            "finished": Finished(Ending.DONE, answer),
            "outside": world.outside_since_last(),
            "delivered": world.delivered_since_last(),
            **overrides,
        }
        return Capture(session, limit, archive=archive).run(probes=probes, **values)

    return run
