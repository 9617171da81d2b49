"""Mutants of evidence about facts: another row's value, and a fact that was never looked at."""

from __future__ import annotations

from typing import Any

from pytest_webbench.evidence.models import Evidence, PageSeen, Read
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.judge.mutations import mutants
from pytest_webbench.task import Task
from pytest_webbench.task.probes import probes_of
from pytest_webbench.testing import evidence, task

ROWS = [
    {"name": "Brass", "price": "$1,049.90"},
    {"name": "Oak", "price": "$935.00"},
    {"name": "Steel", "price": "$20.00"},
]
LIST, OAK = "https://shop.example/lamps", "https://shop.example/oak"
LAMPS = {
    "type": "dom_rows",
    "row": "li",
    "fields": {"name": "h2", "price": ".price"},
    "where": {"name": {"ne": "Steel"}},
    "pick": {"least": "price"},
}
ANSWER = {"name": "the lamp", "get": "agent_answer", "metric": "answer_match"}
SEEN = {
    "name": "the lamp was open",
    "get": {"type": "pages_seen", "url_pattern": "/oak$"},
    "metric": "count_in_range",
    "expected": {"min": 1},
}


def shop(*checks: dict[str, Any]) -> Task:
    return task(start_url="https://shop.example/", checks=list(checks))


def passing(wanted: Task, answer: str) -> Evidence:
    pages = (
        PageSeen(number=1, url="https://shop.example/", text="Shop"),
        PageSeen(number=2, url=LIST, text="Three lamps"),
        PageSeen(number=3, url=OAK, text="Oak lamp, now $935.00", final=True),
    )
    reads = {probe.key(): Read(value=ROWS) for probe in probes_of(wanted)}
    return evidence(answer=answer, page={"url": OAK}, pages_seen=pages, reads=reads)


def made(wanted: Task, right: Evidence, family: str) -> list[Evidence]:
    assert judge(wanted, right).outcome is Outcome.PASSED
    start = evidence(page={"url": "https://shop.example/", "text": "Shop"})
    return [one.evidence for one in mutants(wanted, right, start) if one.family == family]


def test_other_rows_take_the_place_of_the_right_one() -> None:
    wanted = shop({**ANSWER, "expected": LAMPS})
    for answer, others in (
        ("name: Oak, price: $935.00", ["name: Brass, price: $1049.9", "name: Steel, price: $20"]),
        ('{"name": "Oak", "price": 935}', None),
    ):
        found = made(wanted, passing(wanted, answer), "value-of-another-row")
        assert len(found) == 2
        assert [judge(wanted, one).outcome for one in found] == [Outcome.FAILED] * 2
        if others:
            assert [one.answer for one in found] == others


def test_a_check_that_takes_any_row_lets_them_survive() -> None:
    loose = {**ANSWER, "name": "some lamp", "expected": {"re": "Oak|Brass|Steel"}}
    strict = {**ANSWER, "expected": LAMPS}
    wanted = shop(loose, strict).model_copy(update={"conj": "or"})
    found = made(wanted, passing(wanted, "name: Oak, price: $935.00"), "value-of-another-row")
    assert {judge(wanted, one).outcome for one in found} == {Outcome.PASSED}


def test_right_answer_without_its_page_is_a_mutant() -> None:
    remembered = {**ANSWER, "expected": {"price": 935}}
    wanted = shop(remembered, SEEN)
    right = passing(wanted, '{"price": 935}')
    (mutant,) = made(wanted, right, "fact-page-never-open")
    assert [page.url for page in mutant.pages_seen] == ["https://shop.example/", LIST]
    assert mutant.page is not None
    assert mutant.page.url == "https://shop.example/"
    assert judge(wanted, mutant).outcome is Outcome.FAILED


def test_list_is_enough_for_a_check_that_asks_for_no_more() -> None:
    loose = {**SEEN, "get": {"type": "pages_seen", "url_pattern": "/(lamps|oak)$"}}
    wanted = shop({**ANSWER, "expected": {"price": 935}}, loose)
    (mutant,) = made(wanted, passing(wanted, "$935"), "fact-page-never-open")
    assert judge(wanted, mutant).outcome is Outcome.PASSED


def test_fact_on_the_start_page_makes_no_mutant() -> None:
    wanted = shop({**ANSWER, "expected": "Shop"}, SEEN)
    assert made(wanted, passing(wanted, "Shop"), "fact-page-never-open") == []
