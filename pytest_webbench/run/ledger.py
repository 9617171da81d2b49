"""The ledger: one line per attempt. It is the truth; every report is made from it and never from pytest's counts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, ValidationError

from ..errors import StoreError
from ..evidence.models import Record


class ItemKey(NamedTuple):
    """What is counted once in a score, however often it was attempted."""

    suite: str
    task: str
    agent: str
    repeat: int

    def folder(self) -> str:
        """Path of its episode below ``episodes/``."""
        return f"{self.agent}/{self.task}" + (f".r{self.repeat}" if self.repeat > 1 else "")


class PlannedItem(Record):
    """An item that was collected and is to be run."""

    suite: str
    task: str
    agent: str
    repeat: int
    nodeid: str
    site: str = ""
    tags: tuple[str, ...] = ()
    source: str = Field("", description="benchmark that the task was taken from")

    @property
    def key(self) -> ItemKey:
        """What the ledger calls this item."""
        return ItemKey(self.suite, self.task, self.agent, self.repeat)


class LedgerEntry(Record):
    """One attempt. ``outcome`` is passed, failed or unscored; ``seconds`` is wall time from opening to verdict."""

    version: Literal[1] = 1
    suite: str
    task: str
    agent: str
    repeat: int = 1
    attempt: int = 1
    rejudged: int = Field(0, description="0: as judged when it was run; n: judged again for the n-th time")
    world: str
    outcome: Literal["passed", "failed", "unscored"]
    reason: str = ""
    detail: str = ""
    ending: str = ""
    steps: int = 0
    seconds: float = 0.0
    agent_seconds: float = 0.0
    model_calls: int = Field(0, description="questions that the agent put to a model")
    model_seconds: float = Field(0.0, description="how long it waited for answers")
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = Field(None, description="in US dollars; null if no price is known")
    started: str = ""
    worker: str = ""
    folder: str = ""
    task_digest: str = ""
    evidence_digest: str = ""
    judge_version: int = 0

    @property
    def key(self) -> ItemKey:
        """The item this was an attempt at."""
        return ItemKey(self.suite, self.task, self.agent, self.repeat)


def append(path: Path, *entries: LedgerEntry) -> None:
    """Add lines and make sure they are on disk; what a killed process left half-written is closed off first."""
    dumps = (json.dumps(entry.model_dump(mode="json"), sort_keys=True, ensure_ascii=False) for entry in entries)
    try:
        append_lines(path, "".join(f"{dump}\n" for dump in dumps))
    except OSError as error:
        raise StoreError(f"the ledger {path} cannot be written: {error}") from error


def append_lines(path: Path, lines: str) -> None:
    """The same for any file of lines; `OSError` if that is impossible."""
    with path.open("ab+") as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            lines = lines if file.read(1) == b"\n" else "\n" + lines
        file.write(lines.encode("utf-8", "replace"))
        file.flush()
        os.fsync(file.fileno())


class Place(NamedTuple):
    """How far a ledger file has been read: bytes and lines."""

    offset: int = 0
    lines: int = 0


def read(path: Path) -> list[LedgerEntry]:
    """All attempts in a file; a line cut off by a kill is left out, any other bad line is a `StoreError`."""
    return read_on(path, Place())[0]


def read_on(path: Path, place: Place) -> tuple[list[LedgerEntry], Place]:
    """The attempts that were added to a file after ``place``, and where to go on the next time.

    A last line that is not complete yet is looked at again then.
    """
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            data = file.read()
    except OSError as error:
        raise StoreError(f"the ledger {path} cannot be read: {error}") from error
    entries: list[LedgerEntry] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=place.lines + 1):
        if not line:
            continue
        try:
            entries.append(LedgerEntry.model_validate_json(line))
        except ValidationError:
            found = _read_with_care(path, number, line.decode("utf-8", "replace"))
            entries += found
            if not found and number == place.lines + len(lines):
                return entries, Place(place.offset + len(data) - len(line), number - 1)
    return entries, Place(place.offset + len(data), place.lines + len(lines) - 1)


def _read_with_care(path: Path, number: int, line: str) -> list[LedgerEntry]:
    """The entry in a line that is not quite what we write; nothing if it is blank or was cut off."""
    try:
        return [LedgerEntry.model_validate_json(line)] if line.strip() else []
    except ValidationError as error:
        if _cut_off(line):
            return []
        raise StoreError(f"{path}, line {number}: not a ledger entry ({error.error_count()} problems)") from error


def _cut_off(line: str) -> bool:
    if not line.startswith("{"):
        return False
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return True
    return False


def as_last_judged(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """The attempts, each as the last line about it says: lines that judge one again are no attempts of their own."""
    lines = list(entries)
    if not any(entry.rejudged for entry in lines):
        return lines
    newest: dict[tuple[ItemKey, int, str], LedgerEntry] = {}
    for entry in sorted((line for line in lines if line.rejudged), key=lambda line: line.rejudged):
        newest[_attempt(entry)] = entry
    first = {_attempt(entry) for entry in lines if not entry.rejudged}
    return [
        newest.get(_attempt(entry), entry)
        for entry in lines
        if not entry.rejudged or (entry is newest[_attempt(entry)] and _attempt(entry) not in first)
    ]


def _attempt(entry: LedgerEntry) -> tuple[ItemKey, int, str]:
    return entry.key, entry.attempt, entry.started


def latest(entries: Iterable[LedgerEntry]) -> dict[ItemKey, LedgerEntry]:
    """The attempt that counts for each item, as it was last judged: the last scored one, else the last."""
    chosen: dict[ItemKey, LedgerEntry] = {}
    for entry in sorted(as_last_judged(entries), key=lambda entry: (entry.started, entry.attempt)):
        before = chosen.get(entry.key)
        if before is None or entry.outcome != "unscored" or before.outcome == "unscored":
            chosen[entry.key] = entry
    return chosen
