"""Which browser sessions of a cloud service are in use, on disk, so that a killed worker's are not left running.

    <runs-dir>/.browser-sessions/<hash>.json    one file per session, locked by the process that uses it

The operating system lifts a lock when its process ends, however that comes about: a file that can be locked is of a
session that nobody uses any more.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import StoreError

FOLDER: Final = ".browser-sessions"
SESSIONS_VERSION: Final = 1
_LARGEST: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNote:
    """One noted session. It holds no address and no key."""

    service: str
    account: str
    session: str
    run: str


@dataclass(frozen=True, slots=True)
class LeftSession:
    """A session that no living process uses; its note is locked by us."""

    session: str
    path: Path

    def forget(self) -> None:
        """It has been given back."""
        self.path.unlink(missing_ok=True)


class BrowserSessions:
    """The notes below one directory of runs, and the locks of this process on those that it made."""

    def __init__(self, runs_dir: Path, run: str = "") -> None:
        self.folder = runs_dir / FOLDER
        self._run = run
        self._locks: dict[str, ExitStack] = {}

    def note(self, service: str, account: str, session: str) -> None:
        """This process has begun to use a session; `StoreError` if that cannot be written down."""
        path = self._path(session)
        record = {"version": SESSIONS_VERSION, "service": service, "account": account, "session": session}
        text = json.dumps({**record, "run": self._run, "pid": os.getpid()}, sort_keys=True) + "\n"
        temporary = path.with_suffix(f".{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            self._locks[session] = lock = ExitStack()
            lock.callback(os.close, handle)
            os.write(handle, text.encode())
            os.fsync(handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the name comes last: whoever sees it finds it locked
            os.replace(temporary, path)
        except OSError as error:
            self.leave(session)
            with suppress(OSError):
                temporary.unlink()
            raise StoreError(f"the browser session cannot be noted in {self.folder}: {error}") from error

    def forget(self, session: str) -> None:
        """The session has been given back."""
        self._path(session).unlink(missing_ok=True)
        self.leave(session)

    def leave(self, session: str) -> None:
        """It could not be given back: whoever comes next may try."""
        self._locks.pop(session, ExitStack()).close()

    def left_behind(self, service: str, account: str) -> Iterator[LeftSession]:
        """Sessions of this service and account that no living process uses, each locked while it is looked at."""
        for path in self._paths():
            with _locked(path) as free:
                found = _read(path) if free else None
                if found is not None and (found.service, found.account) == (service, account):
                    yield LeftSession(found.session, path)

    def all(self) -> list[SessionNote]:
        """Everything noted, in use or not."""
        return [found for path in self._paths() if (found := _read(path)) is not None]

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    def _path(self, session: str) -> Path:
        return self.folder / f"{hashlib.sha256(session.encode()).hexdigest()[:32]}.json"


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Whether the file is ours for the length of this block."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        yield False  # given back a moment ago
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine = path.exists() and os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        mine = False
    try:
        yield mine
    finally:
        os.close(handle)


def _read(path: Path) -> SessionNote | None:
    """A note; None if it is gone or no note that this version writes."""
    try:
        with path.open("rb") as file:
            record = json.loads(file.read(_LARGEST))
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or record.get("version") != SESSIONS_VERSION:
        return None
    fields = {name: record.get(name) for name in SessionNote.__slots__}
    if not all(isinstance(value, str) for value in fields.values()):
        return None
    return SessionNote(**{name: str(value) for name, value in fields.items()})
