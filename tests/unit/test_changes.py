"""The getters and the metric of state: everything asked for, exactly once, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_webbench.checks import BUILT_IN
from pytest_webbench.checks.local import StateChanges, StateQuery
from pytest_webbench.checks.metrics.changes import ChangesMatch
from pytest_webbench.errors import GetterError
from pytest_webbench.evidence.models import Evidence, LocalFacts, Read

ORDER = {"insert": "shop.orders", "row": {"id": 7, "city": "Lyon"}}
LINE = {"insert": "shop.lines", "row": {"id": 1, "product": 3, "quantity": 2}}
OTHER = {"insert": "shop.lines", "row": {"id": 2, "product": 4, "quantity": 1}}


def score(found: list[Any], expected: list[Any], **options: Any) -> float:
    return ChangesMatch.model_validate(options).score(found, expected)


def test_general_and_special_expectations_each_find_their_own_change() -> None:
    any_line = {"insert": "shop.lines", "row": {"quantity": {"ge": 1}}}
    this_line = {"insert": "shop.lines", "row": {"product": 3}}
    assert score([LINE, OTHER], [any_line, this_line]) == 1.0
    assert score([LINE, OTHER], [this_line, this_line]) == 0.0


@pytest.mark.parametrize("found", [[], [ORDER, LINE], [ORDER, ORDER], [LINE]])
def test_too_few_too_many_and_others_do_not_match(found: list[Any]) -> None:
    assert score(found, [{"insert": "shop.orders", "row": {"city": "Lyon"}}]) == 0.0


def test_allowed_tables_may_change_as_they_like() -> None:
    expected = [{"insert": "shop.orders", "row": {"city": "Lyon"}}]
    assert score([ORDER, LINE, OTHER], expected, allow=["shop.lines"]) == 1.0


def test_case_of_texts_counts_unless_told_otherwise() -> None:
    expected = [{"insert": "shop.orders", "row": {"city": "lyon"}}]
    assert score([ORDER], expected) == 0.0
    assert score([ORDER], expected, case_sensitive=False) == 1.0


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"insert": "shop.orders"}, "must be a list of changes"),
        ([{"row": {"id": 1}}], "must say what happened|must be an object that says"),
        ([{"insert": "a.b", "delete": "a.b"}], "what happened|says what happened"),
        ([{"insert": "a.b", "to": {"x": 1}}], "unknown key 'to'"),
        ([{"update": "a.b", "row": {"x": 1}}], "which columns have which value now"),
        ([{"insert": "a.b", "row": []}], r"must be an object \{column: rule\}"),
        ([{"insert": "a.b", "row": {"x": {"re": "("}}}], "missing"),
    ],
)
def test_wrong_expectation_is_named(expected: Any, message: str) -> None:
    issues = ChangesMatch().issues(expected)
    assert issues
    assert any(re.search(message, issue.what) for issue in issues), issues


@pytest.mark.parametrize("name", ["state_changes", "state_query", "server_log"])
def test_worlds_without_state_cannot_be_asked_for_it(name: str) -> None:
    options = {"sql": "select 1"} if name == "state_query" else {}
    getter = BUILT_IN.getters[name].model_validate(options)
    with pytest.raises(GetterError, match="only local worlds keep a state, and this one was live"):
        getter.read(Evidence(world="live"))


@pytest.mark.parametrize(
    ("rows", "message"),
    [([], "no row to pick from"), ([{"m": 1}], "no column 'n'; it has m")],
)
def test_query_that_cannot_be_picked_from_is_broken(rows: list[Any], message: str) -> None:
    getter = StateQuery(sql="select 1 as m", pick="n")
    reads = {getter.probe().key(): Read(value=rows)}
    with pytest.raises(GetterError, match=message):
        getter.read(Evidence(local=LocalFacts(), reads=reads))


def test_query_that_failed_says_why() -> None:
    getter = StateQuery(sql="delete from t")
    reads = {getter.probe().key(): Read(error="this SQL may only read")}
    with pytest.raises(GetterError, match="may only read"):
        getter.read(Evidence(local=LocalFacts(), reads=reads))


def test_nothing_has_changed_is_an_empty_list() -> None:
    assert StateChanges().read(Evidence(local=LocalFacts())) == []
