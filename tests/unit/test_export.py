"""Results as data: the three tables, their files, data frames, and the recipes of the docs."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import pytest_webbench
from pytest_webbench.cli import app
from pytest_webbench.errors import SettingsError
from pytest_webbench.report.export import COLUMNS, ExportFormat, TableName, encoded, load_run
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from tests.support.stored_run import make_run

PAGE = Path(__file__).parents[2] / "docs" / "export.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the run ``demo``: one of four passed, and t1 never began once."""
    monkeypatch.chdir(tmp_path)
    make_run(tmp_path / "runs" / "demo")
    return tmp_path


def webbench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["export", *arguments])


def test_each_table_has_the_columns_that_are_described(folder: Path) -> None:
    run = load_run(folder / "runs" / "demo")
    for name, columns in COLUMNS.items():
        rows = run.table(name)
        assert rows, name
        assert {tuple(row) for row in rows} == {tuple(columns)}, name


def test_tables_tell_what_came_of_each_attempt(folder: Path) -> None:
    run = load_run(folder / "runs" / "demo")
    assert [(row["task"], row["outcome"], row["counts"]) for row in run.attempts] == [
        ("t0", "passed", True),
        ("t1", "failed", True),
        ("t2", "failed", True),
        ("t3", "failed", True),
    ]
    assert [(row["task"], row["kind"], row["name"]) for row in run.steps] == [
        (f"t{number}", "click", "Lamps") for number in range(4)
    ]
    assert [(row["task"], row["check"], row["state"]) for row in run.checks] == [
        ("t0", "lamps", "holds"),
        *((f"t{number}", "lamps", "fails") for number in (1, 2, 3)),
    ]


def test_item_without_an_attempt_is_a_row_that_says_so(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "demo")
    run.plan(
        [PlannedItem(suite="s", task="t", agent="me", repeat=1, nodeid="t", tags=("a", "b"))], {}
    )
    (row,) = load_run(run.path).attempts
    assert (row["attempt"], row["outcome"], row["reason"]) == (0, "unscored", "not_run")
    assert row["tags"] == "a; b"


def test_attempt_before_the_one_that_counts_is_a_row_of_its_own(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "demo")
    run.plan([PlannedItem(suite="s", task="t", agent="me", repeat=1, nodeid="t")], {})
    for attempt, outcome in enumerate(("unscored", "failed"), start=1):
        run.record(
            LedgerEntry(
                suite="s",
                task="t",
                agent="me",
                attempt=attempt,
                world="live",
                outcome=outcome,
                reason="infra" if outcome == "unscored" else "",
                worker="gw0",
            ),
            "gw0",
        )
    rows = load_run(run.path).attempts
    assert [(row["attempt"], row["counts"], row["reason"]) for row in rows] == [
        (1, False, "infra"),
        (2, True, ""),
    ]


# -- files -----------------------------------------------------------------------------------------


def test_all_tables_are_written_and_none_is_overwritten(folder: Path) -> None:
    done = webbench("demo")
    assert done.exit_code == 0, done.output
    written = folder / "demo-export"
    assert {path.name for path in written.iterdir()} == {
        "attempts.csv",
        "steps.csv",
        "checks.csv",
    }
    assert "attempts.csv: 4 rows" in done.output
    (written / "steps.csv").write_text("mine")
    again = webbench("demo")
    assert "steps.csv, demo-export/checks.csv exist already" in str(again.exception)
    assert (written / "steps.csv").read_text() == "mine"
    assert webbench("demo", "--force").exit_code == 0
    assert (written / "steps.csv").read_text() != "mine"


def test_printed_table_is_the_file(folder: Path) -> None:
    printed = webbench("demo", "--table", "checks", "--out", "-", "--format", "jsonl")
    rows = [json.loads(line) for line in printed.stdout.splitlines()]
    assert rows == load_run(folder / "runs" / "demo").checks


def test_printing_all_tables_at_once_is_refused(folder: Path) -> None:
    refused = webbench("demo", "--out", "-")
    assert isinstance(refused.exception, SettingsError)
    assert "choose it with --table" in str(refused.exception)


def test_run_that_is_not_there_is_an_error_that_names_it(folder: Path) -> None:
    assert "nowhere" in str(webbench("nowhere").exception)


@pytest.mark.parametrize("text", ['a "quoted", text', "two\nlines", "=1+1", "ü 漢 😀", ""])
def test_texts_come_back_from_each_format_as_they_were(text: str, tmp_path: Path) -> None:
    row = dict.fromkeys(COLUMNS[TableName.CHECKS], "") | {"found": text, "score": 0.5}
    parsed: dict[ExportFormat, Any] = {}
    for form in ExportFormat:
        data = encoded([row], TableName.CHECKS, form)
        (tmp_path / form).write_bytes(data)
        parsed[form] = data
    (from_csv,) = csv.DictReader(io.StringIO(parsed[ExportFormat.CSV].decode(), newline=""))
    assert from_csv["found"] == text
    assert json.loads(parsed[ExportFormat.JSONL]) == row
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(tmp_path / "parquet").to_pylist() == [row]


def test_imported_attempts_are_the_same_results(folder: Path) -> None:
    assert webbench("demo", "--table", "attempts").exit_code == 0
    imported = CliRunner().invoke(app, ["import-results", "demo-export/attempts.csv", "again"])
    assert imported.exit_code == 0, imported.output
    before, after = (load_run(folder / "runs" / tag).attempts for tag in ("demo", "again"))
    same = ("task", "agent", "repeat", "outcome", "reason", "steps", "seconds", "cost")
    assert [[row[name] for name in same] for row in after] == [
        [row[name] for name in same] for row in before
    ]


# -- data frames and recipes -----------------------------------------------------------------------


@pytest.mark.parametrize("name", list(TableName))
def test_data_frames_have_the_same_rows(folder: Path, name: TableName) -> None:
    run = load_run(folder / "runs" / "demo")
    frame = run.to_polars(name)
    assert (frame.columns, frame.height) == (list(COLUMNS[name]), 4)
    assert list(run.to_pandas(name).columns) == list(COLUMNS[name])
    assert len(run.to_pandas(name)) == 4


def test_unknown_table_is_an_error(folder: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        load_run(folder / "runs" / "demo").table("nowhere")


def test_public_name_is_the_same_function() -> None:
    assert pytest_webbench.load_run is load_run


def test_ten_questions_of_the_docs_are_answered(folder: Path) -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Ten questions")[2]
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert re.findall(r"^# (\d+)\.", code, re.MULTILINE) == [str(one) for one in range(1, 11)]
    answers: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), answers)
    assert (answers["rate"], answers["share_graded"]) == (0.25, 1.0)
    assert set(answers["failed"]) == {"t1", "t2", "t3"}
    assert answers["failing"] == {"lamps": 3}
    assert answers["flaky"] == []
    assert answers["kinds"] == {"click": 4}
    assert answers["ends"] == {"https://shop.example/": 3}


def test_page_describes_each_column() -> None:
    described = re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(described) == {pair for table in COLUMNS.values() for pair in table.items()}
