"""Why a task failed: the exact words for each state of a check."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Ending, Evidence, PageState
from pytest_webbench.judge import CheckResult, CheckState, Outcome, Verdict, judge
from pytest_webbench.judge.proofs import proof_called
from pytest_webbench.report.failure import Finding, explain, finding
from pytest_webbench.task import Task

HOLDS = CheckResult(name="the page is open", metric="url_matches", state=CheckState.HOLDS, score=1.0)
FAILS = CheckResult(
    name="sorted by price", metric="exact_match", state=CheckState.FAILS, score=0.0, expected="price", found="name"
)
GATED = CheckResult(
    name="first lamp", metric="exact_match", state=CheckState.GATED, score=0.0,
    why="requires 'sorted by price', which did not hold",
)  # fmt: skip
BROKEN = CheckResult(
    name="ten lamps", metric="count_in_range", state=CheckState.BROKEN, expected="10", found="(nothing)",
    why="selector 'li[' is not valid",
)  # fmt: skip


def verdict(*checks: CheckResult, outcome: Outcome = Outcome.FAILED, **values: Any) -> Verdict:
    return Verdict(
        **{
            "task": "find-lamp", "task_digest": "t", "evidence_digest": "e", "outcome": outcome, "ending": Ending.DONE,
            "checks": checks, **values,
        }
    )  # fmt: skip


def text(
    told: Verdict, *, goal: str = "Find a lamp.", url: str = "https://a.example/", answer: str | None = None
) -> str:
    return explain(goal, told, final_url=url, answer=answer, folder="runs/t/episodes/noop/find-lamp")


def test_failed_task_is_explained_check_by_check() -> None:
    assert text(verdict(HOLDS, FAILS, GATED, BROKEN)) == (
        "find-lamp failed\n"
        "  goal     Find a lamp.\n"
        "  ending   done, no answer\n"
        "  page     https://a.example/\n"
        "  ok       the page is open\n"
        "  FAIL     sorted by price\n"
        "             expected  exact_match price\n"
        "             found     name\n"
        "  FAIL     first lamp\n"
        "             requires 'sorted by price', which did not hold\n"
        "  ????     ten lamps\n"
        "             selector 'li[' is not valid\n"
        "  episode  runs/t/episodes/noop/find-lamp"
    )


def test_unscored_task_is_explained_with_reason_and_detail() -> None:
    told = verdict(outcome=Outcome.UNSCORED, reason="blocked", detail="a bot wall", ending=Ending.STEP_BUDGET)
    assert text(told, url="", answer="42") == (
        "find-lamp unscored (blocked): a bot wall\n"
        "  goal     Find a lamp.\n"
        "  ending   step_budget, answer: '42'\n"
        "  page     (none)\n"
        "  episode  runs/t/episodes/noop/find-lamp"
    )


def test_detail_of_a_failure_stands_in_its_first_line() -> None:
    told = verdict(ending=Ending.AGENT_CRASHED, detail="the agent raised an exception")
    assert text(told).splitlines()[0] == "find-lamp failed: the agent raised an exception"


def test_goal_of_several_lines_is_shown_in_one() -> None:
    assert "\n  goal     Find a lamp. Then buy it.\n" in text(verdict(), goal="Find a lamp.\n   Then\tbuy it.\n")


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "no answer"),
        ("", "answer: ''"),
        ("two\nlines", r"answer: 'two\nlines'"),
        ("bell\x07", r"answer: 'bell\x07'"),
    ],
)
def test_answer_is_shown_so_that_nothing_of_it_is_hidden(answer: str | None, shown: str) -> None:
    assert f"\n  ending   done, {shown}\n" in text(verdict(), answer=answer)


def test_value_of_several_lines_stays_under_its_check() -> None:
    told = text(verdict(FAILS.model_copy(update={"found": "first\n  ok       the page is open"})))
    assert [line for line in told.splitlines() if line.startswith("  ok")] == []


# -- what a verdict means for an item ----------------------------------------------------------------------------------

TASK = Task.model_validate(
    {
        "id": "find-lamp",
        "goal": "Find a lamp.",
        "start_url": "https://a.example/",
        "checks": [{"name": "open", "get": "page_title", "metric": "exact_match", "expected": "Lamp"}],
        "counterexamples": [{"name": "a chair instead"}],
    }
)


def meaning(title: str, proof: str = "", ending: Ending = Ending.DONE) -> Finding:
    """What an episode means that ended on a page of this title, as an agent's or as a proof."""
    page = PageState(url="https://a.example/x", title=title, text="Welcome")
    seen = Evidence(task="find-lamp", ending=ending, page=page)
    return finding(TASK, proof_called(TASK, proof), seen, judge(TASK, seen), "runs/t/x")


def test_passed_verdict_needs_no_words() -> None:
    assert meaning("Lamp") == Finding(Outcome.PASSED)


def test_failed_verdict_is_explained() -> None:
    assert meaning("Chair") == Finding(
        Outcome.FAILED,
        text="find-lamp failed\n  goal     Find a lamp.\n  ending   done, no answer\n  page     https://a.example/x\n"
        "  FAIL     open\n             expected  exact_match Lamp\n             found     Chair\n  episode  runs/t/x",
    )


@pytest.mark.parametrize("proof", ["", "solution-1", "counterexample-1"])
def test_unscored_verdict_is_unscored_for_agents_and_proofs_alike(proof: str) -> None:
    told = meaning("Lamp", proof, Ending.BROWSER_LOST)
    assert (told.outcome, told.reason, told.text.splitlines()[0]) == (
        Outcome.UNSCORED, "infra", "find-lamp unscored (infra): the browser was lost"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("title", "proof"), [("Lamp", "solution-1"), ("Chair", "counterexample-1"), ("A", "start-page")]
)
def test_proof_that_comes_out_as_foretold_passes(title: str, proof: str) -> None:
    assert meaning(title, proof) == Finding(Outcome.PASSED)


@pytest.mark.parametrize(
    ("title", "proof", "said"),
    [
        ("Chair", "solution-1", "reference solution: the reference solution does not pass"),
        ("Lamp", "counterexample-1", "a chair instead: this counterexample passes"),
        ("Lamp", "start-page", "start page: the start page passes without an answer"),
    ],
)
def test_proof_that_comes_out_otherwise_fails_the_task(title: str, proof: str, said: str) -> None:
    told = meaning(title, proof)
    assert (told.outcome, told.text.splitlines()[0]) == (Outcome.FAILED, f"find-lamp is not sound: {said}")
