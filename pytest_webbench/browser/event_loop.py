"""Work and waiting within Playwright's event loop.

That runs in the main thread, but only while a Playwright call waits.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

import greenlet
from playwright.sync_api import Page

T = TypeVar("T")


def run_in_event_loop(work: Callable[[], None]) -> None:
    """Do ``work``, which may wait for the browser, while the main program's next call waits.

    Event handlers of Playwright are run in the same way.
    """
    asyncio.get_running_loop().call_soon(lambda: greenlet.greenlet(work).switch())


def wait_in_event_loop(page: Page, work: Callable[[], T]) -> T:
    """The result of ``work``, done in another thread while the browser is observed in this one.

    ``page`` only leads to the loop; it may be closed.
    """
    # To wait in any ordinary way would stop Playwright's loop, and with it our observation; to come
    # back to it every few milliseconds would be a busy loop. So we wait as a Playwright call does:
    # for a future, in its loop. That is what `_sync` is, the one method that all calls of the
    # synchronous API go through; it has no public name. The watchdog interrupts it like any call.
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(set_outcome: Callable[[], None]) -> None:
        if not future.done():  # cancelled: nobody waits any longer
            set_outcome()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - raised again where the work is waited for
            outcome = partial(future.set_exception, error)
        else:
            outcome = partial(future.set_result, result)
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(settle, outcome)

    threading.Thread(target=run, daemon=True, name="webbench-work").start()
    found: T = page._sync(future)
    return found


def finish(work: Callable[[], None], seconds: float) -> None:
    """Do ``work`` to its end, for at most ``seconds``, though the watchdog may interrupt us.

    It does so each second once time is up; the interruption is raised afterwards.
    """
    # Signals reach the main thread only, so in another one the work cannot be cut short. The thread
    # is not joined: Python up to 3.12 takes it for ended when a join is interrupted.
    ended = threading.Event()

    def run() -> None:
        try:
            work()
        finally:
            ended.set()

    thread = threading.Thread(target=run, daemon=True, name="webbench-finish")
    deadline = time.monotonic() + seconds
    interruption: KeyboardInterrupt | None = None
    try:
        thread.start()
    except KeyboardInterrupt as error:
        interruption = error  # while it waited for the thread's first sign of life
    while not ended.is_set() and time.monotonic() < deadline:
        try:
            ended.wait(deadline - time.monotonic())
        except KeyboardInterrupt as error:
            interruption = error
    if interruption is not None:
        raise interruption
