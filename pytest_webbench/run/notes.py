"""Notes and disputes: what people have to say about episodes, one line each in ``notes.jsonl`` beside the run.

Nothing is ever changed in that file: a note is taken back by another line. No score is made from it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from ..errors import StoreError
from ..evidence.models import Record
from .ledger import ItemKey, append_lines

FILE: Final = "notes.jsonl"


class Note(Record):
    """A remark, a *dispute* that says a verdict is wrong, or a line that takes an earlier one back."""

    version: Literal[1] = 1
    id: str = Field(pattern=r"^[0-9a-f]{16}$")
    suite: str
    task: str
    agent: str
    repeat: int = 1
    kind: Literal["note", "dispute", "withdrawal"] = "note"
    text: str = Field("", max_length=5_000)
    author: str = Field("", max_length=80)
    outcome: Literal["", "passed", "failed", "unscored"] = Field("", description="what the verdict ought to be")
    written: str = Field("", description="UTC, ISO 8601")
    withdraws: str = Field("", description="id of the note that no longer holds")

    @property
    def key(self) -> ItemKey:
        """The item it is about."""
        return ItemKey(self.suite, self.task, self.agent, self.repeat)


def add_note(run: Path, note: Note) -> None:
    """Write a note down; it is on disk when this returns."""
    line = json.dumps(note.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    try:
        append_lines(run / FILE, line + "\n")
    except OSError as error:
        raise StoreError(f"{run / FILE} cannot be written: {error}") from error


def read_notes(run: Path) -> list[Note]:
    """What holds today, oldest first; a line cut off by a kill is left out, any other bad line is a `StoreError`."""
    path = run / FILE
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    found = (_note(path, number, line) for number, line in enumerate(lines, start=1) if line.strip())
    return _holding([note for note in found if note is not None])


def _note(path: Path, number: int, line: str) -> Note | None:
    try:
        data = json.loads(line)
    except json.JSONDecodeError:
        return None
    try:
        return Note.model_validate(data)
    except ValidationError as error:
        raise StoreError(f"{path}, line {number}: not a note ({error.error_count()} problems)") from error


def _holding(notes: Sequence[Note]) -> list[Note]:
    gone = {note.withdraws for note in notes}
    return [note for note in notes if note.id not in gone and note.kind != "withdrawal"]
