"""`webbench compare A B --match source`: tasks of two suites that were taken from the same task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pytest_webbench import cli
from pytest_webbench._suite_files import Format
from pytest_webbench.errors import SettingsError
from pytest_webbench.report.compare import LeftOut, Pair, compare
from pytest_webbench.report.results import read_results
from pytest_webbench.report.sides import by_source, sides_of
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.run.task_job import TaskJob
from pytest_webbench.task import Suite
from pytest_webbench.task.adapters import read_foreign
from pytest_webbench.task.provenance import Source
from pytest_webbench.testing import task

Item = tuple[str, str, str, str]
"""Task, the benchmark it is from, its id there, and the outcome."""
OURS: list[Item] = [
    ("lamp-price", "WebGym", "300228", "passed"),
    ("lamp-price-again", "WebGym", "300228", "failed"),
    ("flight", "WebVoyager", "Flights--3", "passed"),
    ("mayo", "Online-Mind2Web", "47b9", "failed"),
    ("only-ours", "WebGym", "1", "passed"),
    ("our-own", "", "", "passed"),
    ("id-unknown", "WebGym", "", "passed"),
]
ORIGINALS: list[Item] = [
    ("300228", "webgym", " 300228 ", "passed"),
    ("vts-3", "WebVoyager", "Flights--3", "failed"),
    ("vts-4", "Online-Mind2Web", "47b9", "failed"),
    ("only-theirs", "WebVoyager", "47b9", "passed"),
]


def run_of(folder: Path, suite: str, items: list[Item]) -> RunDir:
    run = RunDir(folder / "runs" / suite)
    plan = []
    for name, benchmark, its_id, outcome in items:
        key: dict[str, Any] = {"suite": suite, "task": name, "agent": "a"}
        source = {"source": benchmark, "source_id": its_id}
        plan.append(PlannedItem(**key, repeat=1, nodeid=f"{name}.yaml::{name}", **source))
        entry = {**key, "world": "live", "outcome": outcome}
        run.record(LedgerEntry.model_validate(entry), "main")
    run.plan(plan, {})
    return run


def paired(folder: Path) -> Pair:
    sides = []
    for suite, items in (("ours", OURS), ("originals", ORIGINALS)):
        run = read_results(run_of(folder, suite, items), check=False)
        sides.append(by_source(*sides_of(run)))
    (pair,) = compare([(sides[0], sides[1])])
    return pair


def test_tasks_of_the_same_origin_are_pairs(tmp_path: Path) -> None:
    pair = paired(tmp_path)
    outcomes = {one.key: (one.a.passed, one.a.graded, one.b.passed) for one in pair.tasks}
    assert outcomes == {
        ("online-mind2web", "47b9"): (0, 1, 0),
        ("webgym", "300228"): (1, 2, 1),  # two of ours are repeats of one task
        ("webvoyager", "Flights--3"): (1, 1, 0),
    }
    assert pair.left_out == LeftOut(graded_for_a=1, graded_for_b=1, for_neither=0)
    assert "2 tasks of ours:a name no source and are left out" in pair.notes


def test_run_without_origins_is_refused(tmp_path: Path) -> None:
    run = read_results(run_of(tmp_path, "own", OURS[5:]), check=False)
    with pytest.raises(SettingsError, match="no task of own:a names a source with its id"):
        by_source(*sides_of(run))


def webbench(*arguments: str) -> Result:
    env = {"COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"}
    return CliRunner(env=env).invoke(cli.app, list(arguments))


def test_command_pairs_by_source_only_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of(tmp_path, "ours", OURS)
    run_of(tmp_path, "originals", ORIGINALS)
    monkeypatch.chdir(tmp_path)
    assert "share no task" in webbench("compare", "ours", "originals").stdout
    found = webbench("compare", "ours", "originals", "--match", "source", "--json")
    (pair,) = json.loads(found.stdout)["pairs"]
    assert pair["shared"] == 3
    wrong = webbench("compare", "ours", "originals", "--match", "goal")
    assert wrong.exit_code == 2
    assert "--match" in wrong.output


def test_originals_and_native_tasks_plan_the_same_origin(tmp_path: Path) -> None:
    check = {
        "name": "there",
        "metric": "url_matches",
        "result": {"type": "final_url"},
        "expected": "https://shop.example/x",
    }
    original = {
        "task_id": "vts-1",
        "task_name": "Open the page called x.",
        "website": "https://shop.example/",
        "source": {"benchmark": "WebGym", "task_id": "300228"},
        "evaluator": {"conj": "and", "checks": [check]},
    }
    file = tmp_path / "vts-1.json"
    file.write_text(json.dumps(original))
    (theirs,) = read_foreign(file, Format.LIVEWEB).tasks
    ours = task(source=Source(benchmark="WebGym", id="300228").model_dump())
    suite = Suite(name="s", title="S", licence="x")
    facts = []
    for one in (ours, theirs):
        job = TaskJob(
            task=one, suite=suite, suite_folder=tmp_path, agent="noop", repeat=1, world="live"
        )
        facts.append((job.plan_facts.source, job.plan_facts.source_id))
    assert facts == [("WebGym", "300228")] * 2
