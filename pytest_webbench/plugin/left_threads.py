"""Threads that agents have left behind: Python would wait for them for ever before it ends."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from functools import partial


def running_threads() -> set[threading.Thread]:
    """All threads that Python waits for at its end."""
    return {
        thread
        for thread in threading.enumerate()
        if not thread.daemon and thread is not threading.main_thread()
    }


def end_without(threads: set[threading.Thread], code: int) -> None:
    """Let this process end with ``code`` when it is done, even if ``threads`` still run then."""
    # Python has no public way to do something before it joins threads.
    register = getattr(threading, "_register_atexit", None)
    if threads and register is not None:
        register(partial(_end, threads, code))


def _end(threads: set[threading.Thread], code: int) -> None:
    if not any(thread.is_alive() for thread in threads):
        return
    getattr(atexit, "_run_exitfuncs", lambda: None)()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)
