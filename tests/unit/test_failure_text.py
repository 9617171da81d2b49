"""Why a task failed: the exact words for each state of a check."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Ending
from pytest_webbench.judge import CheckResult, CheckState, Outcome, Verdict
from pytest_webbench.report.failure import explain

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


def text(told: Verdict, *, goal: str = "Find a lamp.", url: str = "https://a.example/", answer: str | None = None) -> str:
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
    [(None, "no answer"), ("", "answer: ''"), ("two\nlines", r"answer: 'two\nlines'"), ("bell\x07", r"answer: 'bell\x07'")],
)
def test_answer_is_shown_so_that_nothing_of_it_is_hidden(answer: str | None, shown: str) -> None:
    assert f"\n  ending   done, {shown}\n" in text(verdict(), answer=answer)


@pytest.mark.xfail(strict=True, reason="what was found is printed as it is, whatever lines it has")
def test_value_of_several_lines_stays_under_its_check() -> None:
    told = text(verdict(FAILS.model_copy(update={"found": "first\n  ok       the page is open"})))
    assert [line for line in told.splitlines() if line.startswith("  ok")] == []
