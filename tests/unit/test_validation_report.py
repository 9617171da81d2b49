"""What a validation says of each task: the exact words, and that no task drops out."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.report.validation import validation_lines
from pytest_webbench.run import LedgerEntry


def entry(task: str, agent: str, outcome: str = "passed", **values: Any) -> LedgerEntry:
    given_values = {"suite": "mini", "task": task, "agent": agent, "world": "replica", "outcome": outcome}
    return LedgerEntry.model_validate({**given_values, **values})


def proofs(task: str, *, counterexamples: int = 0, **values: Any) -> list[LedgerEntry]:
    """All proofs of a task, and all of them hold."""
    labels = ["solution-1", "solution-2", "start-page", *(f"counterexample-{n + 1}" for n in range(counterexamples))]
    return [entry(task, label, **values) for label in labels]


def test_nothing_validated_is_said() -> None:
    assert validation_lines([]) == ["0 of 0 tasks are sound"]


def test_sound_task_is_counted_proof_by_proof() -> None:
    assert validation_lines(proofs("open-next", counterexamples=3)) == [
        "sound   open-next  solution 2/2, start-page 1/1, counterexample 3/3",
        "1 of 1 tasks are sound",
    ]


def test_task_without_counterexamples_is_said_to_have_none() -> None:
    assert validation_lines(proofs("open-next")) == [
        "sound   open-next  solution 2/2, start-page 1/1, no counterexamples",
        "1 of 1 tasks are sound",
    ]


def test_unsound_task_is_told_with_the_first_line_of_each_problem() -> None:
    detail = "open-next is not sound: reference solution: the reference solution does not pass\nopen-next failed"
    entries = [
        entry("open-next", "solution-1"),
        entry("open-next", "solution-2", "failed", detail=detail),
        entry("open-next", "start-page", "failed", detail="open-next is not sound: start page: it passes"),
    ]
    assert validation_lines(entries) == [
        "UNSOUND open-next  solution 1/2, start-page 0/1, no counterexamples\n"
        "          open-next is not sound: reference solution: the reference solution does not pass\n"
        "          open-next is not sound: start page: it passes",
        "0 of 1 tasks are sound",
    ]


def test_task_with_an_unscored_proof_is_unknown() -> None:
    entries = [*proofs("a"), entry("a", "counterexample-1", "unscored", reason="infra", detail="the browser was lost")]
    assert validation_lines(entries) == [
        "unknown a  solution 2/2, start-page 1/1, counterexample 0/1\n          the browser was lost",
        "0 of 1 tasks are sound",
    ]


def test_failed_proof_weighs_more_than_an_unscored_one() -> None:
    entries = [entry("a", "solution-1", "unscored"), entry("a", "start-page", "failed")]
    assert validation_lines(entries)[0].startswith("UNSOUND a ")


def test_tasks_are_lined_up_in_order() -> None:
    lines = validation_lines([*proofs("zz"), *proofs("a-long-name")])
    assert [line.partition("solution")[0] for line in lines[:2]] == ["sound   a-long-name  ", "sound   zz           "]


@pytest.mark.parametrize("more", [[], proofs("second", suite="first")], ids=["side by side", "apart"])
def test_tasks_of_two_suites_with_the_same_id_have_a_line_each(more: list[LedgerEntry]) -> None:
    unsound = entry("open", "solution-1", "failed", suite="first")
    lines = validation_lines([unsound, *more, *proofs("open", suite="second")])
    assert [line.split()[:2] for line in lines if " open " in line] == [["UNSOUND", "open"], ["sound", "open"]]
