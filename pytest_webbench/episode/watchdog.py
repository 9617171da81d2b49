"""Interrupts the main thread wherever it hangs: in agent code, in a Playwright call, in a page that never answers.

A timer thread sends the main thread a signal. If that finds it in Python code, the handler raises right there. If it
finds it inside Playwright's event loop, raising there would break the loop's own bookkeeping; so a callback is queued
that raises from the loop, which Playwright (1.65 and later) hands on to the call that waits.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

import greenlet

_SIGNAL: Final = signal.SIGURG
"""Ignored by default on every POSIX system, and used by nobody in Python."""
_REPEAT_SECONDS: Final = 1.0
PATIENCE_SECONDS: Final = 15.0


class Interrupted(KeyboardInterrupt):
    """Raised in the guarded code when its time is up, or when somebody asked for its end.

    It derives from KeyboardInterrupt, because asyncio swallows every other exception within a callback.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Watchdog:
    """Guards one stretch of code at a time. Create it in the main thread."""

    def __init__(self) -> None:
        assert threading.current_thread() is threading.main_thread(), "signals reach the main thread only"
        self._home = greenlet.getcurrent()
        self._thread_id = threading.get_ident()
        self._guard: _Guard | None = None
        signal.signal(_SIGNAL, self._on_signal)

    def limit(self, seconds: float, reason: str = "time", *, last_resort: Callable[[], None] | None = None) -> Limit:
        """A block that raises `Interrupted` once ``seconds`` have passed, again each second until it is left.

        Code that swallows that for `PATIENCE_SECONDS` cannot be stopped from within: then ``last_resort`` is called, in
        another thread.
        """
        return Limit(self, _Guard(self._thread_id, seconds, reason, last_resort))

    def exchange(self, guard: _Guard | None) -> _Guard | None:
        """Make ``guard`` the one in force; gives back the one before."""
        before, self._guard = self._guard, guard
        return before

    def interrupt(self, reason: str) -> None:
        """Ends the guarded block now; without one, nothing happens. Safe from any thread and any greenlet."""
        if self._guard is not None:
            self._guard.expire(reason)

    def _on_signal(self, _signal: int, frame: FrameType | None) -> None:
        guard = self._guard
        if guard is None or not guard.expired or _entering_or_leaving(frame):
            return
        if greenlet.getcurrent() is self._home:
            raise Interrupted(guard.reason)
        asyncio.get_running_loop().call_soon_threadsafe(self._raise_from_loop, guard)

    def _raise_from_loop(self, guard: _Guard) -> None:
        if self._guard is guard:
            raise Interrupted(guard.reason)


class Limit:
    """A block with a time limit, as `Watchdog.limit` gives it."""

    def __init__(self, watchdog: Watchdog, guard: _Guard) -> None:
        self._watchdog, self._guard = watchdog, guard
        self._outer: _Guard | None = None

    def extend(self, seconds: float) -> None:
        """The block may take so much longer."""
        self._guard.extend(seconds)

    def __enter__(self) -> None:
        self._outer = self._watchdog.exchange(self._guard)
        self._guard.start()

    def __exit__(self, *_error: object) -> None:
        self._guard.stop()
        self._watchdog.exchange(self._outer)


def _entering_or_leaving(frame: FrameType | None) -> bool:
    """Whether a limit is being set or lifted right now: an interruption there would leave it in force for good."""
    while frame is not None:
        if frame.f_code in (Limit.__enter__.__code__, Limit.__exit__.__code__):
            return True
        frame = frame.f_back
    return False


class _Guard:
    def __init__(
        self, thread_id: int, seconds: float, reason: str, last_resort: Callable[[], None] | None = None
    ) -> None:
        self.reason = reason
        self._last_resort = last_resort
        self.expired = False
        self._thread_id = thread_id
        self._seconds = seconds
        self._deadline = 0.0
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="webbench-watchdog")

    def start(self) -> None:
        self._deadline = time.monotonic() + self._seconds
        self._thread.start()

    def extend(self, seconds: float) -> None:
        self._deadline += seconds

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()

    def expire(self, reason: str) -> None:
        if not self.expired:
            self.reason = reason
            self.expired = True
            self._wake.set()

    def _run(self) -> None:
        while (left := self._deadline - time.monotonic()) > 0 and not self._wake.wait(left):
            pass  # it may have been extended meanwhile
        self.expired = True
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._stopped.is_set():
            signal.pthread_kill(self._thread_id, _SIGNAL)
            self._stopped.wait(_REPEAT_SECONDS)
            if self._last_resort is not None and time.monotonic() > deadline and not self._stopped.is_set():
                self._last_resort()
                return
