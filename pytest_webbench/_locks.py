"""Locks between processes, held on open files.

They are the kernel's (``flock``): it lifts a lock when the last process that holds the open file
ends, however that comes about, so no lock is ever stale. A lock can be shared by the processes of a
session, can lie on the very file that it protects, and stays with that file when it is renamed:
a run's session lock and the notes on rented browsers need all three.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def try_lock(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file without waiting; False if another process holds it.

    A lock that this process holds on ``handle`` already is turned into the other kind.
    `OSError` if the file system has no locks.
    """
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class LockFile:
    """A file that is there to be locked; it stays when the lock is lifted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock if it is free; `OSError` if the file cannot be opened or locked."""
        handle = self._open()
        try:
            if try_lock(handle):
                self._handle, handle = handle, -1
        finally:
            if handle >= 0:
                os.close(handle)
        return self._handle is not None

    def release(self) -> None:
        """Lift the lock."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for the length of a block; waits for whoever holds it now."""
        handle = self._open()
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _open(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
