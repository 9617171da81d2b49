"""`webbench calibration` on runs that are written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pytest_webbench import cli
from pytest_webbench.errors import SettingsError
from pytest_webbench.run import LedgerEntry, RunDir


def add(
    run: RunDir, task: str, outcome: str, *probabilities: float | None, agent: str = "jev"
) -> None:
    folder = run.path / "episodes" / agent / task
    folder.mkdir(parents=True)
    notes = [
        {"kind": "decision", "number": at, "probability": one}
        for at, one in enumerate(probabilities, start=1)
    ]
    (folder / "agent.jsonl").write_text(
        "".join(f"{json.dumps(note)}\n" for note in notes) + "{cut off", encoding="utf-8"
    )
    entry = LedgerEntry.model_validate(
        {
            "suite": "s",
            "task": task,
            "agent": agent,
            "world": "w",
            "outcome": outcome,
            "reason": "infra",
        }
        | {"folder": folder.relative_to(run.path).as_posix()}
    )
    run.record(entry, "main")


def webbench(*arguments: str) -> str:
    result = CliRunner(env={"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}).invoke(
        cli.app, list(arguments)
    )
    if isinstance(result.exception, Exception):
        raise result.exception
    return result.stdout


def test_last_probability_is_compared_with_the_outcome(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "r")
    add(run, "a", "passed", 0.2, 0.95)
    add(run, "b", "failed", 0.1, 0.91)
    add(run, "c", "failed", 0.15)
    add(run, "unscored", "unscored", 0.5)
    add(run, "silent", "passed", None)
    lines = webbench("calibration", str(run.path)).splitlines()
    assert lines[0].startswith("jev: 3 episodes, expected calibration error 0.337")
    assert [line.split()[:5] for line in lines[2:]] == [
        ["10%", "to", "20%", "1", "0%"],
        ["90%", "to", "100%", "2", "50%"],
    ]
    data = json.loads(webbench("calibration", str(run.path), "--json"))
    assert [(one["n"], one["right"]) for one in data["jev"]["bins"]] == [(1, 0), (2, 1)]


def test_run_without_probabilities_is_an_error(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "r")
    add(run, "a", "passed", None)
    with pytest.raises(SettingsError, match="no graded episode"):
        webbench("calibration", str(run.path))
