"""Seals: keyed digests that show whether a ledger line, or a file it rests on, was changed later.

A line's seal is an HMAC over the line, which holds the digests of the attempt's files. The key is
made of the run's id, which is in ``run.json``, and of a secret of this user on this machine:

    ~/.local/state/pytest-webbench/key    ($XDG_STATE_HOME, if that is set)

So a run's lines can be checked where they were written, and a line from another run does not fit.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

from .._files import open_regular
from .._json import canonical_json
from .episode import StoredEpisode
from .ledger import LedgerEntry

FILES: Final = (
    "task.json",
    "evidence.json",
    "verdict.json",
    "result.json",
    "steps.jsonl",
    "agent.jsonl",
    "agent.log",
    "final.mhtml",
)
"""What verdicts and reports rest on. Pictures and recordings are only looked at."""
_UNSEALED: Final = {"seal": "", "worker": ""}
"""A merge tells workers apart by other names."""
_KEY_BYTES: Final = 32


class Standing(StrEnum):
    """What a line's seal says of it."""

    INTACT = "intact"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    """It was written on another machine, or without a key: that cannot be checked here."""


class Seals:
    """Makes and checks the seals of the run ``run_id``; without a ``secret`` it can do neither."""

    def __init__(self, run_id: str, secret: bytes | None) -> None:
        self._run_id, self._key, self._owner = run_id, b"", ""
        if run_id and secret:
            self._key = hmac.digest(secret, run_id.encode(), "sha256")
            self._owner = hashlib.sha256(secret).hexdigest()[:8]

    def sealed(self, entry: LedgerEntry, episode: StoredEpisode) -> LedgerEntry:
        """The line with the digests of its files, and with its seal."""
        entry = entry.model_copy(update={"files": digests_of(episode)})
        return entry.model_copy(update={"seal": self._seal(entry)})

    def standing(self, entry: LedgerEntry) -> Standing:
        """Whether a line is as it was written; its files are another question."""
        owner = entry.seal.partition(".")[0]
        if not self._key or owner != self._owner:
            return Standing.UNKNOWN
        if hmac.compare_digest(entry.seal.encode(), self._seal(entry).encode()):
            return Standing.INTACT
        return Standing.BROKEN

    def _seal(self, entry: LedgerEntry) -> str:
        if not self._key:
            return ""
        # Without the defaults, so that a field of a later version leaves older seals intact.
        line = entry.model_copy(update=_UNSEALED).model_dump(mode="json", exclude_defaults=True)
        text = canonical_json(line).encode("utf-8", "replace")
        return f"{self._owner}.{hmac.digest(self._key, text, 'sha256').hex()[:32]}"


def digests_of(episode: StoredEpisode) -> tuple[tuple[str, str], ...]:
    """Each file that is there, with its digest."""
    found = []
    for name in FILES:
        content = episode.content(name)
        if content is not None:
            found.append((name, hashlib.blake2b(content, digest_size=16).hexdigest()))
    return tuple(found)


def changed_files(entry: LedgerEntry, episode: StoredEpisode) -> list[str]:
    """Files that are not as the line says; a file that was deleted is not among them."""
    return [name for name, digest in digests_of(episode) if (name, digest) not in entry.files]


def new_run_id() -> str:
    """An id for a new run."""
    return secrets.token_hex(8)


def user_secret(environment: Mapping[str, str] = os.environ) -> bytes | None:
    """This user's secret on this machine, made on first use; None if it cannot be kept."""
    with suppress(OSError, RuntimeError):  # no home, or no right to write there
        path = _state_folder(environment) / "key"
        if not path.exists():
            _make_key(path)
        with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
            found = file.read(_KEY_BYTES + 1)
        return found if len(found) == _KEY_BYTES else None
    return None


def _state_folder(environment: Mapping[str, str]) -> Path:
    named = environment.get("XDG_STATE_HOME", "")
    base = Path(named) if os.path.isabs(named) else Path.home() / ".local" / "state"
    return base / "pytest-webbench"


def _make_key(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, secrets.token_bytes(_KEY_BYTES))
        os.fsync(handle)
        # A link does not replace the key that another process has made meanwhile.
        with suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.close(handle)
        temporary.unlink()
