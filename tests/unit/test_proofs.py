"""What proves a task sound: which episodes are played, and what each of them may say against the task."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Ending, Evidence, PageState
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.judge.proofs import Proof, proof_called, proofs_of
from pytest_webbench.task import Task

ON_LAMPS = {"name": "lamps are open", "get": "page_title", "metric": "exact_match", "expected": "Lamps"}
CLICK = {"do": "click", "role": "link", "name": "Lamps"}
BACK = {"do": "back"}


def task(*checks: dict[str, Any], **values: Any) -> Task:
    return Task.model_validate(
        {
            "id": "find-lamps",
            "goal": "Find the page about lamps.",
            "start_url": "https://shop.example/",
            "checks": list(checks) or [ON_LAMPS],
            "solution": [CLICK],
            "counterexamples": [
                {"name": "one too far", "steps": [CLICK, CLICK]},
                {"name": "back again", "steps": [BACK]},
            ],
            **values,
        }
    )


def evidence(title: str = "Lamps", ending: Ending = Ending.DONE, answer: str | None = None) -> Evidence:
    page = PageState(url="https://shop.example/", title=title, text="Welcome")
    return Evidence(task="find-lamps", page=page, ending=ending, answer=answer)


def proof(kind: str) -> Proof:
    return next(proof for proof in proofs_of(task(), repeats=1) if proof.kind == kind)


def problem(kind: str, seen: Evidence, of: Task | None = None) -> str | None:
    tried = of or task()
    return proof(kind).problem(tried, seen, judge(tried, seen))


# -- which -------------------------------------------------------------------------------------------------------------


def test_solution_is_played_several_times_then_the_start_page_then_each_counterexample() -> None:
    assert [(one.label, one.title) for one in proofs_of(task(), repeats=3)] == [
        ("solution-1", "reference solution"),
        ("solution-2", "reference solution"),
        ("solution-3", "reference solution"),
        ("start-page", "start page"),
        ("counterexample-1", "one too far"),
        ("counterexample-2", "back again"),
    ]


def test_each_proof_plays_its_own_steps() -> None:
    played = {one.label: [step.do for step in one.steps] for one in proofs_of(task(), repeats=1)}
    assert played == {
        "solution-1": ["click"], "start-page": [], "counterexample-1": ["click", "click"], "counterexample-2": ["back"]
    }  # fmt: skip


def test_labels_are_told_apart() -> None:
    labels = [one.label for one in proofs_of(task(), repeats=10)]
    assert len(set(labels)) == len(labels)


def test_task_without_solution_and_counterexamples_still_has_its_start_page() -> None:
    kinds = [one.kind for one in proofs_of(task(solution=[], counterexamples=[]), repeats=1)]
    assert kinds == ["solution", "start-page"]


@pytest.mark.parametrize("label", ["solution-1", "solution-12", "start-page", "counterexample-2"])
def test_proof_is_found_by_its_label(label: str) -> None:
    found = proof_called(task(), label)
    assert found is not None
    assert found.label == label


@pytest.mark.parametrize("label", ["", "noop", "solution-", "solution-0", "solution-x", "counterexample-3"])
def test_label_of_no_proof_finds_none(label: str) -> None:
    assert proof_called(task(), label) is None


# -- solution ----------------------------------------------------------------------------------------------------------


def test_solution_that_passes_says_nothing_against_the_task() -> None:
    assert problem("solution", evidence()) is None


def test_solution_that_does_not_pass_speaks_against_the_task() -> None:
    assert problem("solution", evidence("Chairs")) == "the reference solution does not pass"


@pytest.mark.parametrize("kind", ["solution", "counterexample"])
def test_script_that_cannot_be_played_speaks_against_the_task(kind: str) -> None:
    told = problem(kind, evidence("Chairs", Ending.GAVE_UP))
    assert told == f"the script of the {kind} could not be played to its end (see agent.log)"


def test_solution_that_was_not_played_to_its_end_is_no_proof_even_if_it_passes() -> None:
    assert problem("solution", evidence(ending=Ending.GAVE_UP)) is not None


# -- counterexamples ---------------------------------------------------------------------------------------------------


def test_counterexample_that_fails_says_nothing_against_the_task() -> None:
    assert problem("counterexample", evidence("Chairs")) is None


def test_counterexample_that_passes_speaks_against_the_task() -> None:
    assert problem("counterexample", evidence()) == "this counterexample passes"


@pytest.mark.parametrize("ending", [Ending.STEP_BUDGET, Ending.TIME_BUDGET, Ending.AGENT_CRASHED])
def test_counterexample_that_was_cut_short_proves_nothing(ending: Ending) -> None:
    assert problem("counterexample", evidence("Chairs", ending)) is not None


# -- start page --------------------------------------------------------------------------------------------------------


def answered(expected: str, metric: str = "answer_match") -> Task:
    """A task that passes with an answer alone."""
    return task({"name": "the answer", "get": "agent_answer", "metric": metric, "expected": expected}, answer="text")


def test_start_page_that_fails_says_nothing_against_the_task() -> None:
    assert problem("start-page", evidence("Shop")) is None


def test_task_that_is_done_from_the_start_is_not_sound() -> None:
    assert problem("start-page", evidence("Lamps")) == "the start page passes without an answer"


def test_task_that_asks_for_an_answer_and_checks_none_is_not_sound() -> None:
    assert problem("start-page", evidence("Lamps", Ending.NO_ANSWER), task(answer="text")) == (
        "the start page passes without an answer"
    )


def test_task_that_its_own_goal_passes_is_not_sound() -> None:
    assert problem("start-page", evidence("Shop"), answered("Find the page about lamps.", "exact_match")) == (
        "the start page passes with the goal as answer"
    )


def test_task_that_asks_for_a_real_answer_is_sound() -> None:
    assert problem("start-page", evidence("Shop"), answered("seventeen")) is None


@pytest.mark.parametrize("ending", [Ending.NO_ANSWER, Ending.STEP_BUDGET])
def test_start_page_is_tried_as_if_the_agent_had_been_done(ending: Ending) -> None:
    told = problem("start-page", evidence("Shop", ending), answered("Find the page about lamps.", "exact_match"))
    assert told == "the start page passes with the goal as answer"


# -- unscored ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["solution", "start-page", "counterexample"])
def test_lost_episode_says_nothing_about_the_task(kind: str) -> None:
    lost = evidence(ending=Ending.BROWSER_LOST)
    assert judge(task(), lost).outcome is Outcome.UNSCORED
    assert problem(kind, lost) is None
