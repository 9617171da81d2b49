"""Which browser sessions of a cloud service are in use, so that a killed worker's can be ended.

    <runs-dir>/.browser-sessions/<hash>.json    one file per session, locked by its user

The kernel lifts the lock when the process ends: a file that can be locked is about a session that
nobody uses any more.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .._json import parse_object
from .._locks import try_lock
from ..errors import StoreError

FOLDER: Final = ".browser-sessions"
SESSIONS_VERSION: Final = 1
_LARGEST: Final = 10_000
"""Bytes of a file that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNote:
    """One noted session. It holds no address and no key."""

    service: str
    account: str
    session: str
    run: str


@dataclass(frozen=True, slots=True)
class LeftSession:
    """A session that no living process uses; its file is locked by this process."""

    session: str
    path: Path

    def forget(self) -> None:
        """The session has been ended."""
        self.path.unlink(missing_ok=True)


class CloudLeases:
    """The sessions noted below one directory of runs, and this process's locks on its own."""

    def __init__(self, runs_dir: Path, run: str = "") -> None:
        self.folder = runs_dir / FOLDER
        self._run = run
        self._locks: dict[str, ExitStack] = {}

    def note(self, service: str, account: str, session: str) -> None:
        """This process has begun to use a session; `StoreError` if that cannot be written down."""
        path = self._path(session)
        temporary = path.with_suffix(f".{os.getpid()}")
        record = {
            "version": SESSIONS_VERSION,
            "service": service,
            "account": account,
            "session": session,
            "run": self._run,
            "pid": os.getpid(),
        }
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._locks[session] = _write_locked(temporary, record)
            # The name comes last: whoever sees it finds the file locked.
            os.replace(temporary, path)
        except OSError as error:
            self.leave(session)
            with suppress(OSError):
                temporary.unlink()
            raise StoreError(
                f"the browser session cannot be noted in {self.folder}: {error}"
            ) from error

    def forget(self, session: str) -> None:
        """The session has been ended."""
        self._path(session).unlink(missing_ok=True)
        self.leave(session)

    def leave(self, session: str) -> None:
        """The session could not be ended: whoever comes next may try."""
        self._locks.pop(session, ExitStack()).close()

    def left_behind(self, service: str, account: str) -> Iterator[LeftSession]:
        """Sessions of this service and account that no living process uses.

        Each is locked until the next one is asked for.
        """
        for path in self._paths():
            with _locked(path) as is_free:
                found = _read(path) if is_free else None
                if found is not None and (found.service, found.account) == (service, account):
                    yield LeftSession(found.session, path)

    def all(self) -> list[SessionNote]:
        """Everything noted, in use or not."""
        found = []
        for path in self._paths():
            note = _read(path)
            if note is not None:
                found.append(note)
        return found

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    def _path(self, session: str) -> Path:
        return self.folder / f"{hashlib.sha256(session.encode()).hexdigest()[:32]}.json"


def _write_locked(path: Path, record: dict[str, object]) -> ExitStack:
    """Write a file and lock it; what is returned lifts the lock. `OSError` if that fails."""
    with ExitStack() as stack:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        stack.callback(os.close, handle)
        os.write(handle, f"{json.dumps(record, sort_keys=True)}\n".encode())
        os.fsync(handle)
        try_lock(handle)
        return stack.pop_all()


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Whether the file is locked by us for the length of this block."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        # The session was ended a moment ago.
        yield False
        return
    try:
        yield _is_ours(handle, path)
    finally:
        os.close(handle)


def _is_ours(handle: int, path: Path) -> bool:
    try:
        # The file may have been replaced between opening and locking it.
        return try_lock(handle) and os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def _read(path: Path) -> SessionNote | None:
    """A noted session; None if the file is gone or not one that this version writes."""
    try:
        with path.open("rb") as file:
            record = parse_object(file.read(_LARGEST))
    except OSError:
        return None
    if record is None or record.get("version") != SESSIONS_VERSION:
        return None
    fields = {name: record.get(name) for name in SessionNote.__slots__}
    if not all(isinstance(value, str) for value in fields.values()):
        return None
    return SessionNote(**{name: str(value) for name, value in fields.items()})
