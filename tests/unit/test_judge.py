"""From task and evidence to a verdict: what passes, what fails, and what nobody can know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    Health,
    ObservedAction,
    PageState,
    Read,
)
from pytest_webbench.judge import CheckState, Outcome, Verdict, judge
from pytest_webbench.task import Task

PAGE = PageState(url="https://shop.example/lamps", title="Lamps", text="All lamps")


def check(
    name: str, state: str = "holds", *, requires: list[str] | None = None, weight: float = 1.0
) -> dict[str, Any]:
    """A check that comes out in a certain state."""
    get: Any = {
        "holds": "page_title",
        "fails": "page_text",
        "broken": {"type": "dom_count", "selector": "li"},
    }[state]
    metric = "count_in_range" if state == "broken" else "exact_match"
    expected: Any = {"min": 1} if state == "broken" else "Lamps"
    return {
        "name": name,
        "get": get,
        "metric": metric,
        "expected": expected,
        "requires": requires or [],
        "weight": weight,
    }


def task(*checks: dict[str, Any], conj: str = "and") -> Task:
    return Task.model_validate(
        {
            "id": "t",
            "goal": "Find the page about lamps.",
            "start_url": "https://www.shop.example/",
            "checks": list(checks),
            "conj": conj,
        }
    )


def evidence(**changes: Any) -> Evidence:
    return Evidence(**{"task": "t", "page": PAGE, **changes})


def states(verdict: Verdict) -> list[CheckState]:
    return [result.state for result in verdict.checks]


# -- a canary that is missing ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "status", "requires", "outcome"),
    [
        ("https://shop.example/lamps", 200, [], "unscored"),
        ("https://m.shop.example/lamps", 200, [], "unscored"),
        ("https://shop.example/lamps", 404, [], "failed"),
        ("https://shop.example.evil.example/lamps", 200, [], "failed"),
        ("https://pay.example/", 200, [], "failed"),
        ("https://pay.example/", 200, ["right page"], "unscored"),
    ],
)
def test_absent_canary_on_a_page_of_the_wrong_type_fails(
    url: str, status: int, requires: list[str], outcome: str
) -> None:
    getter = {"type": "dom_count", "selector": "li", "must_exist": True}
    count = check("count", "broken", requires=requires) | {"get": getter}
    key = 'domCount {"selector": "li"}'
    page = PAGE.model_copy(update={"url": url, "status": status})
    verdict = judge(
        task(check("right page"), count), evidence(page=page, reads={key: Read(value=0)})
    )
    assert verdict.outcome == outcome
    assert "canary 'li'" in verdict.checks[1].why


# -- checks decide -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conj", "checks", "outcome", "reason"),
    [
        ("and", ["holds", "holds"], "passed", ""),
        ("and", ["holds", "fails"], "failed", ""),
        ("and", ["holds", "broken"], "unscored", "verifier_error"),
        ("and", ["broken", "fails"], "failed", ""),
        ("or", ["fails", "holds"], "passed", ""),
        ("or", ["fails", "fails"], "failed", ""),
        ("or", ["broken", "holds"], "passed", ""),
        ("or", ["broken", "fails"], "unscored", "verifier_error"),
        ("weighted", ["holds", "holds"], "passed", ""),
        ("weighted", ["holds", "fails"], "failed", ""),
        ("weighted", ["holds", "broken"], "unscored", "verifier_error"),
        ("weighted", ["fails", "broken"], "failed", ""),
    ],
)
def test_checks_decide_the_outcome(conj: str, checks: list[str], outcome: str, reason: str) -> None:
    verdict = judge(
        task(*(check(f"c{i}", state) for i, state in enumerate(checks)), conj=conj), evidence()
    )
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("conj", "checks", "score"),
    [
        ("and", [("holds", 1), ("holds", 1)], 1.0),
        ("and", [("holds", 1), ("fails", 1)], 0.0),
        ("or", [("holds", 1), ("fails", 1)], 1.0),
        ("weighted", [("holds", 3), ("fails", 1)], 0.75),
        ("weighted", [("holds", 3), ("broken", 1)], None),
    ],
)
def test_score_is_the_weighted_share_of_checks(
    conj: str, checks: list[tuple[str, float]], score: float | None
) -> None:
    parts = [check(f"c{i}", state, weight=weight) for i, (state, weight) in enumerate(checks)]
    assert judge(task(*parts, conj=conj), evidence()).score == score


def test_partial_score_fails() -> None:
    half = {
        **check("half"),
        "get": "page_text",
        "metric": "include_exclude",
        "expected": ["all", "chairs"],
    }
    half["options"] = {"partial": True}
    verdict = judge(task(check("full"), half), evidence())
    assert (verdict.outcome, verdict.score) == (Outcome.FAILED, 0.75)


# -- requires ----------------------------------------------------------------------------------


def test_check_counts_only_if_its_required_check_holds() -> None:
    verdict = judge(
        task(check("ground", "fails"), check("top", requires=["ground"]), conj="or"), evidence()
    )
    assert states(verdict) == [CheckState.FAILS, CheckState.GATED]
    assert verdict.outcome is Outcome.FAILED


def test_missing_canary_on_the_wrong_page_fails() -> None:
    verdict = judge(
        task(check("right page", "fails"), check("canary", "broken", requires=["right page"])),
        evidence(),
    )
    assert states(verdict) == [CheckState.FAILS, CheckState.GATED]
    assert verdict.outcome is Outcome.FAILED
    assert verdict.checks[1].why == "requires 'right page', which did not hold"


def test_missing_canary_on_the_right_page_is_a_broken_check() -> None:
    verdict = judge(
        task(check("right page"), check("canary", "broken", requires=["right page"])), evidence()
    )
    assert (verdict.outcome, verdict.reason) == (Outcome.UNSCORED, "verifier_error")
    assert verdict.detail.startswith("canary: ")


def test_broken_required_check_breaks_its_dependents() -> None:
    verdict = judge(
        task(check("ground", "broken"), check("top", requires=["ground"]), conj="or"), evidence()
    )
    assert states(verdict) == [CheckState.BROKEN, CheckState.BROKEN]
    assert verdict.outcome is Outcome.UNSCORED


def test_failed_required_check_outweighs_a_broken_one() -> None:
    grounds = (check("broken", "broken"), check("failed", "fails"))
    verdict = judge(task(*grounds, check("top", requires=["broken", "failed"])), evidence())
    assert verdict.checks[2].state is CheckState.GATED
    assert verdict.checks[2].why == "requires 'failed', which did not hold"


# -- evidence decides --------------------------------------------------------------------------

HOLDS, FAILS = task(check("a")), task(check("a", "fails"))


def health(state: str, *, by_agent: bool = False) -> Health:
    return Health(state=state, detail="as told", by_agent=by_agent)


@pytest.mark.parametrize(
    ("changes", "outcome", "reason"),
    [
        ({"ending": Ending.BROWSER_LOST}, "unscored", "infra"),
        ({"ending": Ending.BROWSER_LOST, "page": None}, "unscored", "infra"),
        ({"ending": Ending.AGENT_CRASHED}, "failed", ""),
        ({"ending": Ending.AGENT_CRASHED, "health": health("bot_wall")}, "failed", ""),
        ({"page": None}, "failed", ""),
        ({"page": None, "health": health("world_error")}, "unscored", "infra"),
        ({"ending": Ending.AGENT_CRASHED, "health": health("world_error")}, "unscored", "infra"),
        ({"health": health("bot_wall")}, "unscored", "blocked"),
        ({"health": health("bot_wall", by_agent=True)}, "unscored", "blocked"),
        ({"health": health("restless")}, "unscored", "infra"),
        ({"health": health("restless", by_agent=True)}, "unscored", "infra"),
        ({"health": health("http_error")}, "unscored", "blocked"),
        ({"health": health("http_error", by_agent=True)}, "failed", ""),
        ({"health": health("browser_error")}, "unscored", "infra"),
        ({"health": health("browser_error", by_agent=True)}, "failed", ""),
        ({"health": health("empty")}, "unscored", "infra"),
        ({"health": health("empty", by_agent=True)}, "failed", ""),
        ({"health": health("unresponsive")}, "failed", ""),
        ({"ending": Ending.STEP_BUDGET}, "passed", ""),
        ({"ending": Ending.TIME_BUDGET}, "passed", ""),
        ({"ending": Ending.NO_ANSWER}, "passed", ""),
        ({"ending": Ending.GAVE_UP}, "passed", ""),
    ],
)
def test_page_health_decides_before_checks(
    changes: dict[str, Any], outcome: str, reason: str
) -> None:
    verdict = judge(HOLDS, evidence(**changes))
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


@pytest.mark.parametrize(
    "ending",
    [Ending.STEP_BUDGET, Ending.TIME_BUDGET, Ending.NO_ANSWER, Ending.GAVE_UP, Ending.DONE],
)
def test_episode_that_ended_early_is_judged_on_its_evidence(ending: Ending) -> None:
    assert judge(FAILS, evidence(ending=ending)).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://shop.example/lamps", "blocked"),
        ("https://login.shop.example/", "blocked"),
        ("https://search.example/?q=lamps", ""),
        ("https://notshop.example/", ""),
    ],
)
def test_bot_wall_on_a_site_the_agent_opened_fails(url: str, reason: str) -> None:
    wall = evidence(
        page=PageState(url=url, text="Verify you are human"),
        health=health("bot_wall", by_agent=True),
    )
    verdict = judge(FAILS, wall)
    assert verdict.reason == reason
    assert verdict.outcome is (Outcome.UNSCORED if reason else Outcome.FAILED)


@pytest.mark.parametrize(
    ("record", "get"), [("history", "nav_history"), ("pages_seen", "pages_seen")]
)
def test_check_of_a_record_that_is_not_complete_is_broken(record: str, get: str) -> None:
    wanted = {"name": "x", "get": get, "metric": "any_item_matches", "expected": "lamps"}
    incomplete = evidence(incomplete=(record,), gaps=("the browser has forgotten it",))
    verdict = judge(task(wanted), incomplete)
    assert (verdict.outcome, verdict.reason) == (Outcome.UNSCORED, "verifier_error")
    assert "the browser has forgotten it" in verdict.checks[0].why


def test_no_open_page_fails_even_with_a_right_answer() -> None:
    answered = {**check("a"), "get": "agent_answer", "metric": "answer_match", "expected": 3}
    assert (
        judge(task(answered, conj="or"), evidence(page=None, answer="3")).outcome is Outcome.FAILED
    )


# -- what a verdict is -------------------------------------------------------------------------


def test_broken_metric_shows_the_value_found() -> None:
    live = {**check("a"), "metric": "include_exclude", "expected": {"type": "page_text"}}
    verdict = judge(task(live), evidence())
    assert verdict.checks[0].state is CheckState.BROKEN
    assert verdict.checks[0].found == "Lamps"


def test_expectation_may_be_read_from_the_page() -> None:
    live = {
        **check("a"),
        "get": "agent_answer",
        "metric": "answer_match",
        "expected": {"type": "page_title"},
    }
    assert judge(task(live), evidence(answer="It says: lamps.")).outcome is Outcome.PASSED
    assert judge(task(live), evidence(answer="It says: chairs.")).outcome is Outcome.FAILED


def test_missing_expectation_on_the_page_fails() -> None:
    absent = {"type": "visible_text", "selector": "#total"}
    live = {
        **check("a"),
        "get": {"type": "url_path_parse", "index": 9},
        "metric": "exact_match",
        "expected": absent,
    }
    key = task(live).checks[0].expected_getter
    assert key is not None
    probe = key.probe()
    assert probe is not None
    verdict = judge(task(live), evidence(reads={probe.key(): Read(missing=True)}))
    assert states(verdict) == [CheckState.FAILS]


def test_invalid_expectation_from_the_page_is_a_broken_check() -> None:
    live = {**check("a"), "metric": "url_pattern_match", "expected": {"type": "page_text"}}
    verdict = judge(task(live), evidence(page=PageState(url="https://a.example/", text="(a+)+$")))
    assert states(verdict) == [CheckState.BROKEN]
    assert "several ways" in verdict.checks[0].why


def test_verdict_holds_no_clock_and_no_path() -> None:
    def at(seconds: float) -> Evidence:
        return evidence(actions=(ObservedAction(number=1, kind="click", seconds=seconds),))

    early, late = (json.loads(judge(HOLDS, at(seconds)).to_json()) for seconds in (1.0, 99.0))
    assert early.pop("evidence_digest") != late.pop("evidence_digest")
    assert early == late
    assert set(early) == {
        "version",
        "judge_version",
        "task",
        "task_digest",
        "outcome",
        "reason",
        "detail",
        "ending",
        "score",
        "checks",
        "flags",
    }


def test_stored_evidence_gives_the_same_bytes() -> None:
    live = evidence(answer="é\u2028", local_storage={"b": "1", "a": "2"})
    stored = Evidence.model_validate_json(live.to_json())
    assert judge(HOLDS, stored).to_json() == judge(HOLDS, live).to_json()


def test_long_values_are_shortened_in_the_verdict() -> None:
    verdict = judge(FAILS, evidence(page=PageState(url="https://a.example/", text="x" * 10_000)))
    assert len(verdict.checks[0].found) == 300
