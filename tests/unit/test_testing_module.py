"""Builders of `pytest_webbench.testing` that need no browser."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest
from pydantic import ValidationError

from pytest_webbench.checks import MISSING, installed_checks
from pytest_webbench.judge import judge
from pytest_webbench.report.results import read_results
from pytest_webbench.testing import (
    FakeClock,
    brief,
    budget,
    evidence,
    page_server,
    read,
    run_directory,
    score,
    suite,
    task,
)


def test_built_task_is_judged_like_any_other() -> None:
    wanted = task(expected_url="https://shop.example/lamps")
    there = evidence(page={"url": "https://shop.example/lamps"})
    assert judge(wanted, there).outcome == "passed"
    assert judge(wanted, evidence()).outcome == "failed"


@pytest.mark.parametrize("build", [task, suite, evidence])
def test_misspelt_field_is_an_error(build: object) -> None:
    assert callable(build)
    with pytest.raises(ValidationError, match="gaol"):
        build(gaol="x")


def test_brief_has_the_default_budget() -> None:
    assert (brief().max_actions, brief(goal="Go").goal) == (60, "Go")


def test_budget_follows_its_clock() -> None:
    clock = FakeClock()
    left = budget(actions=3, seconds=10.0, used=1, clock=clock)
    clock.advance(4.0)
    assert (left.actions_left, left.seconds_left) == (2, 6.0)


def test_check_is_tried_on_evidence() -> None:
    known = installed_checks()
    answer, close = (
        known.getters["agent_answer"](),
        known.metrics["numeric_close"].model_validate({"tol": 1}),
    )
    assert read(answer, evidence()) is MISSING
    assert score(close, read(answer, evidence(answer="12")), 11.5) == 1.0


def test_expectation_that_no_task_file_may_hold_is_an_error() -> None:
    pattern = installed_checks().metrics["url_pattern_match"]()
    with pytest.raises(AssertionError, match="url_pattern_match cannot expect"):
        score(pattern, "x", "(")


def test_pages_are_served_by_path() -> None:
    with page_server({"/": "<p>é</p>", "/raw": b"\xff"}) as url:
        with urllib.request.urlopen(url + "?q=1") as response:
            assert response.read().decode() == "<p>é</p>"
        with urllib.request.urlopen(url + "raw") as response:
            assert response.read() == b"\xff"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(url + "none")


def test_run_directory_looks_like_one_of_a_session(tmp_path: Path) -> None:
    run = run_directory(tmp_path / "run", {"a": "passed", "b": "failed", "c": "infra"})
    results = read_results(run).results
    assert [(one.plan.task, *one.outcome) for one in results] == [
        ("a", "passed", ""),
        ("b", "failed", ""),
        ("c", "unscored", "infra"),
    ]
