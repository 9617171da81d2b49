"""Waiting beside the browser's events."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from pytest_webbench.browser.event_loop import finish


@pytest.fixture
def interrupted() -> Iterator[threading.Event]:
    """Set once SIGUSR1 has raised in the main thread, as the watchdog does."""
    raised = threading.Event()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raised.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupt)
    yield raised
    signal.signal(signal.SIGUSR1, before)


def test_work_is_finished_before_an_interruption_is_raised(interrupted: threading.Event) -> None:
    done = []

    def work() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
        assert interrupted.wait(60)
        done.append("the rest")

    with pytest.raises(KeyboardInterrupt):
        finish(work, 60)
    assert done == ["the rest"]
