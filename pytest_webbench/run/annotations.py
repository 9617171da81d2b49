"""Notes and disputes: what people have to say about episodes, a line each in ``notes.jsonl``.

Nothing is ever changed in that file: another line withdraws a note. No score is made from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from .._files import append_within, read_within
from .._json import json_line
from ..evidence.models import Count, Record
from .ledger import ItemKey, parse_line

FILE: Final = "notes.jsonl"


class Note(Record):
    """A remark, a *dispute* that calls a verdict wrong, or a line that withdraws an earlier one."""

    version: Literal[1] = 1
    id: str = Field(pattern=r"^[0-9a-f]{16}$")
    suite: str
    task: str
    agent: str
    repeat: Count = 1
    seed: Count = Field(0, description="edition of the world")
    kind: Literal["note", "dispute", "withdrawal"] = "note"
    text: str = Field("", max_length=5_000)
    author: str = Field("", max_length=80)
    outcome: Literal["", "passed", "failed", "unscored"] = Field(
        "", description="what the verdict ought to be"
    )
    written: str = Field("", description="UTC, ISO 8601")
    withdraws: str = Field("", description="id of the note that no longer holds")

    @property
    def key(self) -> ItemKey:
        """The item it is about."""
        return ItemKey(self.suite, self.task, self.agent, self.repeat, self.seed)


def add_note(run: Path, note: Note) -> None:
    """Write a note down; it is on disk when this returns. `StoreError` if that is impossible."""
    append_within(run, FILE, json_line(note.model_dump(mode="json")) + "\n")


def read_notes(run: Path) -> list[Note]:
    """The notes that hold today, oldest first.

    A line cut off by a kill is left out; `StoreError` for any other line that is no note.
    """
    path, content = run / FILE, read_within(run, FILE) or b""
    notes = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        note = parse_line(line, Note, what="note", where=f"{path}, line {number}")
        if note is not None:
            notes.append(note)
    return _holding(notes)


def _holding(notes: Sequence[Note]) -> list[Note]:
    withdrawn = {note.withdraws for note in notes}
    return [note for note in notes if note.id not in withdrawn and note.kind != "withdrawal"]
