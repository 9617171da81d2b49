"""The rule language, applied to values read from a page."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import MISSING, rules
from pytest_webbench.checks.rules import Scope
from pytest_webbench.errors import RuleError


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("Lamp", "lamp"),
        ("1,000", 1000),
        ("$5", 5),
        (True, True),
        (True, "TRUE"),
        (None, None),
        (MISSING, None),
        (["b", "a"], ["A", "B"]),
        ("it\u2019s \u201ca\u201d \u2013 b", 'it\'s "a" - b'),
        ("ﬁne", "fine"),
        (5, {"eq": 5}),
        (5, {"ne": 6}),
        (5, {"ge": 5, "lt": 6}),
        ("1,000", {"gt": 999}),
        (5, {"range": [5, 6]}),
        (5, {"range": [4, 5], "closed": "oc"}),
        (101, {"approx": 100, "tol": 1}),
        (101, {"approx": 100, "tol": 0.01, "relative": True}),
        ("abc", {"re": "B"}),
        ("a\nb", {"re": "a.b", "flags": "s"}),
        ("abc", {"re": ["x", "c$"]}),
        ("abc", {"not_re": "x"}),
        ("a", {"in": ["b", "A"]}),
        ("a", {"not_in": ["b"]}),
        ("abc", {"contains": ["a", "C"]}),
        (["a", "b"], {"contains": "A"}),
        ("abc", {"not_contains": ["x", "y"]}),
        ([1, 2], {"len": 2}),
        ("abc", {"len": {"ge": 3}}),
        ("a", {"exists": True}),
        (None, {"exists": True}),
        (MISSING, {"exists": False}),
        (MISSING, {"any": [{"exists": False}, "a"]}),
        (MISSING, {"eq": None}),
        (3, {"any": [{"lt": 2}, {"gt": 2}]}),
        (3, {"all": [{"gt": 2}, {"lt": 4}]}),
        (3, {"not": {"gt": 5}}),
        (
            "oak and ash",
            {"at_least": {"count": 2, "of": [{"re": "oak"}, {"re": "elm"}, {"re": "ash"}]}},
        ),
        (MISSING, {"at_least": {"count": 1, "of": [{"exists": False}, "a"]}}),
        (7, {"at_least": {"count": 1, "of": [{"at_least": {"count": 2, "of": [7, {"gt": 6}]}}]}}),
    ],
)
def test_rule_holds(value: Any, rule: Any) -> None:
    assert rules.holds(value, rule, Scope())


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("lamp", "lamps"),
        (True, 1),
        (None, "none"),
        (MISSING, ""),
        ("", None),
        (["a", "a"], ["a"]),
        (["a"], "a"),
        ("3.10", "3.1"),
        ("$5", "€5"),
        (5, {"ne": 5}),
        (5, {"range": [5, 6], "closed": "oc"}),
        (100.1, {"approx": 100}),
        ("x", {"gt": 1}),
        (True, {"ge": 0}),
        ("abc", {"not_contains": ["x", "c"]}),
        ("ABC", {"re": "b", "case_sensitive": True}),
        (5, {"len": 1}),
        (MISSING, {"ne": "x"}),
        (MISSING, {"not": "x"}),
        (MISSING, {"not_in": ["x"]}),
        (MISSING, {"not_re": "x"}),
        (MISSING, {"not_contains": "x"}),
        (MISSING, {"exists": True}),
        (MISSING, {"any": []}),
        ("oak", {"at_least": {"count": 2, "of": [{"re": "oak"}, {"re": "elm"}]}}),
        (7, {"not": {"at_least": {"count": 1, "of": [7, 8]}}}),
        ("x y", {"eq": "xy"}),
    ],
)
def test_rule_does_not_hold(value: Any, rule: Any) -> None:
    assert not rules.holds(value, rule, Scope())


def test_whitespace_is_ignored_on_request_but_not_by_eq() -> None:
    scope = Scope(ignore_space=True)
    assert rules.holds("x y", "xy", scope)
    assert not rules.holds("x y", {"eq": "xy"}, scope)


@pytest.mark.parametrize(
    ("rule", "at", "what"),
    [
        ({"foo": 1}, ("foo",), "unknown operator"),
        ({"eq": 1, "foo": 1}, ("foo",), "unknown operator"),
        ({}, (), "empty object"),
        ({"lt": "many"}, ("lt",), "a number"),
        ({"range": [1]}, ("range",), "[lowest, highest]"),
        ({"range": [1, "x"]}, ("range",), "[lowest, highest]"),
        ({"range": [1, 2], "closed": "xx"}, ("closed",), "c and o"),
        ({"re": "a", "flags": "q"}, ("flags",), "i, m, s, x"),
        ({"re": "("}, ("re",), "bad pattern"),
        ({"re": ["a", 5]}, ("re", 1), "a pattern"),
        ({"exists": 1}, ("exists",), "true or false"),
        ({"any": "a"}, ("any",), "a list"),
        ({"any": [{"all": [{"x": 1}]}]}, ("any", 0, "all", 0, "x"), "unknown operator"),
        ({"at_least": [1, 2]}, ("at_least",), "{count: number, of: [rules]}"),
        ({"at_least": {"count": 1}}, ("at_least",), "{count: number, of: [rules]}"),
        ({"at_least": {"count": 3, "of": [1, 2]}}, ("at_least", "count"), "from 1 to 2"),
        ({"at_least": {"count": 0, "of": [1]}}, ("at_least", "count"), "from 1 to 1"),
        ({"at_least": {"count": True, "of": [1]}}, ("at_least", "count"), "from 1 to 1"),
        ({"at_least": {"count": 1, "of": "a"}}, ("at_least", "of"), "a list"),
        ({"at_least": {"count": 1, "of": [{"x": 1}]}}, ("at_least", "of", 0, "x"), "unknown"),
        ({"not": {"len": {"foo": 1}}}, ("not", "len", "foo"), "unknown operator"),
        ({"approx": 1, "tol": -1}, ("tol",), "0 or more"),
        ({"eq": 1, "relative": "yes"}, ("relative",), "true or false"),
        ({"contains": []}, ("contains",), "none of them empty"),
        ({"contains": ["a", ""]}, ("contains",), "none of them empty"),
    ],
)
def test_issue_of_a_rule_says_where_it_is(rule: Any, at: tuple[Any, ...], what: str) -> None:
    (issue,) = rules.issues(rule)
    assert issue.at == at
    assert what in issue.what


def test_malformed_rule_is_an_error_when_applied() -> None:
    with pytest.raises(RuleError, match="unknown operator 'foo'"):
        rules.holds(1, {"eq": 1, "foo": 2}, Scope())
