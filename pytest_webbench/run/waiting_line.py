"""Who waits for something that only some may have, in the order in which they came.

A file for each that waits, locked by its process: the kernel lifts the lock of one that is killed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .._files import storing
from .._locks import LockFile, try_lock


class WaitingLine:
    """The line for ``name`` in ``folder``, which all processes of this machine share."""

    def __init__(self, folder: Path, name: str, clock: Callable[[], int] = time.time_ns) -> None:
        self._folder, self._name, self._clock = folder, name, clock

    @contextmanager
    def join(self) -> Iterator[Callable[[], bool]]:
        """Stand in line for the length of a block; what is given says whether we are the first."""
        ticket = self._folder / f"{self._name}.{self._clock():020d}.{os.getpid()}.ticket"
        unseen = ticket.with_suffix(".new")
        lock = LockFile(unseen)
        with storing(unseen):
            lock.try_acquire()
            # The name comes last: whoever sees it finds the file locked.
            unseen.replace(ticket)
        try:
            yield lambda: self._is_first(ticket)
        finally:
            ticket.unlink(missing_ok=True)
            lock.release()

    def _is_first(self, ticket: Path) -> bool:
        for other in sorted(self._folder.glob(f"{self._name}.*.ticket")):
            if other >= ticket:
                break
            if _is_alive(other):
                return False
            other.unlink(missing_ok=True)
        return True


def _is_alive(ticket: Path) -> bool:
    """Whether the process that waits by this ticket still does."""
    try:
        handle = os.open(ticket, os.O_RDWR)
    except OSError:
        return False  # it has just gone
    try:
        return not try_lock(handle)
    finally:
        os.close(handle)
