"""One session at a time in a run directory: a lock of the operating system, shared by a session's processes.

    runs/<tag>/locks/session.lock    who holds it, as JSON

The system lifts a process's lock when it ends, however that comes about, so there are no stale locks. While any process
of a session lives, such as a worker that has outlived its killed controller, no other session can begin.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psutil

from ..errors import SettingsError, StoreError

FILE: Final = "locks/session.lock"
PATIENCE_SECONDS: Final = 30.0
"""How long the workers of a killed session may take to notice and end: execnet gives them ten."""
_LARGEST: Final = 10_000


class RunLock:
    """This process's part in its session's lock on the run directory ``run``.

    ``session`` is the same in all processes of a session. ``pid`` is the process that the user started.
    """

    def __init__(self, run: Path, session: str, pid: int, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._file, self._session, self._pid, self._sleep = run / FILE, session, pid, sleep
        self._handle: int | None = None

    def acquire(self) -> None:
        """Hold it until this process ends; `SettingsError` if another session works in this run directory."""
        if self._handle is not None:
            return
        patience = PATIENCE_SECONDS
        while (other := self._try()) is not None:
            if (other and not left_behind(other)) or patience <= 0:
                raise SettingsError(self.refusal(other))
            self._sleep(0.1)
            patience -= 0.1

    def join(self) -> None:
        """Hold it as well, if other processes of this session do."""
        if self._handle is None and self._file.is_file():
            self._try(first=False)

    def release(self) -> None:
        """Let others in."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def holder(self) -> dict[str, str | int] | None:
        """Who else holds it now; None if nobody does, or only processes of this session."""
        try:
            handle = os.open(self._file, os.O_RDONLY)
        except OSError:
            return None
        try:
            if _locked(handle, fcntl.LOCK_EX):
                return None
            found = _read(handle)
            return None if found.get("session") == self._session else found
        finally:
            os.close(handle)

    def _try(self, *, first: bool = True) -> dict[str, str | int] | None:
        """None if the lock is ours now, else who holds it; empty for a moment while a holder writes down who it is."""
        handle = self._open()
        try:
            if first and _locked(handle, fcntl.LOCK_EX):
                self._write(handle)
            # Going over to a shared lock is not one step: another session can come in between, so look who it is.
            if not _locked(handle, fcntl.LOCK_SH):
                return {}
            found = _read(handle)
            if found.get("session") == self._session:
                self._handle, handle = handle, -1
                return None
            return found
        finally:
            if handle >= 0:
                os.close(handle)

    def _open(self) -> int:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self._file, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreError(
                f"the run directory {self._file.parents[1]} cannot be written: {error}; "
                "choose another with --webbench-runs-dir"
            ) from error

    def _write(self, handle: int) -> None:
        told = {
            "session": self._session,
            "pid": self._pid,
            "host": socket.gethostname(),
            "since": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        }
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps(told, sort_keys=True).encode(), 0)
        except OSError as error:
            raise StoreError(f"{self._file} cannot be written: {error}") from error

    def refusal(self, other: Mapping[str, str | int]) -> str:
        """What to tell somebody who wants to begin while another session is at work."""
        return (
            f"run {self._file.parents[1].name} is in use by another session (process {other.get('pid', 'unknown')} on "
            f"{other.get('host', 'unknown')}, since {other.get('since', 'unknown')}): wait for it, stop it, or take "
            "another tag with --webbench-run"
        )


@contextmanager
def alone(run: Path) -> Iterator[None]:
    """For a command that writes to a run: no session works in there meanwhile."""
    lock = RunLock(run, uuid.uuid4().hex, os.getpid())
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


def left_behind(holder: Mapping[str, str | int]) -> bool:
    """Whether the process that the user started is gone, so that its workers will end soon."""
    pid = holder.get("pid")
    return holder.get("host") == socket.gethostname() and isinstance(pid, int) and not psutil.pid_exists(pid)


def _locked(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StoreError(
            f"this file system has no locks ({error}), so two sessions could write to one run: choose a directory on "
            "another with --webbench-runs-dir"
        ) from error
    return True


def _read(handle: int) -> dict[str, str | int]:
    """Who holds the lock, as far as it is written down."""
    try:
        found = json.loads(os.pread(handle, _LARGEST, 0))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
