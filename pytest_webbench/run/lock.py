"""One session at a time in a run directory: a lock that the processes of a session share.

    runs/<tag>/locks/session.lock    who holds it, as JSON

While any process of a session lives, such as a worker that has outlived its killed controller, no
other session can begin.
"""

from __future__ import annotations

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

from .._files import open_regular, storing, within
from .._json import parse_object
from .._locks import try_lock
from .._text import clip, sanitize
from ..errors import SettingsError, StoreError

FILE: Final = "locks/session.lock"
PATIENCE_SECONDS: Final = 30.0
"""How long the workers of a killed session may take to end: execnet gives them ten seconds."""
_LARGEST: Final = 10_000
_LARGEST_PID: Final = 2**31


class RunLock:
    """This process's part in its session's lock on the run directory ``run``.

    ``session`` is the same in all processes of a session. ``pid`` is the process that the user
    started.
    """

    def __init__(
        self, run: Path, session: str, pid: int, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._run, self._file = run, run / FILE
        self._session, self._pid, self._sleep = session, pid, sleep
        self._handle: int | None = None

    def acquire(self) -> None:
        """Hold it until this process ends.

        `SettingsError` if another session works in this run directory, `StoreError` if it cannot
        be written or locked.
        """
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
            # For reading only: asking must not leave a file behind.
            handle = open_regular(within(self._run, FILE), os.O_RDONLY)
        except (OSError, StoreError):
            return None
        try:
            if _locked(handle):
                return None
            found = _read(handle)
            return None if found.get("session") == self._session else found
        finally:
            os.close(handle)

    def _try(self, *, first: bool = True) -> dict[str, str | int] | None:
        """None if the lock is ours now, else who holds it.

        Who holds it is empty for the moment in which a holder writes down who it is.
        """
        handle = self._open()
        try:
            # Exclusive first: whoever gets that is alone, and may write down who it is.
            if first and _locked(handle):
                self._write(handle)
            # Going over to a shared lock takes two steps, and another session can come in between:
            # look who it is.
            if not _locked(handle, shared=True):
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
        file = within(self._run, FILE)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Never removed: with a second file under this name, two sessions could each lock one.
            return open_regular(file, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise StoreError(
                f"the run directory {self._run} cannot be written: {error}; "
                "choose another with --webbench-runs-dir"
            ) from error

    def _write(self, handle: int) -> None:
        who = {
            "session": self._session,
            "pid": self._pid,
            "host": socket.gethostname(),
            "since": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        }
        with storing(self._file):
            # Written in place, not replaced: the lock belongs to this file, not to its name.
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps(who, sort_keys=True).encode(), 0)

    def refusal(self, other: Mapping[str, str | int]) -> str:
        """What to say to somebody who wants to begin while another session works."""
        process = f"process {other.get('pid', 'unknown')} on {other.get('host', 'unknown')}"
        who = f"{process}, since {other.get('since', 'unknown')}"
        return (
            f"run {self._run.name} is in use by another session ({clip(sanitize(who), 200)}): "
            "wait for it, stop it, or choose another tag with --webbench-run"
        )


@contextmanager
def alone(run: Path) -> Iterator[None]:
    """Keeps sessions out of a run that a command writes to; `SettingsError` if one is at work."""
    lock = RunLock(run, uuid.uuid4().hex, os.getpid())
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


def left_behind(holder: Mapping[str, str | int]) -> bool:
    """Whether the process that the user started is gone, so that its workers will end soon."""
    pid = holder.get("pid")
    return (
        # A process id means nothing on another machine, which may share the file system.
        holder.get("host") == socket.gethostname()
        and isinstance(pid, int)
        and 0 < pid < _LARGEST_PID
        and not psutil.pid_exists(pid)
    )


def _locked(handle: int, *, shared: bool = False) -> bool:
    try:
        return try_lock(handle, shared=shared)
    except OSError as error:
        raise StoreError(
            f"this file system has no locks ({error}), so two sessions could write to one run: "
            "choose a directory on another with --webbench-runs-dir"
        ) from error


def _read(handle: int) -> dict[str, str | int]:
    """Who holds the lock, as far as it is written down."""
    try:
        return parse_object(os.pread(handle, _LARGEST, 0)) or {}
    except OSError:
        return {}
