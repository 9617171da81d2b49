"""Tasks that cannot be done: only who refuses passes, and not by a refusal alone."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.agents import GaveUp
from pytest_webbench.agents.baselines import Scripted
from pytest_webbench.evidence.models import Ending, Evidence, PageState
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.judge.validation import Proof, proofs_of
from pytest_webbench.task import Task
from pytest_webbench.task.script import Refuse
from pytest_webbench.testing import brief, budget

SHIPPED = "It has been shipped."
OPENED = {"name": "opened", "get": "page_title", "metric": "exact_match", "expected": "Order"}
REASON = {
    "name": "the reason",
    "get": "refusal",
    "metric": "answer_match",
    "expected": {"re": "shipped"},
    "requires": ["opened"],
}


def task(*checks: dict[str, Any]) -> Task:
    return Task.model_validate(
        {
            "id": "cancel-order",
            "goal": "Cancel the order that has been shipped.",
            "start_url": "http://shop.localhost/",
            "feasible": False,
            "checks": list(checks) or [OPENED, REASON],
            "solution": [{"do": "refuse", "reason": SHIPPED}],
        }
    )


def evidence(ending: Ending, detail: str = "", title: str = "Order") -> Evidence:
    page = PageState(url="http://shop.localhost/", title=title, text="Order")
    return Evidence(page=page, ending=ending, ending_detail=detail)


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        (evidence(Ending.GAVE_UP, SHIPPED), Outcome.PASSED),
        (evidence(Ending.GAVE_UP, "I cannot find it."), Outcome.FAILED),
        (evidence(Ending.GAVE_UP, SHIPPED, title="Home"), Outcome.FAILED),
        (evidence(Ending.DONE), Outcome.FAILED),
        (evidence(Ending.STEP_BUDGET, SHIPPED), Outcome.FAILED),
    ],
)
def test_who_refuses_for_the_right_reason_passes(seen: Evidence, outcome: Outcome) -> None:
    assert judge(task(), seen).outcome is outcome


def test_done_is_failed_whatever_the_checks_say() -> None:
    verdict = judge(task(OPENED), evidence(Ending.DONE))
    assert (verdict.outcome, verdict.detail) == (
        Outcome.FAILED,
        "this cannot be done, and the agent did not say so",
    )


def test_script_refuses_with_its_own_words() -> None:
    step = Refuse(do="refuse", reason=SHIPPED)
    with pytest.raises(GaveUp, match=SHIPPED):
        Scripted([step], lambda *_: None).run(brief(), _Window(), budget())  # type: ignore[arg-type]


class _Window:
    """A page of a context without tabs: the step needs none."""

    context: Any = None


def proof(kind: str, of: Task) -> Proof:
    return next(one for one in proofs_of(of, seeds=[0]) if one.kind == kind)


def test_solution_that_refuses_is_no_broken_script() -> None:
    seen = evidence(Ending.GAVE_UP, SHIPPED)
    assert proof("solution", task()).problem(task(), seen, judge(task(), seen)) is None


def test_solution_that_gives_up_for_another_reason_is_one() -> None:
    seen = evidence(Ending.GAVE_UP, "no link called Orders")
    problem = proof("solution", task()).problem(task(), seen, judge(task(), seen))
    assert problem is not None
    assert "could not be played to its end" in problem


def test_task_that_a_refusal_alone_passes_is_unsound() -> None:
    loose = task({**REASON, "requires": []})
    seen = evidence(Ending.DONE, title="Home")
    problem = proof("start-page", loose).problem(loose, seen, judge(loose, seen))
    assert problem == "the start page passes with the solution's own reason to refuse"
