"""What an agent's code does to its process ends with its episode."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_webbench.episode.process_guard import ProcessGuard


def set_timer() -> None:
    signal.setitimer(signal.ITIMER_REAL, 60)


def set_alarm() -> None:
    signal.alarm(60)


def handle_signals() -> None:
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def move_away() -> None:
    os.chdir("/")


def replace_streams() -> None:
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()


def patch_asyncio() -> None:
    asyncio.run = asyncio.events.new_event_loop = None  # type: ignore[assignment]
    asyncio.BaseEventLoop._nest_patched = True  # type: ignore[attr-defined]


def state() -> tuple[object, ...]:
    return (
        signal.getitimer(signal.ITIMER_REAL),
        signal.getsignal(signal.SIGALRM),
        signal.getsignal(signal.SIGTERM),
        os.getcwd(),
        sys.stdout,
        sys.stderr,
        asyncio.run,
        asyncio.events.new_event_loop,
        hasattr(asyncio.BaseEventLoop, "_nest_patched"),
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (set_timer, "a timer"),
        (set_alarm, "a timer"),
        (handle_signals, "signal handlers"),
        (move_away, "the working directory"),
        (replace_streams, "standard streams"),
        (patch_asyncio, "code of asyncio"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_changes_are_put_back_and_logged(change: Callable[[], None], told: str) -> None:
    before, log = state(), list[str]()
    with pytest.raises(ValueError, match="mine"), ProcessGuard(log.append):
        change()
        raise ValueError("mine")
    assert state() == before
    assert log == [f"put back after the agent: {told}"]


def test_folder_that_the_agent_removed_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ProcessGuard(lambda _text: None):
        gone = tmp_path / "gone"
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()
    assert Path.cwd() == tmp_path


def test_nothing_is_logged_of_an_agent_that_changes_nothing() -> None:
    log = list[str]()
    # Beside Playwright's event loop, which may run in this thread.
    with ProcessGuard(log.append), ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, asyncio.sleep(0)).result()
    assert log == []


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        (lambda: None, 0),
        (lambda: sys.exit(3), 3),
        (lambda: sys.exit("told"), 1),
        (lambda: 1 // 0, 1),
    ],
    ids=["returns", "exits", "exits with words", "raises"],
)
# Threads of earlier tests are no concern of a child that leaves at once.
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_forked_child_never_leaves_the_block(leave: Callable[[], object], code: int) -> None:
    here = os.getpid()
    child = 0
    try:
        with ProcessGuard(lambda _text: None):
            child = os.fork()
            if not child:
                leave()
    finally:
        if os.getpid() != here:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == code
