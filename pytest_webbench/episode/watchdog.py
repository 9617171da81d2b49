"""Interrupts the main thread wherever it hangs: agent code, a Playwright call, a dead page.

A timer thread sends the main thread a signal. If it arrives in Python code, the handler raises
right there. If it arrives inside Playwright's event loop, raising there would break the loop's
bookkeeping; so a callback is queued that raises from the loop, which Playwright (1.65 and later)
passes on to the call that waits.
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

from .overseer import REPEAT_SECONDS as _REPEAT_SECONDS
from .overseer import SIGNAL as _SIGNAL
from .oversight import Oversight, Will

PATIENCE_SECONDS: Final = 15.0
_OVERSEER_SECONDS: Final = 5.0
"""So much longer the other process waits: this one ends itself if it can."""


class Interrupted(KeyboardInterrupt):
    """Raised in the guarded code when its time is up, or when `Watchdog.interrupt` was called.

    It derives from KeyboardInterrupt because asyncio swallows other exceptions in callbacks.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Watchdog:
    """Guards one block of code at a time. Create it in the main thread."""

    def __init__(self, oversight: Callable[[], Oversight] = Oversight.start) -> None:
        assert threading.current_thread() is threading.main_thread(), (
            "signals reach the main thread only"
        )
        # Playwright runs its event loop in another greenlet of the same thread.
        self._home = greenlet.getcurrent()
        self._thread_id = threading.get_ident()
        self._guard: _Guard | None = None
        self._start_oversight = oversight
        self._oversight: Oversight | None = None
        signal.signal(_SIGNAL, self._on_signal)

    def limit(
        self,
        seconds: float,
        reason: str = "time",
        *,
        last_resort: Callable[[], None] | None = None,
        will: Will | None = None,
    ) -> Limit:
        """A block that raises `Interrupted` after ``seconds``, and every second until it is left.

        Code that swallows the exception for `PATIENCE_SECONDS` cannot be stopped from within: then
        ``last_resort`` is called, in another thread. Code that keeps the interpreter's lock is
        interrupted, and some time later ended with this process, by another process; that runs
        the ``will``. Without one it does not watch.
        """
        return Limit(self, _Guard(self._thread_id, seconds, reason, last_resort), will)

    def oversee(self, deadline: float, will: Will) -> None:
        """Let the other process watch from now on, until `rest`."""
        if self._oversight is None:
            self._oversight = self._start_oversight()
        end = deadline + PATIENCE_SECONDS + _OVERSEER_SECONDS
        self._oversight.watch(interrupt=deadline + _REPEAT_SECONDS, end=end, will=will)

    def rest(self) -> None:
        """The other process has nothing to watch."""
        if self._oversight is not None:
            self._oversight.rest()

    def close(self) -> None:
        """End what was started for it."""
        if self._oversight is not None:
            self._oversight.close()
            self._oversight = None

    def exchange(self, guard: _Guard | None) -> _Guard | None:
        """Put ``guard`` in force and return the one before."""
        before, self._guard = self._guard, guard
        return before

    def interrupt(self, reason: str) -> None:
        """End the guarded block now, if there is one. Safe from any thread and any greenlet."""
        if self._guard is not None:
            self._guard.expire(reason)

    def _on_signal(self, _signal: int, frame: FrameType | None) -> None:
        guard = self._guard
        # A signal may arrive late, when its block has been left already.
        if guard is None or not guard.is_due() or _entering_or_leaving(frame):
            return
        if greenlet.getcurrent() is self._home:
            raise Interrupted(guard.reason)
        asyncio.get_running_loop().call_soon_threadsafe(self._raise_from_loop, guard)

    def _raise_from_loop(self, guard: _Guard) -> None:
        # The block may have been left since the callback was queued.
        if self._guard is guard:
            raise Interrupted(guard.reason)


class Limit:
    """A block with a time limit, made by `Watchdog.limit`."""

    def __init__(self, watchdog: Watchdog, guard: _Guard, will: Will | None) -> None:
        self._watchdog, self._guard, self._will = watchdog, guard, will
        self._outer: _Guard | None = None
        self._lifted = True

    def extend(self, seconds: float) -> None:
        """Move the deadline by ``seconds``."""
        self._guard.extend(seconds)
        self._oversee()

    def _oversee(self) -> None:
        if self._will is not None:
            self._watchdog.oversee(self._guard.deadline, self._will)

    def __enter__(self) -> None:
        self._lifted = False
        self._outer = self._watchdog.exchange(self._guard)
        self._guard.start()
        self._oversee()

    def __exit__(self, *_error: object) -> None:
        self.lift()

    def lift(self) -> None:
        """End the limit; nothing if it has ended.

        Python does not call ``__exit__`` if an interruption arrives between the block and that, so
        whoever catches interruptions calls this as well.
        """
        if not self._lifted:
            self._lifted = True
            self._guard.stop()
            self._watchdog.exchange(self._outer)
            if self._will is not None:
                self._watchdog.rest()


def _entering_or_leaving(frame: FrameType | None) -> bool:
    """Whether a limit is being set or lifted: an interruption there would leave it in force."""
    while frame is not None:
        if frame.f_code in _AT_EITHER_END:
            return True
        frame = frame.f_back
    return False


_AT_EITHER_END: Final = frozenset(
    (Limit.__enter__.__code__, Limit.__exit__.__code__, Limit.lift.__code__)
)


class _Guard:
    """One block's deadline, with the thread that watches it."""

    def __init__(
        self,
        thread_id: int,
        seconds: float,
        reason: str,
        last_resort: Callable[[], None] | None = None,
    ) -> None:
        self.reason = reason
        self._last_resort = last_resort
        self.expired = False
        self._thread_id = thread_id
        self._seconds = seconds
        self.deadline = 0.0
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="webbench-watchdog")

    def start(self) -> None:
        self.deadline = time.monotonic() + self._seconds
        self._thread.start()

    def extend(self, seconds: float) -> None:
        self.deadline += seconds

    def is_due(self) -> bool:
        # The thread that notes it cannot run while a call into C keeps the interpreter's lock.
        self.expired = self.expired or time.monotonic() >= self.deadline
        return self.expired

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()

    def expire(self, reason: str) -> None:
        if not self.expired:
            self.reason = reason
            self.expired = True
            self._wake.set()

    def _run(self) -> None:
        while (left := self.deadline - time.monotonic()) > 0 and not self._wake.wait(left):
            pass  # it may have been extended in the meantime
        self.expired = True
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._stopped.is_set():
            # Repeated: the code may catch the exception, or a signal may arrive where it must not
            # act.
            signal.pthread_kill(self._thread_id, _SIGNAL)
            self._stopped.wait(_REPEAT_SECONDS)
            out_of_patience = time.monotonic() > deadline and not self._stopped.is_set()
            if out_of_patience and self._last_resort is not None:
                self._last_resort()
                return
