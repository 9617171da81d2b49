"""Validation: which trials are played, and what each may say against a task."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Ending, Evidence, PageState
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.judge.validation import Proof, proof_called, proofs_of
from pytest_webbench.task import Task
from pytest_webbench.task.script import Done

ON_LAMPS = {
    "name": "lamps are open",
    "get": "page_title",
    "metric": "exact_match",
    "expected": "Lamps",
}
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


def evidence(
    title: str = "Lamps", ending: Ending = Ending.DONE, answer: str | None = None
) -> Evidence:
    page = PageState(url="https://shop.example/", title=title, text="Welcome")
    return Evidence(task="find-lamps", page=page, ending=ending, answer=answer)


def proof(kind: str) -> Proof:
    return next(proof for proof in proofs_of(task(), seeds=[0]) if proof.kind == kind)


def problem(kind: str, seen: Evidence, of: Task | None = None) -> str | None:
    tried = of or task()
    return proof(kind).problem(tried, seen, judge(tried, seen))


# -- which -------------------------------------------------------------------------------------


def test_validation_plays_solution_start_page_and_counterexamples() -> None:
    assert [(one.label, one.title) for one in proofs_of(task(), seeds=[0, 1, 2])] == [
        ("solution-1", "reference solution"),
        ("solution-2", "reference solution in edition 1"),
        ("solution-3", "reference solution in edition 2"),
        ("start-page", "start page"),
        ("counterexample-1", "one too far"),
        ("counterexample-2", "back again"),
    ]


def test_each_trial_plays_its_steps() -> None:
    played = {
        one.label: [getattr(step, "do", "") for step in one.steps]
        for one in proofs_of(task(), seeds=[0])
    }
    assert played == {
        "solution-1": ["click"],
        "start-page": [],
        "counterexample-1": ["click", "click"],
        "counterexample-2": ["back"],
    }


def test_trial_labels_are_unique() -> None:
    labels = [one.label for one in proofs_of(task(), seeds=range(10))]
    assert len(set(labels)) == len(labels)


def test_start_page_is_tried_without_a_solution() -> None:
    kinds = [one.kind for one in proofs_of(task(solution=[], counterexamples=[]), seeds=[0])]
    assert kinds == ["solution", "start-page"]


@pytest.mark.parametrize("label", ["solution-1", "solution-12", "start-page", "counterexample-2"])
def test_trial_is_found_by_its_label(label: str) -> None:
    found = proof_called(task(), label)
    assert found is not None
    assert found.label == label


@pytest.mark.parametrize(
    "label", ["", "noop", "solution-", "solution-0", "solution-x", "counterexample-3"]
)
def test_unknown_label_finds_no_trial(label: str) -> None:
    assert proof_called(task(), label) is None


# -- solution ----------------------------------------------------------------------------------


def test_passing_solution_is_sound() -> None:
    assert problem("solution", evidence()) is None


def test_failing_solution_is_unsound() -> None:
    assert problem("solution", evidence("Chairs")) == "the reference solution does not pass"


@pytest.mark.parametrize("kind", ["solution", "counterexample"])
def test_unplayable_script_is_unsound(kind: str) -> None:
    told = problem(kind, evidence("Chairs", Ending.GAVE_UP))
    assert told == f"the script of the {kind} could not be played to its end (see agent.log)"


def test_incomplete_solution_is_unsound_even_if_it_passes() -> None:
    assert problem("solution", evidence(ending=Ending.GAVE_UP)) is not None


# -- counterexamples ---------------------------------------------------------------------------


def test_failing_counterexample_is_sound() -> None:
    assert problem("counterexample", evidence("Chairs")) is None


def test_passing_counterexample_is_unsound() -> None:
    assert problem("counterexample", evidence()) == "this counterexample passes"


@pytest.mark.parametrize("ending", [Ending.STEP_BUDGET, Ending.TIME_BUDGET, Ending.AGENT_CRASHED])
def test_incomplete_counterexample_is_unsound(ending: Ending) -> None:
    assert problem("counterexample", evidence("Chairs", ending)) is not None


# -- start page --------------------------------------------------------------------------------


def answered(expected: str, metric: str = "answer_match") -> Task:
    """A task that passes with an answer alone."""
    return task(
        {"name": "the answer", "get": "agent_answer", "metric": metric, "expected": expected},
        answer="text",
    )


def test_failing_start_page_is_sound() -> None:
    assert problem("start-page", evidence("Shop")) is None


def test_passing_start_page_is_unsound() -> None:
    assert problem("start-page", evidence("Lamps")) == "the start page passes without an answer"


def test_task_that_ignores_its_answer_is_unsound() -> None:
    assert problem("start-page", evidence("Lamps", Ending.NO_ANSWER), task(answer="text")) == (
        "the start page passes without an answer"
    )


def test_task_that_accepts_its_goal_as_answer_is_unsound() -> None:
    assert problem(
        "start-page", evidence("Shop"), answered("Find the page about lamps.", "exact_match")
    ) == ("the start page passes with the goal as answer")


def test_task_that_is_passed_from_memory_is_unsound() -> None:
    remembered = answered("seventeen").model_copy(
        update={"solution": [Done(do="done", answer="seventeen")]}
    )
    told = problem("start-page", evidence("Shop"), remembered)
    assert told == "the start page passes with the solution's own answer, from memory"


REMEMBERED = "the remembered answer '1867'"


@pytest.mark.parametrize(
    ("expected", "remembered", "told"),
    [
        ("1867", ["1867"], REMEMBERED),
        ("1867", ["1999", "In 1867."], "the remembered answer 'In 1867.'"),
        ("1871", ["1867"], None),
        ("1867", [], None),
    ],
)
def test_remembered_answer_must_not_pass_anywhere(
    expected: str, remembered: list[str], told: str | None
) -> None:
    asked = answered(expected).model_copy(update={"remembered": remembered})
    at_start = problem("start-page", evidence("Shop"), asked)
    assert at_start == (told and f"the start page passes with {told}")
    at_end = problem("solution", evidence("Lamps", answer=expected), asked)
    assert at_end == (told and f"{told} passes on the page that the solution ends on")


def test_remembered_answers_are_no_part_of_the_digest_and_need_an_answer() -> None:
    asked = answered("1867")
    assert asked.digest() == asked.model_copy(update={"remembered": ["1867"]}).digest()
    with pytest.raises(ValueError, match="is only for tasks that want an answer"):
        task(remembered=["1867"])


@pytest.mark.parametrize("word", ["yes", "1", "none"])
def test_task_that_one_word_passes_is_unsound(word: str) -> None:
    assert problem("start-page", evidence("Shop"), answered(word)) == (
        f"the start page passes with the answer {word!r}"
    )


def test_task_that_asks_for_a_real_answer_is_sound() -> None:
    assert problem("start-page", evidence("Shop"), answered("seventeen")) is None


@pytest.mark.parametrize("ending", [Ending.NO_ANSWER, Ending.STEP_BUDGET])
def test_start_page_is_judged_as_a_finished_episode(ending: Ending) -> None:
    told = problem(
        "start-page",
        evidence("Shop", ending),
        answered("Find the page about lamps.", "exact_match"),
    )
    assert told == "the start page passes with the goal as answer"


# -- unscored ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["solution", "start-page", "counterexample"])
def test_unscored_episode_leaves_soundness_unknown(kind: str) -> None:
    lost = evidence(ending=Ending.BROWSER_LOST)
    assert judge(task(), lost).outcome is Outcome.UNSCORED
    assert problem(kind, lost) is None
