"""The summary of a run: exact words for small runs, and nothing that was planned drops out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench.report.results import RunResults, missing_entry, read_results
from pytest_webbench.report.summary import headline, summarize
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.stats import Tally
from tests.support.results import results_of

UNHURRIED = settings(deadline=None, max_examples=50)


def entry(outcome: str = "passed", **values: Any) -> LedgerEntry:
    given_values = {
        "suite": "mini",
        "task": "open-next",
        "agent": "noop",
        "world": "replica",
        "outcome": outcome,
    }
    return LedgerEntry.model_validate({**given_values, **values})


def item(task: str = "open-next", **values: Any) -> PlannedItem:
    given_values = {
        "suite": "mini",
        "task": task,
        "agent": "noop",
        "repeat": 1,
        "nodeid": f"{task}.yaml::{task}",
    }
    return PlannedItem.model_validate({**given_values, **values})


# -- headline ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        (Tally(24, 3), "24 of 27 passed = 88.9% (95 % interval 71.9% to 96.1%)"),
        (Tally(0, 10), "0 of 10 passed = 0.0% (95 % interval 0.0% to 27.8%)"),
        (Tally(10, 0), "10 of 10 passed = 100.0% (95 % interval 72.2% to 100.0%)"),
        (Tally(1, 1, Counter(infra=5)), "1 of 2 passed = 50.0% (95 % interval 9.5% to 90.5%)"),
        (Tally(0, 0, Counter(infra=2, blocked=1)), "nothing scored (3 unscored)"),
        (Tally(), "nothing scored (0 unscored)"),
    ],
)
def test_headline_shows_count_rate_and_interval(tally: Tally, words: str) -> None:
    assert headline(tally) == words


def test_repeats_of_a_task_are_not_counted_as_tasks() -> None:
    """27 tasks, each solved three times or never, say what 27 attempts say."""
    entries = [
        entry("passed" if task < 24 else "failed", task=str(task), repeat=repeat)
        for task in range(27)
        for repeat in (1, 2, 3)
    ]
    assert summarize(results_of(entries))[0].endswith(
        "72 of 81 passed = 88.9% (95 % interval 71.9% to 96.1%, 27 tasks)"
    )


# -- lines -------------------------------------------------------------------------------------


def test_run_without_entries_has_no_lines() -> None:
    assert summarize([]) == []


def test_scored_run_has_its_headline_and_its_slowest_episodes() -> None:
    entries = [
        entry(task="a", seconds=3.24),
        entry("failed", task="b", seconds=12.0),
        entry(task="c", seconds=0.5),
        entry(task="d", seconds=7.0),
    ]
    assert summarize(results_of(entries)) == [
        "mini (replica world), agent noop: 3 of 4 passed = 75.0% (95 % interval 30.1% to 95.4%)",
        "  slowest: b 12.0 s, d 7.0 s, a 3.2 s",
    ]


def test_unscored_items_are_listed_with_reasons_and_bounds() -> None:
    entries = [
        entry(task="a"),
        entry("failed", task="b"),
        entry("unscored", task="c", reason="infra"),
        entry("unscored", task="d", reason="blocked"),
        entry("unscored", task="e", reason="infra"),
    ]
    assert summarize(results_of(entries)) == [
        "mini (replica world), agent noop: 1 of 2 passed = 50.0% (95 % interval 9.5% to 90.5%)",
        "  unscored: 1 blocked, 2 infra; the rate lies between 20.0% and 80.0% whatever they were",
    ]


def test_run_without_any_verdict_says_so() -> None:
    assert summarize(results_of([missing_entry(item())])) == [
        "mini (unknown world), agent noop: nothing scored (1 unscored)",
        "  unscored: 1 not run; the rate lies between 0.0% and 100.0% whatever they were",
    ]


def test_every_suite_and_agent_has_a_line() -> None:
    entries = [
        entry(suite="b", agent="random"),
        entry(suite="a", agent="random"),
        entry("failed", suite="b", agent="noop"),
        entry(suite="a", agent="random", task="second"),
    ]
    assert summarize(results_of(entries)) == [
        "a (replica world), agent random: 2 of 2 passed = 100.0% (95 % interval 34.2% to 100.0%)",
        "b (replica world), agent noop: 0 of 1 passed = 0.0% (95 % interval 0.0% to 79.3%)",
        "b (replica world), agent random: 1 of 1 passed = 100.0% (95 % interval 20.7% to 100.0%)",
    ]


def test_all_worlds_of_a_group_are_named() -> None:
    entries = [entry(world="replica"), entry(world="live"), entry("unscored", world="")]
    assert summarize(results_of(entries))[0].startswith("mini (live, replica world), agent noop: ")


def test_equally_long_episodes_keep_their_order() -> None:
    entries = [entry(task=name, seconds=1.0) for name in "abcd"]
    assert summarize(results_of(entries))[1] == "  slowest: a 1.0 s, b 1.0 s, c 1.0 s"


@UNHURRIED
@given(
    st.permutations(
        [
            entry(agent=agent, task=outcome, outcome=outcome)
            for agent in "ab"
            for outcome in ("passed", "failed")
        ]
    )
)
def test_lines_do_not_depend_on_the_order_of_entries(entries: list[LedgerEntry]) -> None:
    assert summarize(results_of(entries)) == [
        "mini (replica world), agent a: 1 of 2 passed = 50.0% (95 % interval 9.5% to 90.5%)",
        "mini (replica world), agent b: 1 of 2 passed = 50.0% (95 % interval 9.5% to 90.5%)",
    ]


# -- nothing drops out -------------------------------------------------------------------------


def test_planned_item_without_an_attempt_is_unscored() -> None:
    assert missing_entry(item()) == entry(
        "unscored",
        world="",
        attempt=0,
        reason="not_run",
        detail="not run: never reached",
    )


def recorded(tmp_path: Path, planned: list[PlannedItem], *entries: LedgerEntry) -> RunResults:
    run = RunDir(tmp_path / "t")
    run.plan(planned, {})
    run.record_all(entries, "main")
    return read_results(run)


def test_every_planned_item_has_one_result_in_order(tmp_path: Path) -> None:
    planned = [item("c"), item("a"), item("b"), item("a", repeat=2)]
    found = recorded(tmp_path, planned, entry(task="a"), entry("failed", task="c"))
    assert [(one.plan.task, one.plan.repeat, one.entry.outcome) for one in found.results] == [
        ("a", 1, "passed"),
        ("a", 2, "unscored"),
        ("b", 1, "unscored"),
        ("c", 1, "failed"),
    ]
    assert [one.plan.task for one in found.of([item("c"), item("a")])] == ["c", "a"]


def test_result_that_was_not_planned_is_left_out(tmp_path: Path) -> None:
    assert recorded(tmp_path, [], entry(task="stray")).results == ()
