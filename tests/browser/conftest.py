"""A browser in the small suite's replica world, and sessions in it, without pytest items in between."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from pytest_webbench.browser.find import find_browser
from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.session import Session, fresh_context
from pytest_webbench.checks import Probe
from pytest_webbench.episode.watchdog import Watchdog
from pytest_webbench.evidence.capture import Capture, Captured
from pytest_webbench.evidence.models import Ending, ObservedAction
from pytest_webbench.world import World, open_world
from tests.conftest import MINI

HOME = "https://mini.test/"


class Notes:
    """A step sink that keeps what it is told."""

    def __init__(self) -> None:
        self.steps: dict[int, ObservedAction] = {}
        self.shots: list[int] = []
        self.secrets: list[str] = []
        self.open: list[str] = []

    def step(self, action: ObservedAction) -> None:
        assert action.number == len(self.steps) + 1
        self.steps[action.number] = action

    def step_changed(self, action: ObservedAction) -> None:
        self.steps[action.number] = action

    def secret(self, value: str, field: str) -> None:
        self.secrets.append(value)

    def shown(self, value: str) -> None:
        self.open.append(value)

    def shot(self, number: int, jpeg: bytes, url: str, width: int) -> None:
        assert jpeg.startswith(b"\xff\xd8")
        self.shots.append(number)


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
            find_browser().path, "--headless", "--no-sandbox", "--remote-debugging-port=0",
            f"--user-data-dir={profile}", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", *world.launch_args(),
        ],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
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

    def run(*probes: Probe, archive: bool = False, **overrides: Any) -> Captured:
        with suppress(KeyboardInterrupt), limit(1.0):
            session.flush()
        session.end()
        values = {
            "task": "t",
            "ending": Ending.DONE,
            "answer": None,
            "outside": world.outside_since_last(),
            **overrides,
        }
        return Capture(session, limit, archive=archive).run(probes=probes, **values)

    return run
