"""`or_seen`: a value that a page showed in the episode will also do."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.errors import GetterError
from pytest_webbench.evidence.models import Evidence, PageSeen, Read
from pytest_webbench.judge import judge
from pytest_webbench.task.parts import Parts
from pytest_webbench.task.probes import probes_of
from pytest_webbench.testing import evidence, task

WIND = r"Wind:? (\d+) mph"
SEEN = (
    PageSeen(number=1, url="https://a.example/", text="Wind: 12 mph", text_left="Wind: 14 mph"),
    PageSeen(number=2, url="https://a.example/w", text="Wind: 9 mph, gusts 30 mph", final=True),
)


def recorded(answer: str, **fields: Any) -> Evidence:
    return evidence(answer=answer, pages_seen=SEEN, **fields)


def outcome(answer: str, *, metric: str = "answer_match", expected: Any = 9, **options: Any) -> str:
    check = {"name": "wind", "get": "agent_answer", "metric": metric, "expected": expected}
    wanted = task(checks=[{**check, "options": {"or_seen": WIND, **options}}])
    return judge(wanted, recorded(answer)).outcome.value


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        ("9 mph", {}),
        ("The wind is 12 mph.", {}),
        ("14", {}),
        ('{"wind": 12}', {"expected": {"wind": 9}}),
        ("It blows with 13 mph.", {"expected": {"approx": 9, "tol": 1}}),
        ("14", {"metric": "numeric_close"}),
        ("12", {"metric": "exact_match", "expected": "9"}),
        ("12", {"metric": "literal_match", "expected": "9"}),
        ("12", {"metric": "count_in_range", "expected": {"min": 1, "max": 2}}),
    ],
)
def test_value_that_was_seen_passes(answer: str, options: dict[str, Any]) -> None:
    assert outcome(answer, **options) == "passed"


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        ("13 mph", {}),
        ("30 mph", {}),
        ("12 or 14 mph", {}),
        ("not 12 mph", {}),
        ('{"wind": 30}', {"expected": {"wind": 9}}),
        ("17", {"expected": {"approx": 9, "tol": 1}}),
        ("12", {"or_seen": "Rain: (x)"}),
    ],
)
def test_other_values_fail(answer: str, options: dict[str, Any]) -> None:
    assert outcome(answer, **options) == "failed"


def test_value_of_the_final_page_that_has_gone_is_replaced() -> None:
    live = {"type": "dom_extract", "selectors": {"wind": ".wind"}}
    check = {"name": "wind", "get": "agent_answer", "metric": "answer_match", "expected": live}
    wanted = task(checks=[{**check, "options": {"or_seen": WIND}}])
    (probe,) = probes_of(wanted)
    for shown in ("20 mph", None):
        reads = {probe.key(): Read(value={"wind": shown})}
        assert judge(wanted, recorded("12", reads=reads)).outcome == "passed"
        assert judge(wanted, recorded("13", reads=reads)).outcome == "failed"


def test_lost_pages_leave_the_check_broken() -> None:
    lost = recorded("13", incomplete=("pages_seen",), gaps=("pages were lost",))
    check = {"name": "wind", "get": "agent_answer", "metric": "answer_match", "expected": 9}
    wanted = task(checks=[{**check, "options": {"or_seen": WIND}}])
    assert judge(wanted, lost).reason == "verifier_error"
    assert judge(wanted, lost.model_copy(update={"answer": "9"})).outcome == "passed"
    with pytest.raises(GetterError):
        lost.require_complete("pages_seen")


@pytest.mark.parametrize(
    ("pattern", "expected", "at", "what"),
    [
        (r"Wind: \d+", 9, ("options", "or_seen"), "must have one group"),
        (r"(W)ind: (\d+)", 9, ("options", "or_seen"), "must have one group"),
        (r"(a+)+$", 9, ("options", "or_seen"), "for ever"),
        (r"(", 9, ("options", "or_seen"), "bad pattern"),
        (WIND, {"wind": 9, "rain": 1}, ("expected",), "only one value"),
    ],
)
def test_bad_pattern_is_found_when_the_file_is_read(
    pattern: str, expected: Any, at: tuple[str, ...], what: str
) -> None:
    options = {"or_seen": pattern}
    data = {"get": "agent_answer", "metric": "answer_match", "expected": expected}
    (issue,) = Parts.of({**data, "options": options}).issues
    assert issue.at == at
    assert what in issue.what
