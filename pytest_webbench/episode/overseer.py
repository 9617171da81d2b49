"""Interrupts, and at last ends, a process whose agent keeps the interpreter's lock.

A regular expression or another call into C can keep that lock for hours. Then no thread of the
process runs, its watchdog neither; whoever is to act must be another process. As a program, for
workers of xdist:

    python -I overseer.py PID

reads orders from standard input, a JSON object on each line. ``{}`` means that nothing is to be
watched. Otherwise: ``interrupt`` and ``end``, moments of `time.monotonic`, which all processes of a
machine share, and ``will``, what is to be run once the process was ended (see `execute`).
Imports nothing of this package, for it has to start quickly.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

SIGNAL = signal.SIGURG
"""Ignored by default on every POSIX system, and not used by Python libraries that we know of."""
REPEAT_SECONDS = 1.0
_CHUNK = 65536


def oversee(pid: int, orders: int) -> bool:
    """Follow the orders that come through a pipe, until its end; whether ``pid`` was ended."""
    order: dict[str, Any] = {}
    lines = _lines(orders)
    while True:
        news = next(lines)
        if news is None:
            return False
        order = order if news == "" else json.loads(news)
        now = time.monotonic()
        if order and now >= order["end"]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            execute(order["will"])
            return True
        if order and now >= order["interrupt"]:
            with suppress(ProcessLookupError):
                os.kill(pid, SIGNAL)


def _lines(pipe: int) -> Iterator[str | None]:
    """Each line of a pipe, ``""`` when a while has passed without one, None once it has ended."""
    rest = b""
    while True:
        line, found, after = rest.partition(b"\n")
        if found:
            rest = after
            yield line.decode()
        elif not select.select([pipe], [], [], REPEAT_SECONDS)[0]:
            yield ""
        elif data := os.read(pipe, _CHUNK):
            rest += data
        else:
            yield None


def execute(will: dict[str, Any]) -> None:
    """Run a ``command`` with ``input``, both texts, once the process is gone."""
    subprocess.run(will["command"], input=will["input"], text=True, check=False)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    oversee(int(sys.argv[1]), 0)
