"""The watchdog: ends code wherever it hangs, and leaves nothing behind."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import pytest

from pytest_webbench.episode import watchdog as module
from pytest_webbench.episode.watchdog import Interrupted, Watchdog

SOON = 0.05
"""A limit that is reached within the test."""
LONG = 5.0
"""A limit, or a wait, that no test reaches."""


@pytest.fixture
def watchdog(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watchdog]:
    """One that repeats itself quickly; the signal's handler is put back."""
    monkeypatch.setattr(module, "_REPEAT_SECONDS", SOON)
    handler = signal.getsignal(signal.SIGURG)
    watchdog = Watchdog()
    yield watchdog
    signal.signal(signal.SIGURG, handler)
    if watchdog._guard is not None:  # only after a test that failed
        watchdog._guard.stop()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Fails the test, and not the whole session, if an interruption comes through."""
    try:
        yield
    except Interrupted as error:
        pytest.fail(f"interrupted: {error.reason}")


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "webbench-watchdog"]


def wait_until(condition: Callable[[], bool], seconds: float = LONG) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()


def sleep() -> None:
    time.sleep(LONG)


def spin() -> None:
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        pass


def wait_for_an_event() -> None:
    threading.Event().wait(LONG)


def wait_for_a_thread() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, args=(LONG,))
    thread.start()
    try:
        thread.join()
    finally:
        end.set()


# -- interrupting ------------------------------------------------------------------------------


@pytest.mark.parametrize("hang", [sleep, spin, wait_for_an_event, wait_for_a_thread])
def test_hanging_code_is_ended_at_its_limit(watchdog: Watchdog, hang: Callable[[], None]) -> None:
    begin = time.monotonic()
    with pytest.raises(Interrupted), watchdog.limit(SOON):
        hang()
    assert SOON <= time.monotonic() - begin < LONG / 2


def test_interruption_carries_its_reason(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted) as caught, watchdog.limit(SOON, "time_budget"):
        sleep()
    assert caught.value.reason == "time_budget"


def test_code_that_catches_exceptions_is_interrupted(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted), watchdog.limit(SOON), suppress(Exception):
        sleep()


def test_swallowed_interruption_is_repeated(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted), watchdog.limit(SOON):
        with suppress(Interrupted):
            sleep()
        sleep()


def test_interruption_goes_through_finally_blocks(watchdog: Watchdog) -> None:
    cleaned = []
    with suppress(Interrupted), watchdog.limit(SOON):
        try:
            sleep()
        finally:
            cleaned.append(True)
    assert cleaned == [True]


def test_error_of_the_code_is_not_replaced(watchdog: Watchdog) -> None:
    with pytest.raises(ZeroDivisionError), watchdog.limit(LONG):
        _ = 1 / 0


def test_code_within_its_limit_is_not_interrupted(watchdog: Watchdog) -> None:
    with undisturbed(), watchdog.limit(LONG):
        time.sleep(SOON)


def test_watchdog_belongs_to_the_main_thread() -> None:
    errors: list[BaseException] = []

    def create() -> None:
        try:
            Watchdog()
        except AssertionError as error:
            errors.append(error)

    thread = threading.Thread(target=create)
    thread.start()
    thread.join()
    assert [str(error).partition("\n")[0] for error in errors] == [
        "signals reach the main thread only"
    ]


# -- ending a block by word --------------------------------------------------------------------


def test_block_is_ended_by_another_thread(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted) as caught, watchdog.limit(LONG, "time_budget"):
        threading.Timer(SOON, watchdog.interrupt, ["step_budget"]).start()
        sleep()
    assert caught.value.reason == "step_budget"


def test_block_is_ended_from_within(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted) as caught, watchdog.limit(LONG):
        watchdog.interrupt("step_budget")
        sleep()
    assert caught.value.reason == "step_budget"


def test_first_request_to_end_counts(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted) as caught, watchdog.limit(LONG):
        watchdog.interrupt("first")
        watchdog.interrupt("second")
        sleep()
    assert caught.value.reason == "first"


def test_request_after_the_limit_does_not_change_the_reason(watchdog: Watchdog) -> None:
    reasons = []
    with suppress(Interrupted), watchdog.limit(SOON, "time_budget"):
        try:
            sleep()
        except Interrupted:
            watchdog.interrupt("step_budget")
            try:
                sleep()
            except Interrupted as again:
                reasons.append(again.reason)
    assert reasons == ["time_budget"]


def test_request_to_end_without_a_block_does_nothing(watchdog: Watchdog) -> None:
    with undisturbed():
        watchdog.interrupt("step_budget")
        time.sleep(SOON)
        with watchdog.limit(LONG):
            time.sleep(SOON)


# -- blocks within blocks ----------------------------------------------------------------------


def test_inner_limit_ends_the_inner_block_only(watchdog: Watchdog) -> None:
    with undisturbed(), watchdog.limit(LONG, "outer"):
        with pytest.raises(Interrupted, match="inner"), watchdog.limit(SOON, "inner"):
            sleep()
        time.sleep(2 * SOON)


def test_outer_limit_holds_after_an_inner_block(watchdog: Watchdog) -> None:
    with pytest.raises(Interrupted, match="outer"), watchdog.limit(3 * SOON, "outer"):
        with suppress(Interrupted), watchdog.limit(SOON, "inner"):
            sleep()
        sleep()


def test_outer_limit_waits_for_the_inner_block_to_end(watchdog: Watchdog) -> None:
    done = []
    with pytest.raises(Interrupted, match="outer"), watchdog.limit(SOON, "outer"):
        with watchdog.limit(LONG, "inner"):
            time.sleep(4 * SOON)
            done.append("inner")
        sleep()
    assert done == ["inner"]


# -- afterwards --------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [SOON, LONG], ids=["interrupted", "in time"])
def test_no_interruption_after_the_block(watchdog: Watchdog, seconds: float) -> None:
    with suppress(Interrupted), watchdog.limit(seconds):
        time.sleep(2 * SOON)
    with undisturbed():
        time.sleep(4 * SOON)


@pytest.mark.parametrize("seconds", [SOON, LONG], ids=["interrupted", "in time"])
def test_no_thread_is_left_after_the_block(watchdog: Watchdog, seconds: float) -> None:
    with suppress(Interrupted), watchdog.limit(seconds):
        time.sleep(2 * SOON)
    assert wait_until(lambda: not threads())


def test_blocks_can_follow_one_another(watchdog: Watchdog) -> None:
    reasons = []
    for reason in ("first", "second", "third"):
        try:
            with watchdog.limit(SOON / 5, reason):
                sleep()
        except Interrupted as error:
            reasons.append(error.reason)
    assert reasons == ["first", "second", "third"]


def test_foreign_signal_is_ignored(watchdog: Watchdog) -> None:
    with undisturbed():
        with watchdog.limit(LONG):
            signal.raise_signal(signal.SIGURG)
        signal.raise_signal(signal.SIGURG)


def signal_at_call(number: int) -> Callable[[FrameType, str, Any], None]:
    """A trace function that sends the signal when the function call with this number begins."""
    calls = 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"
        if calls == number:
            calls += 1
            signal.raise_signal(signal.SIGURG)

    return trace


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(1),
        2,
        3,
        4,
        5,
    ],
)
def test_interruption_during_exit_is_the_last(
    watchdog: Watchdog, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_REPEAT_SECONDS", LONG)
    before, caught = sys.gettrace(), []
    try:
        with watchdog.limit(SOON):
            with suppress(Interrupted):
                sleep()
            sys.settrace(signal_at_call(call))
    except Interrupted as error:
        caught.append(
            error
        )  # whoever catches it may keep it, and with it the frames of its traceback
    finally:
        sys.settrace(before)
    with undisturbed():
        signal.raise_signal(signal.SIGURG)


# -- code that cannot be ended -----------------------------------------------------------------


def swallow(seconds: float) -> None:
    """Goes on for a while, whatever is raised in it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(Interrupted):
            time.sleep(0.01)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", SOON)


@pytest.mark.usefixtures("impatient")
def test_last_resort_is_called_once_in_another_thread(watchdog: Watchdog) -> None:
    called: list[threading.Thread] = []
    with (
        suppress(Interrupted),
        watchdog.limit(SOON, last_resort=lambda: called.append(threading.current_thread())),
    ):
        swallow(8 * SOON)
    assert [thread.name for thread in called] == ["webbench-watchdog"]


@pytest.mark.usefixtures("impatient")
def test_last_resort_is_not_called_if_the_code_ends(watchdog: Watchdog) -> None:
    called: list[str] = []
    with suppress(Interrupted), watchdog.limit(SOON, last_resort=lambda: called.append("called")):
        sleep()
    time.sleep(4 * SOON)
    assert called == []


def test_last_resort_waits_for_the_patience(watchdog: Watchdog) -> None:
    called: list[str] = []
    with suppress(Interrupted), watchdog.limit(SOON, last_resort=lambda: called.append("called")):
        swallow(6 * SOON)
    assert called == []


@pytest.mark.usefixtures("impatient")
def test_code_without_a_last_resort_is_interrupted_repeatedly(
    watchdog: Watchdog,
) -> None:
    interrupted = 0
    with suppress(Interrupted), watchdog.limit(SOON):
        end = time.monotonic() + 8 * SOON
        while time.monotonic() < end:
            try:
                time.sleep(0.01)
            except Interrupted:
                interrupted += 1
    assert interrupted >= 3


def test_extended_block_ends_at_its_new_limit(watchdog: Watchdog) -> None:
    limit = watchdog.limit(8 * SOON)
    begin = time.monotonic()
    with pytest.raises(Interrupted), limit:
        limit.extend(4 * SOON)
        sleep()
    assert time.monotonic() - begin >= 12 * SOON
    assert wait_until(lambda: not threads())


def test_extending_a_finished_block_does_nothing(watchdog: Watchdog) -> None:
    limit = watchdog.limit(LONG)
    with undisturbed(), limit:
        pass
    limit.extend(LONG)
    assert wait_until(lambda: not threads())


def test_limit_whose_exit_was_skipped_is_lifted_once(watchdog: Watchdog) -> None:
    outer, inner = watchdog.limit(LONG), watchdog.limit(LONG)
    inner.lift()  # was never in force
    outer.__enter__()
    inner.__enter__()
    inner.lift()
    inner.lift()
    with pytest.raises(Interrupted, match="now"):
        watchdog.interrupt("now")  # of the outer one, which is in force again
        sleep()
    outer.lift()
    watchdog.interrupt("later")
    with undisturbed():
        signal.raise_signal(signal.SIGURG)
