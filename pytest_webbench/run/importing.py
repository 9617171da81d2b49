"""Results that another program has measured, as a run: every command about runs then works on them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from ..checks.naming import unknown
from ..errors import Problem, SettingsError
from ..evidence.scrub import scrub
from .directory import RunDir
from .ledger import ItemKey, LedgerEntry, PlannedItem

_MOST_BYTES: Final = 200_000_000
_LONGEST_NAME: Final = 150
_LONGEST_TEXT: Final = 2_000
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.+@-]+")
_WIDE: Final = "_outcome"


class ResultFormat(StrEnum):
    """How a file of results is laid out."""

    LIVEWEB_CSV = "liveweb-csv"
    CSV = "csv"
    JSONL = "jsonl"


# What we call a column, and what it is called elsewhere; the first that a file has is taken.
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "task": ("task", "task_id", "id"),
    "agent": ("agent", "model"),
    "outcome": ("outcome", "result", "passed", "success"),
    "reason": ("reason",),
    "repeat": ("repeat", "trial"),
    "site": ("site", "website", "web_name"),
    "source": ("source", "source_subset", "benchmark"),
    "tags": ("tags",),
    "detail": ("detail", "error"),
    "steps": ("steps",),
    "seconds": ("seconds", "elapsed_s"),
    "input_tokens": ("input_tokens",),
    "output_tokens": ("output_tokens",),
    "cost": ("cost",),
}
_NOT_RUN: Final = "not_run"
# Outcome and reason by what files say, in lower case. S, F, I, J and U are liveweb's letters.
_OUTCOMES: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("passed", "pass", "success", "true", "1", "1.0", "yes", "s"), ("passed", "")),
    **dict.fromkeys(("failed", "fail", "failure", "false", "0", "0.0", "no", "f"), ("failed", "")),
    **dict.fromkeys(("infra", "error", "i"), ("unscored", "infra")),
    **dict.fromkeys(("verifier_error", "judge_error", "j"), ("unscored", "verifier_error")),
    **{reason: ("unscored", reason) for reason in ("blocked", "drifted", "needs_judge")},
    **dict.fromkeys((_NOT_RUN, "u", ""), (_NOT_RUN, "")),
}
_SAID: Final = (
    "passed, failed, infra, blocked, drifted, verifier_error, needs_judge, not_run; true, false; S, F, I, J, U"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What the user says about a file: names that it does not hold, and columns by our name for them."""

    suite: str
    world: str
    agent: str = ""
    format: ResultFormat | None = None
    columns: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """One episode as the file tells it: fields by our names."""

    line: int
    fields: Mapping[str, Any]


def import_results(file: Path, run: RunDir, wanted: Import, facts: Mapping[str, Any]) -> tuple[int, int]:
    """Write the results in ``file`` to a new run; how many items and how many of them were run.

    `SettingsError` if the run exists, or lists everything in the file that cannot be used.
    """
    if run.exists():
        raise SettingsError(f"run {run.path.name} exists already: choose another tag, or delete {run.path}")
    content = _content(file)
    wanted = replace(wanted, suite=_UNFIT.sub("-", wanted.suite).strip(".-")[:_LONGEST_NAME] or "imported")
    try:
        chosen = wanted.format or _format_of(file, content)
        rows = list(_rows(content, chosen, wanted))
    except (SettingsError, csv.Error) as error:
        raise SettingsError(scrub(f"{file}: {error}")[:_LONGEST_TEXT]) from error
    planned, entries = _items(rows, wanted, file)
    origin = {"file": file.name, "sha256": hashlib.sha256(content.encode()).hexdigest(), "format": chosen.value}
    run.plan(planned, {**facts, "options": {}, "imported": origin})
    run.record_all(entries, "imported")
    return len(planned), len(entries)


def _content(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise SettingsError(f"{file} has more than {_MOST_BYTES // 1_000_000} MB: import it in parts")
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read as UTF-8 text: {error}") from error


def _format_of(file: Path, content: str) -> ResultFormat:
    if file.suffix in (".jsonl", ".ndjson"):
        return ResultFormat.JSONL
    head = next(csv.reader(io.StringIO(content[:100_000])), [])
    return ResultFormat.LIVEWEB_CSV if any(name.endswith(_WIDE) for name in head) else ResultFormat.CSV


# -- reading -----------------------------------------------------------------------------------------------------------


def _rows(content: str, chosen: ResultFormat, wanted: Import) -> Iterator[_Row]:
    records = list(_json_lines(content) if chosen is ResultFormat.JSONL else _csv_lines(content))
    if not records:
        raise SettingsError("there are no results in it")
    names = list(dict.fromkeys(name for _, record in records for name in record))
    columns = _columns(names, wanted.columns or {})
    agents = [name.removesuffix(_WIDE) for name in names if name.endswith(_WIDE)]
    if "task" not in columns:
        raise SettingsError(f"no column holds the task; name it with --column task=NAME; found: {', '.join(names)}")
    if chosen is ResultFormat.LIVEWEB_CSV:
        if not agents:
            raise SettingsError(f"no column ends in {_WIDE}; found: {', '.join(names)}")
        for line, record in records:
            yield from (_Row(line, _wide(record, columns, agent)) for agent in agents)
        return
    if "outcome" not in columns:
        raise SettingsError(
            f"no column holds the outcome; name it with --column outcome=NAME; found: {', '.join(names)}"
        )
    for line, record in records:
        yield _Row(line, {field: record.get(name) for field, name in columns.items()})


def _columns(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """The file's columns by our names."""
    for field, name in given.items():
        if field not in COLUMNS:
            raise SettingsError(f"--column {field}={name}: {unknown('field', field, COLUMNS)}")
        if name not in names:
            raise SettingsError(f"--column {field}={name}: {unknown('column', name, names)}")
    found = {field: next((name for name in aliases if name in names), "") for field, aliases in COLUMNS.items()}
    return {field: name for field, name in {**found, **given}.items() if name}


def _wide(record: Mapping[str, Any], columns: Mapping[str, str], agent: str) -> dict[str, Any]:
    """One agent's part of a line that holds several agents' results."""
    common = {field: record.get(name) for field, name in columns.items()}
    own = {field: record.get(f"{agent}_{field}") for field in ("outcome", "steps", "seconds")}
    return {**common, **own, "agent": agent}


def _csv_lines(content: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(content))
    for record in reader:
        if None in record:
            raise SettingsError(f"line {reader.line_num} has more cells than the head line")
        yield reader.line_num, record


def _json_lines(content: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SettingsError(f"line {number}: not JSON: {error}") from error
        if not isinstance(record, dict):
            raise SettingsError(f"line {number} holds a {type(record).__name__}, not an object")
        yield number, record


# -- making items ------------------------------------------------------------------------------------------------------


def _items(rows: Iterable[_Row], wanted: Import, file: Path) -> tuple[list[PlannedItem], list[LedgerEntry]]:
    planned: dict[ItemKey, PlannedItem] = {}
    entries: list[LedgerEntry] = []
    problems: list[Problem] = []
    names = _Names()
    for row in rows:
        try:
            item = _planned(row, wanted, names, planned, file)
            outcome, reason = _outcome(row)
            if outcome != _NOT_RUN:
                entries.append(_entry(row, item, outcome, reason, wanted.world))
            planned[item.key] = item
        except _Unfit as error:
            problems.append(error.problem(row.line))
    if problems:
        more = f"\n  and {len(problems) - 20} more" if len(problems) > 20 else ""
        raise SettingsError(f"{file}:\n" + "\n".join(f"  {problem}" for problem in problems[:20]) + more)
    return list(planned.values()), entries


class _Unfit(Exception):  # noqa: N818 - says what a value is
    """A value that cannot be used."""

    def __init__(self, field: str, what: str, found: Any = "", allowed: str = "") -> None:
        super().__init__(what)
        self._parts = {"field": field, "what": what, "found": scrub(str(found))[:80], "allowed": allowed}

    def problem(self, line: int) -> Problem:
        return Problem(line=line, **self._parts)


class _Names:
    """Names from the file, fit for folders; two that would become the same are refused. Counts attempts at a task."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], str] = {}
        self._attempts: Counter[tuple[str, str]] = Counter()

    def next_repeat(self, task: str, agent: str) -> int:
        """Where nothing tells attempts at the same task apart, they are repeats in the order of the file."""
        self._attempts[task, agent] += 1
        return self._attempts[task, agent]

    def fit(self, field: str, name: Any) -> str:
        text = "" if name is None else str(name).strip()
        fit = _UNFIT.sub("-", text).strip(".-")
        if not fit or len(text) > _LONGEST_NAME:
            raise _Unfit(field, "no name", text, f"1 to {_LONGEST_NAME} characters, among them letters or digits")
        if (other := self._taken.setdefault((field, fit), text)) != text:
            raise _Unfit(field, f"becomes {fit!r}, as {other!r} does", text, "names that differ in letters and digits")
        return fit


def _planned(row: _Row, wanted: Import, names: _Names, taken: Mapping[ItemKey, PlannedItem], file: Path) -> PlannedItem:
    fields = row.fields
    task, agent = names.fit("task", fields.get("task")), names.fit("agent", fields.get("agent") or wanted.agent)
    told = fields.get("repeat") not in (None, "")
    repeat = int(_number(row, "repeat")) if told else names.next_repeat(task, agent)
    item = PlannedItem(
        suite=wanted.suite, task=task, agent=agent, repeat=repeat, nodeid=f"{file.name}::{task}[{agent}-r{repeat}]",
        site=_text(fields.get("site")), source=_text(fields.get("source")), tags=_tags(fields.get("tags")),
    )  # fmt: skip
    if repeat < 1 or item.key in taken:
        raise _Unfit("repeat", f"repeat {repeat} of task {task} by {agent} cannot be, or is there already")
    return item


def _outcome(row: _Row) -> tuple[str, str]:
    value = row.fields.get("outcome")
    said = "" if value is None else str(value).strip().lower()
    if said == "unscored":
        return "unscored", _text(row.fields.get("reason"))[:_LONGEST_NAME] or "infra"
    if said not in _OUTCOMES:
        raise _Unfit("outcome", "unknown outcome", repr(value), _SAID)
    return _OUTCOMES[said]


def _entry(row: _Row, item: PlannedItem, outcome: str, reason: str, world: str) -> LedgerEntry:
    fields = row.fields
    cost = fields.get("cost")
    return LedgerEntry.model_validate({
        "suite": item.suite, "task": item.task, "agent": item.agent, "repeat": item.repeat, "world": world,
        "outcome": outcome, "reason": reason, "detail": _text(fields.get("detail")),
        "steps": int(_number(row, "steps")), "seconds": _number(row, "seconds"),
        "input_tokens": int(_number(row, "input_tokens")), "output_tokens": int(_number(row, "output_tokens")),
        "cost": None if cost in (None, "") else _number(row, "cost"), "worker": "imported",
    })  # fmt: skip


def _number(row: _Row, field: str) -> float:
    value = row.fields.get(field)
    if value is None or value == "":
        return 0.0
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < 1e15:
        raise _Unfit(field, "no number that counts something", repr(value), "0 or more")
    return number


def _text(value: Any) -> str:
    return "" if value is None else scrub(str(value)).strip()[:_LONGEST_TEXT]


def _tags(value: Any) -> tuple[str, ...]:
    words = value if isinstance(value, list) else re.split(r"[;,\s]+", value) if isinstance(value, str) else []
    return tuple(dict.fromkeys(text for word in words if (text := _text(word))))
