"""What a validation says of each task: the exact words, and that no task drops out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_webbench.evidence.models import Ending
from pytest_webbench.judge import CheckResult, CheckState, Outcome, Verdict
from pytest_webbench.report.validation import validation_lines
from pytest_webbench.run import LedgerEntry
from tests.support.results import results_of


def entry(task: str, agent: str, outcome: str = "passed", **values: Any) -> LedgerEntry:
    given_values = {
        "suite": "mini",
        "task": task,
        "agent": agent,
        "world": "replica",
        "outcome": outcome,
    }
    return LedgerEntry.model_validate({**given_values, **values})


def proofs(task: str, *, counterexamples: int = 0, **values: Any) -> list[LedgerEntry]:
    """All proofs of a task, and all of them hold."""
    labels = [
        "solution-1",
        "solution-2",
        "start-page",
        *(f"counterexample-{n + 1}" for n in range(counterexamples)),
    ]
    return [entry(task, label, **values) for label in labels]


def lines_of(entries: Sequence[LedgerEntry]) -> list[str]:
    return validation_lines(results_of(entries), lambda _entry: None, {})


def test_empty_validation_says_so() -> None:
    assert lines_of([]) == ["0 of 0 tasks are sound"]


def test_sound_task_shows_its_trials() -> None:
    assert lines_of(proofs("open-next", counterexamples=3)) == [
        "sound   open-next  solution 2/2, start-page 1/1, counterexample 3/3",
        "1 of 1 tasks are sound",
    ]


def verdict(*states: str) -> Verdict:
    checks = tuple(
        CheckResult(name=f"c{number}", metric="exact_match", state=CheckState(state))
        for number, state in enumerate(states)
    )
    return Verdict(
        task="open-next",
        task_digest="",
        evidence_digest="",
        outcome=Outcome.FAILED,
        ending=Ending.DONE,
        checks=checks,
    )


@pytest.mark.parametrize(
    ("verdicts", "nearest"),
    [
        ([["holds", "fails"], ["holds", "holds"]], "2 of 2 checks hold"),
        ([["fails", "gated"], ["fails", "holds"]], "1 of 2 checks hold"),
        ([["fails"], None], "0 of 1 checks hold"),
        ([None, None], ""),
    ],
)
def test_nearest_counterexample_is_told(verdicts: list[list[str] | None], nearest: str) -> None:
    stored = {
        f"counterexample-{number}": None if states is None else verdict(*states)
        for number, states in enumerate(verdicts, start=1)
    }
    entries = proofs("open-next", counterexamples=2)
    lines = validation_lines(results_of(entries), lambda entry: stored.get(entry.agent), {})
    wanted = f"; nearest: {nearest}" if nearest else ""
    assert lines[0].partition("counterexample 2/2")[2] == wanted


def test_task_without_counterexamples_says_so() -> None:
    assert lines_of(proofs("open-next")) == [
        "sound   open-next  solution 2/2, start-page 1/1, no counterexamples",
        "1 of 1 tasks are sound",
    ]


def test_unsound_task_lists_the_first_line_of_each_problem() -> None:
    detail = (
        "open-next is not sound: reference solution: the reference solution does not pass\n"
        "open-next failed"
    )
    entries = [
        entry("open-next", "solution-1"),
        entry("open-next", "solution-2", "failed", detail=detail),
        entry(
            "open-next",
            "start-page",
            "failed",
            detail="open-next is not sound: start page: it passes",
        ),
    ]
    assert lines_of(entries) == [
        "UNSOUND open-next  solution 1/2, start-page 0/1, no counterexamples\n"
        "          open-next is not sound: reference solution: the reference solution does "
        "not pass\n"
        "          open-next is not sound: start page: it passes",
        "0 of 1 tasks are sound",
    ]


def test_task_with_an_unscored_trial_is_unknown() -> None:
    entries = [
        *proofs("a"),
        entry("a", "counterexample-1", "unscored", reason="infra", detail="the browser was lost"),
    ]
    assert lines_of(entries) == [
        "unknown a  solution 2/2, start-page 1/1, counterexample 0/1\n          the browser "
        "was lost",
        "0 of 1 tasks are sound",
    ]


def test_failed_trial_outweighs_an_unscored_one() -> None:
    entries = [entry("a", "solution-1", "unscored"), entry("a", "start-page", "failed")]
    assert lines_of(entries)[0].startswith("UNSOUND a ")


def test_tasks_are_aligned_and_ordered() -> None:
    lines = lines_of([*proofs("zz"), *proofs("a-long-name")])
    assert [line.partition("solution")[0] for line in lines[:2]] == [
        "sound   a-long-name  ",
        "sound   zz           ",
    ]


@pytest.mark.parametrize(
    "more", [[], proofs("second", suite="first")], ids=["side by side", "apart"]
)
def test_tasks_of_two_suites_with_the_same_id_have_a_line_each(more: list[LedgerEntry]) -> None:
    unsound = entry("open", "solution-1", "failed", suite="first")
    lines = lines_of([unsound, *more, *proofs("open", suite="second")])
    assert [line.split()[:2] for line in lines if " open " in line] == [
        ["UNSOUND", "open"],
        ["sound", "open"],
    ]
