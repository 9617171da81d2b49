"""Results that another program has measured, as a run: every command about runs works on them."""

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

from .._suggest import unknown
from .._text import sanitize
from .._usage import MOST
from ..errors import Problem, SettingsError
from .directory import RunDir
from .ledger import ItemKey, LedgerEntry, PlannedItem

# The file is held in memory as a whole.
_MOST_BYTES: Final = 200_000_000
_LONGEST_NAME: Final = 150
_LONGEST_TEXT: Final = 2_000
_MOST_PROBLEMS: Final = 20
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.+@-]+")
_WIDE: Final = "_outcome"
_COUNTS: Final = "counts"
"""A column that our own exports have: attempts that do not count are left out."""


class ResultFormat(StrEnum):
    """How a file of results is laid out."""

    LIVEWEB_CSV = "liveweb-csv"
    CSV = "csv"
    JSONL = "jsonl"


# What a column is called here, and what elsewhere; the first that a file has is taken.
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
_PASSED: Final = ("passed", "pass", "success", "true", "1", "1.0", "yes", "s")
_FAILED: Final = ("failed", "fail", "failure", "false", "0", "0.0", "no", "f")
# Outcome and reason by what files say, in lower case. S, F, I, J and U are liveweb's letters.
_OUTCOMES: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(_PASSED, ("passed", "")),
    **dict.fromkeys(_FAILED, ("failed", "")),
    **dict.fromkeys(("infra", "error", "i"), ("unscored", "infra")),
    **dict.fromkeys(("verifier_error", "judge_error", "j"), ("unscored", "verifier_error")),
    "blocked": ("unscored", "blocked"),
    "drifted": ("unscored", "drifted"),
    "needs_judge": ("unscored", "needs_judge"),
    **dict.fromkeys((_NOT_RUN, "u", ""), (_NOT_RUN, "")),
}
_ALLOWED_OUTCOMES: Final = (
    "passed, failed, infra, blocked, drifted, verifier_error, needs_judge, not_run; "
    "true, false; S, F, I, J, U"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What the user says about a file: names that it does not hold, columns by our names."""

    suite: str
    world: str
    agent: str = ""
    format: ResultFormat | None = None
    columns: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """One episode in the file: fields by our names."""

    number: int
    fields: Mapping[str, Any]


def import_results(
    file: Path, run: RunDir, wanted: Import, facts: Mapping[str, Any]
) -> tuple[int, int]:
    """Write the results in ``file`` to a new run: number of items, and how many of them were run.

    ``facts`` joins ``run.json``. `SettingsError` if the run exists, or with everything in the file
    that cannot be used.
    """
    if run.exists():
        raise SettingsError(
            f"run {run.path.name} exists already: choose another tag, or delete {run.path}"
        )
    content = _content(file)
    suite = _UNFIT.sub("-", wanted.suite).strip(".-")[:_LONGEST_NAME]
    wanted = replace(wanted, suite=suite or "imported")
    try:
        chosen = wanted.format or _format_of(file, content)
        lines = list(_lines(content, chosen, wanted))
    except (SettingsError, csv.Error) as error:
        raise SettingsError(sanitize(f"{file}: {error}")[:_LONGEST_TEXT]) from error
    planned, entries = _items(lines, wanted, file)
    origin = {
        "file": file.name,
        "sha256": hashlib.sha256(content.encode()).hexdigest(),
        "format": chosen.value,
    }
    run.plan(planned, {**facts, "options": {}, "imported": origin})
    run.record_all(entries, "imported")
    return len(planned), len(entries)


def _content(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise SettingsError(
                f"{file} has more than {_MOST_BYTES // 1_000_000} MB: import it in parts"
            )
        # Spreadsheets put a byte order mark before UTF-8, which would become part of the first
        # name.
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read as UTF-8 text: {error}") from error


def _format_of(file: Path, content: str) -> ResultFormat:
    if file.suffix in (".jsonl", ".ndjson"):
        return ResultFormat.JSONL
    head = next(csv.reader(io.StringIO(content[:100_000])), [])
    if any(name.endswith(_WIDE) for name in head):
        return ResultFormat.LIVEWEB_CSV
    return ResultFormat.CSV


# -- reading -----------------------------------------------------------------------------------


def _lines(content: str, chosen: ResultFormat, wanted: Import) -> Iterator[_Line]:
    records = list(_json_lines(content) if chosen is ResultFormat.JSONL else _csv_lines(content))
    if not records:
        raise SettingsError("it holds no results")
    names: dict[str, None] = {}
    for _, record in records:
        names |= dict.fromkeys(record)
    found = f"found: {', '.join(names)}"
    columns = _columns(list(names), wanted.columns or {})
    if "task" not in columns:
        raise SettingsError(f"no column holds the task; name it with --column task=NAME; {found}")
    if chosen is ResultFormat.LIVEWEB_CSV:
        agents = [name.removesuffix(_WIDE) for name in names if name.endswith(_WIDE)]
        if not agents:
            raise SettingsError(f"no column ends in {_WIDE}; {found}")
        for number, record in records:
            for agent in agents:
                yield _Line(number, _of_agent(record, columns, agent))
        return
    if "outcome" not in columns:
        raise SettingsError(
            f"no column holds the outcome; name it with --column outcome=NAME; {found}"
        )
    for number, record in records:
        if str(record.get(_COUNTS, True)).lower() != "false":
            yield _Line(number, _renamed(record, columns))


def _columns(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """The file's columns by our names."""
    for field, name in given.items():
        if field not in COLUMNS:
            raise SettingsError(f"--column {field}={name}: {unknown('field', field, COLUMNS)}")
        if name not in names:
            raise SettingsError(f"--column {field}={name}: {unknown('column', name, names)}")
    found = {}
    for field, aliases in COLUMNS.items():
        known = [given[field]] if field in given else [name for name in aliases if name in names]
        if known:
            found[field] = known[0]
    return found


def _renamed(record: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    return {field: record.get(name) for field, name in columns.items()}


def _of_agent(record: Mapping[str, Any], columns: Mapping[str, str], agent: str) -> dict[str, Any]:
    """One agent's part of a line that holds several agents' results."""
    fields = _renamed(record, columns)
    for field in ("outcome", "steps", "seconds"):
        fields[field] = record.get(f"{agent}_{field}")
    return {**fields, "agent": agent}


def _csv_lines(content: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(content))
    for record in reader:
        # csv.DictReader puts cells that have no column under this key.
        if None in record:
            raise SettingsError(f"line {reader.line_num} has more cells than the head line")
        yield reader.line_num, record


def _json_lines(content: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    # Not splitlines(), which also splits at characters that JSON allows inside a text.
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


# -- making items ------------------------------------------------------------------------------


def _items(
    lines: Iterable[_Line], wanted: Import, file: Path
) -> tuple[list[PlannedItem], list[LedgerEntry]]:
    planned: dict[ItemKey, PlannedItem] = {}
    entries: list[LedgerEntry] = []
    problems: list[str] = []
    names = _Names()
    for line in lines:
        try:
            item = _planned(line, wanted, names, file)
            _refuse_second(item, planned)
            outcome, reason = _outcome(line)
            if outcome != _NOT_RUN:
                entries.append(_entry(line, item, outcome, reason, wanted.world))
            planned[item.key] = item
        except _Unusable as error:
            problems.append(f"  {error.problem(line.number)}")
    if problems:
        more = []
        if len(problems) > _MOST_PROBLEMS:
            more = [f"  and {len(problems) - _MOST_PROBLEMS} more"]
        raise SettingsError("\n".join([f"{file}:", *problems[:_MOST_PROBLEMS], *more]))
    return list(planned.values()), entries


class _Unusable(Exception):  # noqa: N818 - says what a value is
    """A value that cannot be used."""

    def __init__(self, field: str, what: str, *, found: Any = "", allowed: str = "") -> None:
        super().__init__(what)
        self._field, self._what, self._allowed = field, what, allowed
        self._found = sanitize(str(found))[:80]

    def problem(self, line: int) -> Problem:
        return Problem(
            line=line,
            field=self._field,
            what=self._what,
            found=self._found,
            allowed=self._allowed,
        )


class _Names:
    """Names from the file made fit for folders; two that would become the same are refused."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], str] = {}
        self._attempts: Counter[tuple[str, str]] = Counter()

    def next_repeat(self, task: str, agent: str) -> int:
        """Attempts at a task that nothing tells apart are repeats in the order of the file."""
        self._attempts[task, agent] += 1
        return self._attempts[task, agent]

    def fit(self, field: str, name: Any) -> str:
        text = "" if name is None else str(name).strip()
        fit = _UNFIT.sub("-", text).strip(".-")
        if not fit or len(text) > _LONGEST_NAME:
            allowed = f"1 to {_LONGEST_NAME} characters, among them letters or digits"
            raise _Unusable(field, "no name", found=text, allowed=allowed)
        other = self._taken.setdefault((field, fit), text)
        if other != text:
            raise _Unusable(
                field,
                f"becomes {fit!r}, as {other!r} does",
                found=text,
                allowed="names that differ in letters and digits",
            )
        return fit


def _planned(line: _Line, wanted: Import, names: _Names, file: Path) -> PlannedItem:
    fields = line.fields
    task = names.fit("task", fields.get("task"))
    agent = names.fit("agent", fields.get("agent") or wanted.agent)
    if fields.get("repeat") in (None, ""):
        repeat = names.next_repeat(task, agent)
    else:
        repeat = int(_number(line, "repeat"))
    return PlannedItem(
        suite=wanted.suite,
        task=task,
        agent=agent,
        repeat=repeat,
        nodeid=f"{file.name}::{task}[{agent}-r{repeat}]",
        site=_text(fields.get("site")),
        source=_text(fields.get("source")),
        tags=_tags(fields.get("tags")),
    )


def _refuse_second(item: PlannedItem, taken: Mapping[ItemKey, PlannedItem]) -> None:
    if item.repeat < 1 or item.key in taken:
        what = f"repeat {item.repeat} of task {item.task} by {item.agent}"
        raise _Unusable("repeat", f"{what} cannot be, or is there already")


def _outcome(line: _Line) -> tuple[str, str]:
    value = line.fields.get("outcome")
    said = "" if value is None else str(value).strip().lower()
    if said == "unscored":
        reason = _text(line.fields.get("reason"))[:_LONGEST_NAME] or "infra"
        return (_NOT_RUN, "") if reason == _NOT_RUN else ("unscored", reason)
    if said not in _OUTCOMES:
        raise _Unusable("outcome", "unknown outcome", found=repr(value), allowed=_ALLOWED_OUTCOMES)
    return _OUTCOMES[said]


def _entry(line: _Line, item: PlannedItem, outcome: str, reason: str, world: str) -> LedgerEntry:
    cost = line.fields.get("cost")
    return LedgerEntry.model_validate(
        {
            "suite": item.suite,
            "task": item.task,
            "agent": item.agent,
            "repeat": item.repeat,
            "world": world,
            "outcome": outcome,
            "reason": reason,
            "detail": _text(line.fields.get("detail")),
            "steps": int(_number(line, "steps")),
            "seconds": _number(line, "seconds"),
            "input_tokens": int(_number(line, "input_tokens")),
            "output_tokens": int(_number(line, "output_tokens")),
            "cost": None if cost in (None, "") else _number(line, "cost"),
            "worker": "imported",
        }
    )


def _number(line: _Line, field: str) -> float:
    value = line.fields.get(field)
    if value is None or value == "":
        return 0.0
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    # Neither NaN nor infinity passes this.
    if not 0 <= number <= MOST:
        raise _Unusable(field, "not a count", found=repr(value), allowed="0 or more")
    return number


def _text(value: Any) -> str:
    return "" if value is None else sanitize(str(value)).strip()[:_LONGEST_TEXT]


def _tags(value: Any) -> tuple[str, ...]:
    words: list[Any] = []
    if isinstance(value, list):
        words = value
    elif isinstance(value, str):
        words = re.split(r"[;,\s]+", value)
    tags = dict.fromkeys(map(_text, words))
    tags.pop("", None)
    return tuple(tags)
