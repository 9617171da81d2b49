"""A browser in the small suite's replica world, and sessions in it, without pytest items in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from pytest_webbench.browser.local import browser_provider
from pytest_webbench.browser.session import Session
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

    def step(self, action: ObservedAction) -> None:
        assert action.number == len(self.steps) + 1
        self.steps[action.number] = action

    def step_changed(self, action: ObservedAction) -> None:
        self.steps[action.number] = action

    def shot(self, number: int, jpeg: bytes) -> None:
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
def watchdog() -> Watchdog:
    return Watchdog()


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def session(mini_browser: Browser, world: World, notes: Notes) -> Iterator[Session]:
    """A session on the home page, with the agent's part begun."""
    opened = Session(mini_browser, world.context_args(), notes, step_shots=False)
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
