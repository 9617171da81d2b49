"""What CI reads of a run: exit codes, threshold, CTRF, job summary, list of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

from pytest_webbench import cli
from pytest_webbench.report.ctrf import document
from pytest_webbench.report.github import job_summary
from pytest_webbench.report.listing import RunState, list_runs
from pytest_webbench.report.results import ItemResult, read_results
from pytest_webbench.report.threshold import Standing, exit_code, thresholds_of
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.run.lock import RunLock
from pytest_webbench.run.shards import Shard
from pytest_webbench.stats import wilson
from tests.support.results import results_of


def entry(outcome: str, task: str = "t", agent: str = "a", **values: Any) -> LedgerEntry:
    return LedgerEntry.model_validate(
        {"suite": "s", "task": task, "agent": agent, "world": "live", "outcome": outcome, **values}
    )


def results(passed: int, failed: int, unscored: int = 0, agent: str = "a") -> list[ItemResult]:
    outcomes = ["passed"] * passed + ["failed"] * failed + ["unscored"] * unscored
    return results_of(entry(one, f"t{number}", agent) for number, one in enumerate(outcomes))


# -- exit codes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "told", "ends"),
    [
        (0, results(3, 0), 0),
        (1, results(2, 1), 1),
        (1, results(2, 1, 1), 1),
        (1, results(2, 0, 1), 10),
        (0, results(2, 0, 1), 10),
        (1, results(0, 0, 3), 10),
        (2, results(2, 0, 1), 2),
        (3, results(0, 0, 3), 3),
        (4, [], 4),
        (1, [], 1),
    ],
)
def test_exit_code_tells_failed_agents_from_infrastructure(
    code: int, told: list[ItemResult], ends: int
) -> None:
    assert exit_code(code, told, [], others_failed=False) == ends


def test_failure_of_another_test_keeps_the_exit_code() -> None:
    told = results(9, 0, 1)
    assert exit_code(1, told, [], others_failed=True) == 1
    assert exit_code(1, told, thresholds_of(told, 0.1), others_failed=True) == 1


@pytest.mark.parametrize(
    ("told", "least", "standing", "ends"),
    [
        (results(90, 10), 0.8, Standing.REACHED, 0),
        (results(90, 10), 0.85, Standing.BELOW, 11),
        (results(100, 0), 1.0, Standing.BELOW, 11),
        (results(3, 0), 0.5, Standing.BELOW, 11),
        (results(90, 0, 10), 0.9, Standing.UNKNOWN, 10),
        (results(90, 0, 10), 0.8, Standing.REACHED, 0),
        (results(50, 40, 10), 0.8, Standing.BELOW, 11),
        (results(0, 0, 5), 0.1, Standing.BELOW, 11),
        (results(0, 5), 0.0, Standing.REACHED, 0),
    ],
)
def test_threshold_compares_the_low_end_of_the_interval(
    told: list[ItemResult], least: float, standing: Standing, ends: int
) -> None:
    (threshold,) = thresholds_of(told, least)
    assert (threshold.standing, exit_code(1, told, [threshold], others_failed=False)) == (
        standing,
        ends,
    ), str(threshold)


def test_threshold_uses_wilsons_bound_for_every_agent() -> None:
    good, bad = results(90, 10), results(50, 50, agent="b")
    thresholds = thresholds_of([*bad, *good], 0.8)
    assert [(threshold.agent, threshold.standing) for threshold in thresholds] == [
        ("a", Standing.REACHED),
        ("b", Standing.BELOW),
    ]
    assert thresholds[0].low == pytest.approx(wilson(90, 100).low)
    assert exit_code(1, [*good, *bad], thresholds, others_failed=False) == 11
    assert str(thresholds[1]) == (
        "s, agent b: the rate's interval begins at 40.4%, below the 80.0% that "
        "--webbench-min-rate asks for"
    )


# -- a run -------------------------------------------------------------------------------------


def planned(task: str, agent: str = "a", repeat: int = 1) -> PlannedItem:
    return PlannedItem(
        suite="s",
        task=task,
        agent=agent,
        repeat=repeat,
        nodeid=f"tasks/{task}.yaml::{task}",
        tags=("x",),
    )


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    """One item of each kind: passed at the second attempt, failed, blocked, never reached."""
    run = RunDir(tmp_path / "runs" / "t")
    run.plan([planned(task) for task in ("flaky", "wrong", "wall", "lost")], {})
    times: dict[str, Any] = {"seconds": 1.5, "worker": "gw0"}
    run.record(
        entry("unscored", "flaky", reason="infra", started="2026-01-01T00:00:00+00:00", **times),
        "gw0",
    )
    run.record(
        entry("passed", "flaky", attempt=2, started="2026-01-01T00:00:05+00:00", **times), "gw0"
    )
    run.record(
        entry(
            "failed",
            "wrong",
            detail="wrong | failed\n<script>",
            started="2026-01-01T00:00:01+00:00",
        ),
        "gw0",
    )
    run.record(entry("unscored", "wall", reason="blocked", detail="a wall"), "gw0")
    return run


STATUS = {"enum": ["passed", "failed", "skipped", "pending", "other"]}
MILLISECONDS = {"type": "integer", "minimum": 0}
TIMES = {"start": MILLISECONDS, "stop": MILLISECONDS, "duration": MILLISECONDS}
COUNTS = ("tests", "passed", "failed", "skipped", "pending", "other")
# What ctrf.io asks for, as far as we write it.
CTRF = {
    "type": "object",
    "required": ["results", "reportFormat", "specVersion"],
    "properties": {
        "reportFormat": {"const": "CTRF"},
        "specVersion": {"pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "results": {
            "required": ["tool", "summary", "tests"],
            "properties": {
                "tool": {
                    "required": ["name"],
                    "properties": {"name": {"minLength": 1}, "version": {"type": "string"}},
                    "additionalProperties": False,
                },
                "summary": {
                    "required": [*COUNTS, "start", "stop"],
                    "properties": dict.fromkeys(
                        (*COUNTS, "flaky", "suites", "start", "stop"), MILLISECONDS
                    ),
                    "additionalProperties": False,
                },
                "tests": {
                    "items": {
                        "required": ["name", "status", "duration"],
                        "properties": {
                            **TIMES,
                            "id": {
                                "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-"
                                "[0-9a-f]{4}-[0-9a-f]{12}$"
                            },
                            "name": {"type": "string", "minLength": 1},
                            "status": STATUS,
                            "suite": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                            "message": {"type": "string"},
                            "rawStatus": {"type": "string"},
                            "tags": {"items": {"type": "string"}},
                            "filePath": {"type": "string"},
                            "retries": {"type": "integer"},
                            "flaky": {"type": "boolean"},
                            "threadId": {"type": "string"},
                            "extra": {"type": "object"},
                            "retryAttempts": {
                                "items": {
                                    "required": ["attempt", "status"],
                                    "properties": {
                                        **TIMES,
                                        "attempt": {"type": "integer", "minimum": 1},
                                        "status": STATUS,
                                        "message": {"type": "string"},
                                    },
                                    "additionalProperties": False,
                                }
                            },
                        },
                        "additionalProperties": False,
                    }
                },
            },
        },
    },
}


def test_ctrf_has_one_test_per_planned_item_with_its_retries(run: RunDir) -> None:
    told = document(read_results(run), "1.0")
    Draft202012Validator(CTRF).validate(told)
    summary, tests = (
        told["results"]["summary"],
        {test["name"]: test for test in told["results"]["tests"]},
    )
    assert [summary[name] for name in (*COUNTS, "flaky")] == [4, 1, 1, 0, 1, 1, 1]
    assert {name: test["status"] for name, test in tests.items()} == {
        "flaky": "passed",
        "wrong": "failed",
        "wall": "other",
        "lost": "pending",
    }
    assert (tests["flaky"]["flaky"], tests["flaky"]["retries"]) == (True, 1)
    assert tests["flaky"]["retryAttempts"][0]["status"] == "other"
    assert (tests["wall"]["rawStatus"], tests["wall"]["message"]) == ("unscored: blocked", "a wall")
    assert tests["flaky"]["stop"] - tests["flaky"]["start"] == tests["flaky"]["duration"] == 1500


def test_ctrf_depends_on_the_ledger_only(run: RunDir, tmp_path: Path) -> None:
    assert document(read_results(run), "1.0") == document(read_results(RunDir(run.path)), "1.0")
    empty = RunDir(tmp_path / "empty")
    empty.plan([], {})
    Draft202012Validator(CTRF).validate(document(read_results(empty), "1.0"))


def test_job_summary_counts_and_lists_what_did_not_pass(run: RunDir) -> None:
    text = job_summary(read_results(run), thresholds_of(read_results(run).results, 0.5))
    assert text.startswith(
        "### pytest-webbench: run t\n\n- s, agent a: the rate's interval begins at 9.5%"
    )
    assert "| wrong | a | 1 | wrong &#124; failed &#60;script&#62; |" in text
    assert "**Unscored (2)**" in text
    assert "| lost | a | 1 | not run: never reached |" in text


def test_job_summary_of_a_large_run_stays_small(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "t")
    run.plan([planned(f"t{number}") for number in range(3_000)], {})
    run.record_all(
        [entry("failed", f"t{number}", detail="x" * 3_000) for number in range(3_000)], "main"
    )
    text = job_summary(read_results(run))
    assert "**Failed (3000, the first 50)**" in text
    assert len(text) < 50_000


# -- runs --------------------------------------------------------------------------------------


def states(root: Path) -> dict[str, RunState]:
    return {listed.tag: listed.state for listed in list_runs(root)}


def test_runs_are_listed_with_their_state(run: RunDir) -> None:
    root = run.path.parent
    done = RunDir(root / "done")
    done.plan(
        [planned("wrong"), planned("hard")], {}, shard=Shard(1, 1), whole=[planned("wrong").key]
    )
    done.record(entry("failed", "wrong", started="2025-01-01T00:00:00+00:00"), "main")
    done.record(
        entry("unscored", "hard", reason="needs_judge", started="2025-01-01T00:00:00+00:00"), "main"
    )
    (root / "odd").mkdir()
    (root / "odd" / "run.json").write_text("{")
    (root / "no-run").mkdir()
    RunDir(root / "merged.partial").plan([], {})
    assert states(root) == {
        "t": RunState.RESUMABLE,
        "done": RunState.COMPLETE,
        "odd": RunState.UNREADABLE,
    }
    lock = RunLock(done.path, "s", 1)
    lock.acquire()
    assert states(root)["done"] is RunState.RUNNING
    lock.release()
    assert [listed.tag for listed in list_runs(root)] == ["odd", "done", "t"]


def webbench(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}).invoke(cli.app, list(arguments))


def test_runs_command_prints_a_table_or_json(run: RunDir, tmp_path: Path) -> None:
    table = webbench("runs", str(run.path.parent)).stdout.splitlines()
    assert table[0] == "Runs"
    assert table[2].split()[0] == "t"
    assert "resumable" in table[2]
    (told,) = json.loads(webbench("runs", str(run.path.parent), "--json").stdout)
    assert (told["tag"], told["state"]) == ("t", "resumable")
    assert told["agents"] == [
        {
            "agent": "a",
            "items": 4,
            "passed": 1,
            "failed": 1,
            "unscored": {"blocked": 1, "not_run": 1},
            "rate": 0.5,
        }
    ]
    assert webbench("runs", str(tmp_path)).stdout == f"no runs in {tmp_path}\n"


def test_shell_completes_tags_of_runs(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_webbench.cli.shared import complete_run

    monkeypatch.chdir(run.path.parents[1])
    assert (complete_run(""), complete_run("t"), complete_run("x")) == (["t"], ["t"], [])
