"""`at`: which addresses a task may have read, and what trouble there means."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import MISSING
from pytest_webbench.errors import GetterError, TaskFileError
from pytest_webbench.evidence.models import Read
from pytest_webbench.judge import judge
from pytest_webbench.judge.rejudge import is_archived
from pytest_webbench.task.native import parse_task
from pytest_webbench.task.parts import make_getter
from pytest_webbench.task.probes import probes_of
from pytest_webbench.testing import evidence, task

CART = "https://shop.example/cart"
FILE = f"""\
id: lamp
goal: Put the brass lamp into the cart.
start_url: https://www.shop.example/
hosts: [pay.example]
checks:
- name: the total
  get: agent_answer
  metric: answer_match
  expected: {{type: dom_extract, selectors: {{total: .total}}, at: '{CART}'}}
- name: one row
  get: {{type: dom_count, selector: .row, at: 'https://pay.example/rows'}}
  metric: count_in_range
  expected: 1
"""


@pytest.mark.parametrize(
    "place",
    ["https://shop.example/a", "https://www.shop.example/", "https://api.shop.example/x?y=1"],
)
def test_hosts_of_the_task_are_allowed(place: str) -> None:
    read = parse_task(FILE.replace(CART, place), "lamp.yaml", stem="lamp")
    assert [probe.at for probe in probes_of(read)] == [place, "https://pay.example/rows"]


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "what"),
    [
        (CART, "https://shop.exmple/cart", 9, "checks[0].expected.at", "did you mean"),
        (CART, "https://evilshop.example/", 9, "checks[0].expected.at", "list it under `hosts`"),
        (CART, "https://shop.example.evil/", 9, "checks[0].expected.at", "list it under `hosts`"),
        ("[pay.example]", "[]", 11, "checks[1].get.at", "unknown host 'pay.example'"),
        (CART, "https://shop.example/{{id}}", 9, "checks[0].expected.at", "a fixed address"),
        (CART, "/cart", 9, "checks[0].expected.at", "must be an http:// or https://"),
        (CART, "file:///etc/passwd", 9, "checks[0].expected.at", "must be an http:// or https://"),
        ("[pay.example]", "[pay.example, 'https://a.b']", 4, "hosts[1]", "must be a host name"),
        ("[pay.example]", "['*', pay.example]", 4, "hosts[0]", "must be a host name"),
    ],
)
def test_other_addresses_are_refused(old: str, new: str, line: int, field: str, what: str) -> None:
    with pytest.raises(TaskFileError) as caught:
        parse_task(FILE.replace(old, new, 1), "lamp.yaml", stem="lamp")
    (problem,) = caught.value.problems
    assert (problem.line, problem.field) == (line, field)
    assert what in problem.what


@pytest.mark.parametrize(
    "options",
    [
        {"type": "dom_extract", "selectors": {"a": ".a"}, "must_exist": ["a"]},
        {"type": "dom_count", "selector": ".a", "must_exist": True},
        {"type": "dom_rows", "row": ".a", "fields": {"a": "b"}, "must_exist": True},
        {"type": "page_text"},
    ],
)
def test_question_to_another_page_is_one_of_its_own(options: dict[str, Any]) -> None:
    issues: list[Any] = []
    here, there = make_getter(options, (), issues), make_getter({**options, "at": CART}, (), issues)
    assert here is not None
    assert there is not None
    probe = there.probe()
    assert probe is not None
    assert probe.at == CART
    assert not is_archived(probe)
    assert here.probe() is None or probe.key() != getattr(here.probe(), "key", str)()
    for error in (Read(error=f"{CART} could not be read"), Read(value=None, missing=True)):
        recorded = evidence(reads={probe.key(): error})
        if error.error is not None:
            with pytest.raises(GetterError, match="could not be read"):
                there.read(recorded)


def verdict(read: Read, *, url: str = "https://shop.example/") -> Any:
    total = {"type": "dom_extract", "selectors": {"total": ".total"}, "at": CART}
    total["must_exist"] = ["total"]
    checks = [
        {
            "name": "total",
            "get": {"type": "const", "value": {"total": "$5"}},
            "metric": "json_object_match",
            "expected": total,
        }
    ]
    wanted = task(start_url="https://shop.example/", checks=checks)
    (probe,) = probes_of(wanted)
    return judge(wanted, evidence(page={"url": url}, reads={probe.key(): read}))


def test_trouble_elsewhere_is_never_the_agents() -> None:
    assert verdict(Read(value={"total": "$5"})).outcome == "passed"
    assert verdict(Read(value={"total": "$6"})).outcome == "failed"
    for read in (Read(error=f"{CART} answered with HTTP status 500"), Read(value={"total": None})):
        for url in ("https://shop.example/", "https://elsewhere.example/"):
            found = verdict(read, url=url)
            assert (found.outcome, found.reason) == ("unscored", "verifier_error")
            assert CART in found.detail


def test_expectation_that_is_gone_there_leaves_the_check_broken() -> None:
    total = {"type": "dom_extract", "selectors": {"total": ".total"}, "at": CART}
    check = {"name": "total", "get": "agent_answer", "metric": "answer_match", "expected": total}
    wanted = task(start_url="https://shop.example/", checks=[check])
    (probe,) = probes_of(wanted)
    recorded = evidence(answer="$5", reads={probe.key(): Read(value={"total": None})})
    assert judge(wanted, recorded).reason == "verifier_error"
    found = {"name": "total", "get": total, "metric": "json_object_match"}
    found["expected"] = {"total": "$5"}
    # As what is judged, a missing value is the agent's failure, as anywhere.
    judged = task(start_url="https://shop.example/", checks=[found])
    assert judged.checks[0].getter.read(recorded) == {"total": MISSING}
    assert judge(judged, recorded).outcome == "failed"


def test_row_that_must_not_have_a_field_can_be_expected() -> None:
    rows = {
        "type": "dom_rows",
        "row": "li",
        "fields": {"price": ".price", "note": ".note"},
        "where": {"note": {"exists": False}},
        "pick": {"least": "price"},
    }
    listed = [{"price": "$9", "note": None}, {"price": "$5", "note": "sold out"}]
    for place in ({}, {"at": CART}):
        check = {"name": "price", "get": "agent_answer", "metric": "answer_match"}
        wanted = task(
            start_url="https://shop.example/", checks=[{**check, "expected": {**rows, **place}}]
        )
        (probe,) = probes_of(wanted)
        reads = {probe.key(): Read(value=listed)}
        assert judge(wanted, evidence(answer='{"price": 9}', reads=reads)).outcome == "passed"
        assert judge(wanted, evidence(answer='{"price": 5}', reads=reads)).outcome == "failed"
