"""A run as three tables, for programs: one row per attempt, per step, per check."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..errors import SettingsError
from ..evidence.models import ObservedAction
from ..judge.verdict import CheckResult
from ..run import LedgerEntry, RunDir
from .results import ItemResult, RunResults, read_results

Row = dict[str, Any]


class TableName(StrEnum):
    """Which table."""

    ATTEMPTS = "attempts"
    STEPS = "steps"
    CHECKS = "checks"


_KEY: Final = {
    "run": "tag of the run",
    "suite": "name of the suite",
    "task": "id of the task",
    "agent": "label of the agent",
    "seed": "edition of the world, from 0",
    "repeat": "which repeat of the task, from 1",
    "attempt": "which attempt at it, from 1; 0 if there was none",
    "counts": "whether this is the attempt that counts",
}
COLUMNS: Final[Mapping[TableName, Mapping[str, str]]] = {
    TableName.ATTEMPTS: {
        **_KEY,
        "outcome": "passed, failed or unscored",
        "reason": "why unscored: infra, blocked, drifted, verifier_error, needs_judge, not_run",
        "ending": "how the agent's part ended",
        "detail": "why it did not pass, in one line",
        "flags": "why a pass is not to be taken on trust, separated by semicolons",
        "site": "host of the start page",
        "source": "benchmark that the task was taken from",
        "tags": "the task's tags, separated by semicolons",
        "world": "where the pages came from",
        "steps": "observed actions",
        "seconds": "wall time from opening the page to the verdict",
        "agent_seconds": "of these, the agent's",
        "model_calls": "questions put to a model",
        "model_seconds": "time spent waiting for its answers",
        "input_tokens": "tokens sent to models",
        "output_tokens": "tokens received",
        "cost": "in US dollars; empty if no price is known",
        "started": "when it began, ISO 8601, UTC",
        "folder": "the episode's folder in the run",
        "task_digest": "tells versions of the task apart",
        "evidence_digest": "tells evidence apart",
        "browser": "name and version of the browser",
        "judge_version": "version of the rules that the verdict follows",
    },
    TableName.STEPS: {
        **_KEY,
        "number": "which action of the episode, from 1",
        "kind": "click, type, select, check, press, scroll, drag, upload or navigate",
        "role": "role of the element that was acted on",
        "name": "its accessible name",
        "tag": "its tag",
        "value": "text typed, option chosen, key pressed or address opened",
        "url": "address when it happened",
        "url_after": "address when the next action began, or at the end",
        "tab": "index of the tab, in order of opening",
        "seconds": "since the agent started",
        "by_script": "whether a script of the agent made it",
    },
    TableName.CHECKS: {
        **_KEY,
        "number": "which check of the task, from 1",
        "check": "its name",
        "metric": "how it compares",
        "state": "holds, fails, gated (another one that it requires did not hold) or broken",
        "score": "how far it holds, from 0 to 1; empty if that is unknown",
        "expected": "what it expects",
        "found": "what it found",
        "why": "why it does not hold",
    },
}
"""Every column of every table with its meaning, in order."""


class LoadedRun:
    """A run read as three tables: lists of dicts, the columns of which `COLUMNS` describes.

    ``attempts`` has a row for each attempt, and one for each planned item that was never reached.
    ``steps`` and ``checks`` have those of each attempt whose episode is stored; what is damaged
    there is left out.
    """

    def __init__(self, run: RunDir, results: RunResults) -> None:
        self._run, self._results = run, results
        self._tables: dict[TableName, list[Row]] = {}

    @property
    def attempts(self) -> list[Row]:
        """One row per attempt."""
        return self.table("attempts")

    @property
    def steps(self) -> list[Row]:
        """One row per observed action."""
        return self.table("steps")

    @property
    def checks(self) -> list[Row]:
        """One row per check of a verdict."""
        return self.table("checks")

    def table(self, name: str) -> list[Row]:
        """One of the tables: ``attempts``, ``steps`` or ``checks``. ValueError for another name."""
        chosen = TableName(name)
        if chosen not in self._tables:
            self._tables[chosen] = list(_MAKERS[chosen](self._run, self._results))
        return self._tables[chosen]

    def to_pandas(self, table: str = "attempts") -> Any:
        """A table as a ``pandas.DataFrame``; `SettingsError` if pandas is not installed."""
        pandas = _library("pandas")
        return pandas.DataFrame(self.table(table), columns=list(COLUMNS[TableName(table)]))

    def to_polars(self, table: str = "attempts") -> Any:
        """A table as a ``polars.DataFrame``; `SettingsError` if polars is not installed."""
        polars = _library("polars")
        columns = list(COLUMNS[TableName(table)])
        return polars.DataFrame(self.table(table), schema=columns, infer_schema_length=None)


def load_run(path: str | Path) -> LoadedRun:
    """The results of a run directory, such as ``runs/demo``.

    `SettingsError` if there is no run, `StoreError` if its plan or ledger cannot be read.
    """
    run = RunDir(Path(path))
    run.must_exist()
    return LoadedRun(run, read_results(run))


# -- Rows ------------------------------------------------------------------------------------------


def _attempts(_run: RunDir, results: RunResults) -> Iterator[Row]:
    for result, entry in _entries(results):
        row = _key(result, entry) | entry.model_dump(
            include=set(COLUMNS[TableName.ATTEMPTS]) - set(_KEY)
        )
        row["detail"] = entry.brief or entry.detail
        row["flags"] = "; ".join(map(str, entry.flags))
        row["tags"] = "; ".join(result.plan.tags)
        row |= {"site": result.plan.site, "source": result.plan.source}
        yield {name: row[name] for name in COLUMNS[TableName.ATTEMPTS]}


def _steps(run: RunDir, results: RunResults) -> Iterator[Row]:
    for result, entry in _entries(results):
        if entry.folder:
            for action in run.stored_episode(entry).steps():
                yield _key(result, entry) | _step(action)


def _step(action: ObservedAction) -> Row:
    touched = action.target
    return {
        "number": action.number,
        "kind": action.kind,
        "role": touched.role,
        "name": touched.name,
        "tag": touched.tag,
        "value": action.value,
        "url": action.url,
        "url_after": action.url_after,
        "tab": action.tab,
        "seconds": action.seconds,
        "by_script": action.by_script,
    }


def _checks(run: RunDir, results: RunResults) -> Iterator[Row]:
    for result, entry in _entries(results):
        verdict = run.stored_episode(entry).verdict() if entry.folder else None
        for number, check in enumerate(verdict.checks if verdict else (), start=1):
            yield _key(result, entry) | {"number": number} | _check(check)


def _check(check: CheckResult) -> Row:
    return {
        "check": check.name,
        "metric": check.metric,
        "state": check.state.value,
        "score": check.score,
        "expected": check.expected,
        "found": check.found,
        "why": check.why,
    }


_MAKERS: Final[Mapping[TableName, Callable[[RunDir, RunResults], Iterator[Row]]]] = {
    TableName.ATTEMPTS: _attempts,
    TableName.STEPS: _steps,
    TableName.CHECKS: _checks,
}


def _entries(results: RunResults) -> Iterator[tuple[ItemResult, LedgerEntry]]:
    for result in results.results:
        for entry in result.earlier:
            yield result, entry
        yield result, result.entry


def _key(result: ItemResult, entry: LedgerEntry) -> Row:
    return {
        "run": result.run,
        "suite": entry.suite,
        "task": entry.task,
        "agent": entry.agent,
        "seed": entry.seed,
        "repeat": entry.repeat,
        "attempt": entry.attempt,
        "counts": entry is result.entry,
    }


# -- Files -----------------------------------------------------------------------------------------


class ExportFormat(StrEnum):
    """What a table is written as."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


def encoded(rows: Iterable[Row], table: TableName, form: ExportFormat) -> bytes:
    """A table as the content of a file; `SettingsError` if a library for it is not installed."""
    if form is ExportFormat.PARQUET:
        return _as_parquet(list(rows), table)
    text = _as_csv(rows, table) if form is ExportFormat.CSV else _as_lines(rows)
    return text.encode("utf-8", "replace")


def _as_csv(rows: Iterable[Row], table: TableName) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(COLUMNS[table]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _as_lines(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _as_parquet(rows: list[Row], table: TableName) -> bytes:
    arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
    columns = {name: [row[name] for row in rows] for name in COLUMNS[table]}
    out = io.BytesIO()
    parquet.write_table(arrow.table(columns), out)
    return out.getvalue()


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise SettingsError(f"{package} is not installed: pip install {package}") from error
