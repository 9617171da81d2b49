"""Runs elsewhere: what is copied, what is not, and what a run that is not there looks like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from typer.testing import CliRunner, Result

from pytest_webbench import cli
from pytest_webbench.errors import SettingsError, StoreError
from pytest_webbench.run import RunDir
from pytest_webbench.run.remote import is_url, keep_run, matching, open_run, shown
from tests.unit.test_shards import TASKS, three


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[str]:
    """Three shards in a file system that only fsspec knows."""
    memory = fsspec.filesystem("memory")
    for run in three(tmp_path / "made"):
        run.write_report("junit.xml", "<testsuites/>")
        (run.path / "report").mkdir()
        (run.path / "report" / "index.html").write_text("report")
        memory.put(str(run.path), f"/bucket/{run.path.name}", recursive=True)
    yield "memory://bucket"
    memory.store.clear()
    memory.pseudo_dirs[:] = [""]


def files(run: RunDir) -> set[str]:
    return {path.relative_to(run.path).parts[0] for path in run.path.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("s3://b/runs/t", True),
        ("file:///runs/t", True),
        ("gs::x", True),
        ("runs/t", False),
        ("t:noop", False),
    ],
)
def test_remote_address_differs_from_a_directory_and_a_tag(name: str, url: bool) -> None:
    assert is_url(name) is url


def test_plan_and_ledger_are_copied_and_nothing_else(bucket: str, tmp_path: Path) -> None:
    run = open_run(f"{bucket}/1")
    assert (files(run), run.path.name) == ({"run.json", "ledger"}, "1")
    assert run.results() == RunDir(tmp_path / "made" / "1").results()


def test_episodes_are_copied_on_request_and_reports_never(bucket: str) -> None:
    run = open_run(f"{bucket}/1/", episodes=True)
    assert files(run) == {"run.json", "ledger", "episodes", "junit.xml"}
    assert all((run.folder_of(entry) / "verdict.json").is_file() for entry in run.attempts())


def test_absent_remote_run_does_not_exist(bucket: str) -> None:
    assert not open_run(f"{bucket}/nothing").exists()


def test_whole_remote_run_is_cached_once(bucket: str, tmp_path: Path) -> None:
    run = keep_run(f"{bucket}/2", tmp_path / "runs")
    assert (run.path, run.exists()) == (tmp_path / "runs" / "2", True)
    with pytest.raises(SettingsError, match="which exists: name that, or delete it first"):
        keep_run(f"{bucket}/2", tmp_path / "runs")


def test_names_outside_the_run_are_not_written(tmp_path: Path, bucket: str) -> None:
    store = fsspec.filesystem("memory").store
    store["/bucket/1/episodes/a/../../../../escaped"] = store["/bucket/1/run.json"]
    run = open_run(f"{bucket}/1", episodes=True)
    assert not list(run.path.parents[1].glob("escaped"))


def test_unknown_protocol_is_a_usage_error() -> None:
    with pytest.raises(SettingsError, match="nowhere"):
        open_run("nowhere://bucket/t")


def test_read_error_hides_the_password(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "run.json").mkdir()
    (tmp_path / "t" / "run.json" / "x").write_text("")
    assert not open_run(f"file://{tmp_path}/t").exists()
    assert shown("ftp://me:secret@host/t") == "ftp://host/t"
    with pytest.raises((StoreError, SettingsError)) as caught:
        open_run("ftp://me:secret@127.0.0.1:1/t")
    assert "secret" not in str(caught.value)


def test_star_matches_every_run(bucket: str) -> None:
    assert matching(f"{bucket}/*") == [f"memory:///bucket/{index}" for index in (1, 2, 3)]


# -- commands ----------------------------------------------------------------------------------


def webbench(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}).invoke(cli.app, list(arguments))


def test_merge_reads_remote_shards(bucket: str, tmp_path: Path) -> None:
    result = webbench("merge", str(tmp_path / "all"), f"{bucket}/*")
    assert result.stdout.splitlines() == [
        "integrity: 0 of 9 episodes agree with their evidence; 9 have none here",
        f"merged 3 shards with 9 items into {tmp_path / 'all'}",
    ]
    assert sorted(key.task for key in RunDir(tmp_path / "all").results()) == TASKS
    assert (tmp_path / "all" / "junit.xml").read_text().count("<testcase ") == len(TASKS)


def test_merge_prints_its_result_as_json(bucket: str, tmp_path: Path) -> None:
    told = json.loads(webbench("merge", str(tmp_path / "all"), f"{bucket}/*", "--json").stdout)
    assert told == {
        "run": str(tmp_path / "all"),
        "shards": 3,
        "items": 9,
        "notes": [],
        "integrity": "integrity: 0 of 9 episodes agree with their evidence; 9 have none here",
    }


def test_summary_reads_a_remote_run(bucket: str) -> None:
    rows = json.loads(webbench("summary", f"{bucket}/1", "--json").stdout)
    assert str(len(open_run(f"{bucket}/1").results())) in json.dumps(rows)
