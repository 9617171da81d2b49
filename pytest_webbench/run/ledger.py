"""The ledger: one line per attempt.

It is the truth: every report is made from it, and never from pytest's counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeVar

from pydantic import Field, ValidationError

from .._files import append_within, open_within
from .._json import json_line
from ..errors import NeedsJudgeError, StoreError
from ..evidence.models import Amount, Count, Record
from ..judge.verdict import Flag

R = TypeVar("R", bound=Record)
RECORDED: Final = "recorded-"
"""What the worlds of recorded steps begin with. A step is no task: steps of a task are alike."""
LARGEST: Final = 128_000_000
"""Bytes of a ledger file: the lines of 100,000 attempts and more."""


class ItemKey(NamedTuple):
    """What is counted once in a score, however often it was attempted."""

    suite: str
    task: str
    agent: str
    repeat: int
    seed: int = 0
    """The edition of the world."""

    def folder(self) -> str:
        """Path of its episode below ``episodes/``."""
        name = f"{self.agent}/{self.task}"
        if self.seed:
            name += f".s{self.seed}"
        return f"{name}.r{self.repeat}" if self.repeat > 1 else name

    def as_list(self) -> list[str | int]:
        """As files hold it: edition 0 is left out, as it was before there were editions."""
        values: list[str | int] = [self.suite, self.task, self.agent, self.repeat]
        return [*values, self.seed] if self.seed else values

    def __str__(self) -> str:
        edition = f", edition {self.seed}" if self.seed else ""
        repeat = f", repeat {self.repeat}" if self.repeat > 1 else ""
        return f"{self.suite}/{self.task} by {self.agent}{edition}{repeat}"


class PlannedItem(Record):
    """An item that was collected and is to be run."""

    suite: str
    task: str
    agent: str
    repeat: Count
    seed: Count = Field(0, description="edition of the world")
    nodeid: str
    site: str = ""
    tags: tuple[str, ...] = ()
    source: str = Field("", description="benchmark that the task was taken from")
    source_id: str = Field("", description="what it is called there")
    part_of: str = Field("", description="task that this step of a recording is a step of")
    quarantined: str = Field("", description="since when and why it is skipped; empty if it is not")

    @property
    def key(self) -> ItemKey:
        """What the ledger calls this item."""
        return ItemKey(self.suite, self.task, self.agent, self.repeat, self.seed)


class LedgerEntry(Record):
    """One attempt. ``seconds`` is wall time from opening the page to the verdict."""

    version: Literal[1] = 1
    suite: str
    task: str
    agent: str
    repeat: Count = 1
    seed: Count = Field(0, description="edition of the world")
    attempt: Count = 1
    rejudged: Count = Field(
        0, description="0: as judged when it was run; n: judged again for the n-th time"
    )
    world: str
    outcome: Literal["passed", "failed", "unscored"]
    reason: str = ""
    detail: str = ""
    brief: str = Field("", description="the detail in one line")
    flags: tuple[Flag, ...] = Field((), description="why a pass is not to be taken on trust")
    untested: bool = Field(
        False, description="--webbench-test-passes never: its actions were not done again"
    )
    ending: str = ""
    steps: Count = 0
    seconds: Amount = 0.0
    waited: Amount = Field(0.0, description="before that, for its turn on an endpoint or a site")
    agent_seconds: Amount = 0.0
    model_calls: Count = Field(0, description="questions that the agent put to a model")
    model_seconds: Amount = Field(0.0, description="how long it waited for answers")
    input_tokens: Count = 0
    output_tokens: Count = 0
    cost: Amount | None = Field(None, description="in US dollars; null if no price is known")
    started: str = ""
    worker: str = ""
    folder: str = ""
    browser: str = Field("", description="name and version; empty if none was started")
    task_digest: str = ""
    evidence_digest: str = ""
    judge_version: Count = 0
    files: tuple[tuple[str, str], ...] = Field(
        (), description="names of the attempt's files, each with its digest"
    )
    seal: str = Field("", description="keyed digest of this line")

    @property
    def key(self) -> ItemKey:
        """The item this was an attempt at."""
        return ItemKey(self.suite, self.task, self.agent, self.repeat, self.seed)


def append(path: Path, *entries: LedgerEntry) -> None:
    """Add lines to a ledger file; they are on disk when this returns.

    `StoreError` if that is impossible.
    """
    lines = ""
    for entry in entries:
        lines += json_line(entry.model_dump(mode="json")) + "\n"
    try:
        append_within(path.parent, path.name, lines)
    except StoreError as error:
        raise StoreError(f"the ledger {error}") from error


class Position(NamedTuple):
    """How far a ledger file has been read: bytes and lines."""

    offset: int = 0
    lines: int = 0


OnProblem = Callable[[StoreError], None]
"""Is told of a line that is no entry."""


def refuse(problem: StoreError) -> None:
    """Raises it: for readers that must not go on."""
    raise problem


def read(path: Path, on_problem: OnProblem = refuse) -> list[LedgerEntry]:
    """All attempts in a file.

    A line cut off by a kill is left out, any other line that is no entry as well if ``on_problem``
    returns. `StoreError` if the file cannot be read.
    """
    return read_on(path, Position(), on_problem)[0]


def read_on(
    path: Path, position: Position, on_problem: OnProblem = refuse
) -> tuple[list[LedgerEntry], Position]:
    """The attempts that a file holds after ``position``, and where to go on the next time.

    A last line that is not complete yet is read again then. Errors are as for `read`.
    """
    try:
        with open_within(path.parent, path.name, largest=LARGEST) as file:
            if file is None:
                raise StoreError(f"{path} cannot be read: it is missing")
            file.seek(position.offset)
            data = file.read()
    except (StoreError, OSError) as error:
        raise StoreError(f"the ledger {error}") from error
    entries: list[LedgerEntry] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=position.lines + 1):
        where = f"{path}, line {number}"
        try:
            entry = parse_line(line, LedgerEntry, what="ledger entry", where=where)
        except StoreError as error:
            on_problem(error)
            continue
        if entry is not None:
            entries.append(entry)
        # Its writer may be in the middle of it, so read it again next time.
        elif line and number == position.lines + len(lines):
            return entries, Position(position.offset + len(data) - len(line), number - 1)
    return entries, Position(position.offset + len(data), position.lines + len(lines) - 1)


def parse_line(line: bytes, model: type[R], *, what: str, where: str) -> R | None:
    """The record in a line; None if the line is blank or was cut off by a kill.

    `StoreError` for any other line; its message says ``where`` the line is and ``what`` it is not.
    """
    if not line.strip():
        return None
    try:
        return model.model_validate_json(line)
    except ValidationError:
        pass
    # What we write is UTF-8; a line that somebody else wrote may still hold a record.
    text = line.decode("utf-8", "replace")
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        if text.startswith("{") and _is_cut_off(text):
            return None
        raise StoreError(f"{where}: not a {what} ({error.error_count()} problems)") from error


def _is_cut_off(line: str) -> bool:
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return True
    except (ValueError, RecursionError):  # a number of 5,000 digits; deep nesting
        return False
    return False


def as_last_judged(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """The attempts, each as the last line about it says.

    A line that judges an attempt again is not an attempt of its own.
    """
    lines = list(entries)
    rejudged = sorted((line for line in lines if line.rejudged), key=lambda line: line.rejudged)
    if not rejudged:
        return lines
    newest = {_attempt(line): line for line in rejudged}
    first = {_attempt(line) for line in lines if not line.rejudged}
    attempts = []
    for line in lines:
        attempt = _attempt(line)
        # Where a kill has cut off the first line, the newest judgement stands for the attempt.
        stands_alone = attempt not in first and line is newest[attempt]
        if not line.rejudged or stands_alone:
            attempts.append(newest.get(attempt, line))
    return attempts


def _attempt(entry: LedgerEntry) -> tuple[ItemKey, int, str]:
    return entry.key, entry.attempt, entry.started


def latest(entries: Iterable[LedgerEntry]) -> dict[ItemKey, LedgerEntry]:
    """The attempt that counts for each item, as last judged: the last scored one, else the last."""
    chosen: dict[ItemKey, LedgerEntry] = {}
    for entry in sorted(as_last_judged(entries), key=lambda entry: (entry.started, entry.attempt)):
        before = chosen.get(entry.key)
        if before is None or entry.outcome != "unscored" or before.outcome == "unscored":
            chosen[entry.key] = entry
    return chosen


def counts(entry: LedgerEntry) -> bool:
    """Whether this attempt is a result that a resumed run keeps.

    It is scored, or nobody but a human or a model can judge it: another attempt would add nothing.
    """
    return entry.outcome != "unscored" or entry.reason == NeedsJudgeError.reason


def kept_result(
    attempts: Iterable[LedgerEntry], *, task_digest: str, world: str, judge_version: Count
) -> LedgerEntry | None:
    """The newest of ``attempts`` (at one item, oldest first) that counts, if it is still valid.

    None if no attempt counts, or if the newest one that does was made with another task, in another
    world or by another judge: the item has to be run.
    """
    counting = [entry for entry in attempts if counts(entry)]
    if not counting:
        return None
    newest = counting[-1]
    made_with = (newest.task_digest, newest.world, newest.judge_version)
    return newest if made_with == (task_digest, world, judge_version) else None
