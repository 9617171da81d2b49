"""Keeps what an agent's code does to its process from reaching the episodes after it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

_TIMERS: Final = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_STREAMS: Final = ("stdin", "stdout", "stderr")
# What libraries such as nest_asyncio replace, which Playwright's event loop does not survive.
_PATCHED: Final = (
    asyncio,
    asyncio.events,
    asyncio.futures,
    asyncio.tasks,
    asyncio.BaseEventLoop,
    asyncio.SelectorEventLoop,
)


class ProcessGuard:
    """A block around an agent's code; ``log`` is told what had to be put back.

    A child process that the agent has forked never leaves the block: it would go on as a second
    harness.
    """

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log

    def __enter__(self) -> Self:
        self._process, self._folder = os.getpid(), os.getcwd()
        self._handlers = {number: signal.getsignal(number) for number in _signals()}
        self._timers = {timer: signal.getitimer(timer)[0] for timer in _TIMERS}
        self._streams = {name: getattr(sys, name) for name in _STREAMS}
        self._code = [dict(vars(place)) for place in _PATCHED]
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if os.getpid() != self._process:
            os._exit(_exit_code(error))
        # Timers first: one that goes off finds no handler any more.
        changed = [
            what
            for what, put_back in (
                ("a timer", self._stop_timers),
                ("signal handlers", self._put_back_handlers),
                ("the working directory", self._put_back_folder),
                ("standard streams", self._put_back_streams),
                ("code of asyncio", self._put_back_code),
            )
            if put_back()
        ]
        if changed:
            self._log(f"put back after the agent: {', '.join(changed)}")

    def _stop_timers(self) -> bool:
        left = [timer for timer in _TIMERS if signal.getitimer(timer)[0]]
        new = [timer for timer in left if not self._timers[timer]]
        for timer in new:
            signal.setitimer(timer, 0)
        return bool(new)

    def _put_back_handlers(self) -> bool:
        changed = {
            number: before
            for number, before in self._handlers.items()
            if signal.getsignal(number) is not before
        }
        for number, before in changed.items():
            signal.signal(number, before)
        return bool(changed)

    def _put_back_folder(self) -> bool:
        with suppress(OSError):
            if os.getcwd() == self._folder:
                return False
        os.chdir(self._folder)
        return True

    def _put_back_streams(self) -> bool:
        changed = [name for name, one in self._streams.items() if getattr(sys, name) is not one]
        for name in changed:
            setattr(sys, name, self._streams[name])
        return bool(changed)

    def _put_back_code(self) -> bool:
        changed = [
            _put_back(place, before) for place, before in zip(_PATCHED, self._code, strict=True)
        ]
        return any(changed)


def _put_back(place: Any, before: dict[str, Any]) -> bool:
    now = dict(vars(place))
    # Only code: asyncio keeps state in these modules, too.
    code = {name: value for name, value in before.items() if callable(value)}
    changed = [name for name, value in code.items() if now.get(name) is not value]
    for name in changed:
        setattr(place, name, before[name])
    for name in set(now) - set(before):
        # A new submodule that was imported in the meantime does no harm.
        if not isinstance(now[name], type(asyncio)):
            delattr(place, name)
            changed.append(name)
    return bool(changed)


def _signals() -> list[signal.Signals]:
    """Those whose handlers Python knows and can set."""
    fixed = {signal.SIGKILL, signal.SIGSTOP}
    return [
        number
        for number in signal.Signals
        if number not in fixed and signal.getsignal(number) is not None
    ]


def _exit_code(error: BaseException | None) -> int:
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    return int(error is not None)
