"""Why a task failed: the exact words for each state of a check."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Ending, Evidence, PageState
from pytest_webbench.judge import CheckResult, CheckState, Outcome, Verdict, judge
from pytest_webbench.judge.explanation import Finding, explain, finding
from pytest_webbench.judge.validation import proof_called
from pytest_webbench.task import Task

HOLDS = CheckResult(
    name="the page is open", metric="url_matches", state=CheckState.HOLDS, score=1.0
)
FAILS = CheckResult(
    name="sorted by price",
    metric="exact_match",
    state=CheckState.FAILS,
    score=0.0,
    expected="price",
    found="name",
)
GATED = CheckResult(
    name="first lamp",
    metric="exact_match",
    state=CheckState.GATED,
    score=0.0,
    why="requires 'sorted by price', which did not hold",
)
BROKEN = CheckResult(
    name="ten lamps",
    metric="count_in_range",
    state=CheckState.BROKEN,
    expected="10",
    found="(nothing)",
    why="selector 'li[' is not valid",
)


def verdict(*checks: CheckResult, outcome: Outcome = Outcome.FAILED, **values: Any) -> Verdict:
    return Verdict(
        **{
            "task": "find-lamp",
            "task_digest": "t",
            "evidence_digest": "e",
            "outcome": outcome,
            "ending": Ending.DONE,
            "checks": checks,
            **values,
        }
    )


def text(
    told: Verdict,
    *,
    goal: str = "Find a lamp.",
    url: str = "https://a.example/",
    answer: str | None = None,
    why: str = "",
) -> str:
    page = PageState(url=url) if url else None
    seen = Evidence(page=page, answer=answer, ending_detail=why)
    return explain(goal, told, seen, folder="runs/t/episodes/noop/find-lamp")


def test_failed_task_is_explained_check_by_check() -> None:
    assert text(verdict(HOLDS, FAILS, GATED, BROKEN)) == (
        "find-lamp failed\n"
        "  ending   done, no answer\n"
        "  goal     Find a lamp.\n"
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
    told = verdict(
        outcome=Outcome.UNSCORED, reason="blocked", detail="a bot wall", ending=Ending.STEP_BUDGET
    )
    assert text(told, url="", answer="42") == (
        "find-lamp unscored (blocked): a bot wall\n"
        "  ending   step_budget, answer: '42'\n"
        "  goal     Find a lamp.\n"
        "  page     (none)\n"
        "  episode  runs/t/episodes/noop/find-lamp"
    )


def test_failure_detail_is_in_the_first_line() -> None:
    told = verdict(ending=Ending.AGENT_CRASHED, detail="the agent crashed: KeyError: 'x'")
    assert text(told).splitlines()[0] == "find-lamp failed: the agent crashed: KeyError: 'x'"


def test_why_the_episode_ended_is_in_the_second_line() -> None:
    told = text(verdict(ending=Ending.GAVE_UP), why="no plugin\nof that name")
    assert told.splitlines()[1] == "  ending   gave_up, no answer: no plugin ⏎ of that name"


@pytest.mark.parametrize(
    ("ending", "why", "brief"),
    [
        (Ending.AGENT_CRASHED, "KeyError: 'x'", "the agent crashed: KeyError: 'x'"),
        (Ending.GAVE_UP, "no such plugin", "gave_up: no such plugin"),
        (Ending.DONE, "", "open: expected exact_match Lamp, found Chair"),
    ],
)
def test_brief_says_what_decided(ending: Ending, why: str, brief: str) -> None:
    page = PageState(url="https://a.example/x", title="Chair", text="Welcome")
    seen = Evidence(task="find-lamp", ending=ending, ending_detail=why, page=page)
    assert finding(TASK, None, seen, judge(TASK, seen), "runs/t/x").brief == brief


def test_multiline_goal_is_shown_in_one_line() -> None:
    assert "\n  goal     Find a lamp. Then buy it.\n" in text(
        verdict(), goal="Find a lamp.\n   Then\tbuy it.\n"
    )


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "no answer"),
        ("", "answer: ''"),
        ("two\nlines", r"answer: 'two\nlines'"),
        ("bell\x07", r"answer: 'bell\x07'"),
    ],
)
def test_answer_is_shown_with_escapes(answer: str | None, shown: str) -> None:
    assert f"\n  ending   done, {shown}\n" in text(verdict(), answer=answer)


def test_multiline_value_stays_under_its_check() -> None:
    told = text(verdict(FAILS.model_copy(update={"found": "first\n  ok       the page is open"})))
    assert [line for line in told.splitlines() if line.startswith("  ok")] == []


# -- what a verdict means for an item ----------------------------------------------------------

TASK = Task.model_validate(
    {
        "id": "find-lamp",
        "goal": "Find a lamp.",
        "start_url": "https://a.example/",
        "checks": [
            {"name": "open", "get": "page_title", "metric": "exact_match", "expected": "Lamp"}
        ],
        "counterexamples": [{"name": "a chair instead"}],
    }
)


def meaning(title: str, proof: str = "", ending: Ending = Ending.DONE) -> Finding:
    """What an episode means that ended on a page of this title, as an agent's or as a proof."""
    page = PageState(url="https://a.example/x", title=title, text="Welcome")
    seen = Evidence(task="find-lamp", ending=ending, page=page)
    return finding(TASK, proof_called(TASK, proof), seen, judge(TASK, seen), "runs/t/x")


def test_passed_verdict_has_no_explanation() -> None:
    assert meaning("Lamp") == Finding(Outcome.PASSED)


def test_failed_verdict_is_explained() -> None:
    assert meaning("Chair") == Finding(
        Outcome.FAILED,
        text="find-lamp failed\n  ending   done, no answer\n  goal     Find a lamp.\n  page     https://a.example/x\n"
        "  FAIL     open\n             expected  exact_match Lamp\n             found     "
        "Chair\n  episode  runs/t/x",
        brief="open: expected exact_match Lamp, found Chair",
    )


@pytest.mark.parametrize("proof", ["", "solution-1", "counterexample-1"])
def test_unscored_verdict_is_unscored_in_validation_too(proof: str) -> None:
    told = meaning("Lamp", proof, Ending.BROWSER_LOST)
    assert (told.outcome, told.reason, told.text.splitlines()[0]) == (
        Outcome.UNSCORED,
        "infra",
        "find-lamp unscored (infra): the browser was lost",
    )


@pytest.mark.parametrize(
    ("title", "proof"), [("Lamp", "solution-1"), ("Chair", "counterexample-1"), ("A", "start-page")]
)
def test_validation_with_the_expected_outcome_passes(title: str, proof: str) -> None:
    assert meaning(title, proof) == Finding(Outcome.PASSED)


@pytest.mark.parametrize(
    ("title", "proof", "said"),
    [
        ("Chair", "solution-1", "reference solution: the reference solution does not pass"),
        ("Lamp", "counterexample-1", "a chair instead: this counterexample passes"),
        ("Lamp", "start-page", "start page: the start page passes without an answer"),
    ],
)
def test_validation_with_another_outcome_fails_the_task(title: str, proof: str, said: str) -> None:
    told = meaning(title, proof)
    assert (told.outcome, told.text.splitlines()[0]) == (
        Outcome.FAILED,
        f"find-lamp is not sound: {said}",
    )
