"""Several runs over time: rates in order, flips against a baseline, tasks that flake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pytest_webbench.cli import app
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir

DAYS = {
    "monday": "2026-11-23",
    "tuesday": "2026-11-24",
    "wednesday": "2026-11-25",
    "thursday": "2026-11-26",
}


def add_run(tag: str, outcomes: dict[str, str], *, agent: str = "me", suite: str = "s") -> None:
    """A run in ./runs: outcomes by task, ``passed,failed`` for two repeats, ``-`` for none."""
    run = RunDir(Path("runs") / tag)
    planned, entries = [], []
    for task, listed in outcomes.items():
        for repeat, outcome in enumerate(listed.split(","), start=1):
            key = {"suite": suite, "task": task, "agent": agent, "repeat": repeat}
            planned.append(PlannedItem(**key, nodeid=f"{task}{repeat}"))
            if outcome != "-":
                reason = "infra" if outcome == "unscored" else ""
                started = f"{DAYS[tag]}T10:00:00+00:00"
                entries.append(
                    LedgerEntry(
                        **key, world="live", outcome=outcome, reason=reason, started=started
                    )
                )
    run.plan(planned, {})
    run.record_all(entries, "gw0")


def webbench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["history", *arguments])


@pytest.fixture
def week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    add_run("wednesday", {"a": "failed", "b": "passed", "c": "passed,failed", "d": "-"})
    add_run("monday", {"a": "passed", "b": "passed", "c": "failed,failed", "d": "passed"})
    add_run("tuesday", {"a": "passed", "b": "failed", "c": "passed,passed", "d": "unscored"})


@pytest.mark.usefixtures("week")
def test_runs_are_in_order_of_time_with_rates_and_what_is_unscored() -> None:
    (course,) = json.loads(webbench("--json").output)
    assert [(one["run"], one["unscored"]) for one in course["runs"]] == [
        ("monday", 0),
        ("tuesday", 1),
        ("wednesday", 1),
    ]
    assert [one["rate"] for one in course["runs"]] == pytest.approx([3 / 4, 2 / 3, 1.5 / 3])
    assert all(one["low"] < one["rate"] < one["high"] for one in course["runs"])


@pytest.mark.usefixtures("week")
def test_flips_are_told_against_the_run_before_or_a_baseline() -> None:
    (course,) = json.loads(webbench("--json").output)
    assert course["baseline"] == "tuesday"
    assert [(one["task"], one["before"], one["after"]) for one in course["flips"]] == [
        ("a", "passed", "failed"),
        ("b", "failed", "passed"),
        ("c", "passed", "mixed"),
    ]
    (course,) = json.loads(webbench("--json", "--baseline", "monday").output)
    assert [(one["task"], one["after"]) for one in course["flips"]] == [
        ("a", "failed"),
        ("c", "mixed"),
    ]


@pytest.mark.usefixtures("week")
def test_task_that_was_passed_and_failed_flakes() -> None:
    (course,) = json.loads(webbench("--json").output)
    assert [(one["task"], one["passed"], one["graded"]) for one in course["flakes"]] == [
        ("c", 3, 6),
        ("a", 2, 3),
        ("b", 2, 3),
    ]


@pytest.mark.usefixtures("week")
def test_agents_and_suites_have_courses_of_their_own() -> None:
    add_run("thursday", {"a": "passed"}, agent="you", suite="other")
    shown = webbench()
    assert "other, agent you" in shown.output
    assert "s, agent me" in shown.output
    only = json.loads(webbench("--json", "--agent", "you").output)
    assert [(one["suite"], one["agent"], one["baseline"]) for one in only] == [("other", "you", "")]


@pytest.mark.usefixtures("week")
def test_text_names_what_flipped_and_csv_has_a_row_per_run() -> None:
    text = webbench("monday", "tuesday").output
    assert "what flipped from monday to tuesday" in text
    assert "wednesday" not in text
    lines = webbench("--format", "csv").output.splitlines()
    assert lines[0].startswith("suite,agent,run,started,passed,graded,unscored,rate")
    assert len([line for line in lines if line]) == 4


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--baseline", "friday"), "no such run; there are monday, tuesday, wednesday"),
        (("--agent", "nobody"), "no run has it; there are me"),
        (("monday", "monday"), "monday is named twice"),
        (("friday",), "friday"),
    ],
)
@pytest.mark.usefixtures("week")
def test_what_cannot_be_is_refused_with_a_sentence(arguments: tuple[str, ...], why: str) -> None:
    assert why in str(webbench(*arguments).exception)


def test_folder_without_runs_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "there are no runs in runs" in str(webbench().exception)
