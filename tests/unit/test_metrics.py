"""Metrics over addresses, texts, numbers, sets and objects."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pytest_webbench.checks import BUILT_IN, MISSING
from pytest_webbench.errors import RuleError


def score(name: str, result: Any, expected: Any, **options: Any) -> float:
    metric = BUILT_IN.metrics[name](**options)
    assert metric.issues(expected) == []
    return metric.score(result, expected)


@pytest.mark.parametrize(
    ("url", "expected", "options", "same"),
    [
        ("http://www.a.example/x/?q=1#f", "https://a.example/x", {}, True),
        ("https://a.example/x", ["https://b.example/", "https://a.example/x/"], {}, True),
        ("https://a.example", "a.example", {}, True),
        ("https://a.example/x", "www.a.example/x", {}, True),
        ("https://a.example:443/", "https://a.example/", {}, True),
        ("https://a.example/%7Ex", "https://a.example/~x", {}, True),
        ("https://a.example/caf%c3%a9", "https://a.example/café", {}, True),
        ("https://xn--mnchen-3ya.example/", "https://münchen.example", {}, True),
        ("https://a.example/x", "https://a.example/X", {}, False),
        ("https://a.example:8443/", "https://a.example/", {}, False),
        ("https://a.example.evil.example/", "https://a.example/", {}, False),
        ("https://a.example@evil.example/", "https://a.example/", {}, False),
        ("https://evil.example/https://a.example/x", "https://a.example/x", {}, False),
        ("https://a.example/x?q=1", "https://a.example/x?q=2", {"ignore_query": False}, False),
        ("https://a.example/x?q=a%3Db", "https://a.example/x?q=a=b", {"ignore_query": False}, True),
        ("https://a.example/x?a%3Db=", "https://a.example/x?a=b=", {"ignore_query": False}, False),
        ("https://a.example/#/x", "https://a.example/#/y", {"ignore_fragment": False}, False),
        ("http://a.example/", "https://a.example/", {"ignore_scheme": False}, False),
        ("https://www.a.example/", "https://a.example/", {"ignore_www": False}, False),
        ("https://a.example/x/", "https://a.example/x", {"ignore_trailing_slash": False}, False),
        ("https://a.example:99999/", "https://a.example/", {}, False),
        (MISSING, "https://a.example/", {}, False),
    ],
)
def test_url_matches(url: Any, expected: Any, options: dict[str, bool], same: bool) -> None:
    assert score("url_matches", url, expected, **options) == same


@pytest.mark.parametrize(
    "expected", ["", [], 5, ["https://a.example", ""], "https://a.example:99999/"]
)
def test_expected_url_must_be_valid(expected: Any) -> None:
    metric = BUILT_IN.metrics["url_matches"]()
    assert metric.issues(expected)
    with pytest.raises(RuleError):
        metric.score("https://a.example", expected)


TABS = [
    {"url": "https://www.a.example/", "title": "A"},
    {"url": "https://b.example/x?y", "title": "B"},
]


@pytest.mark.parametrize(
    ("result", "expected", "mode", "matches"),
    [
        (TABS, ["http://a.example"], "subset", True),
        (TABS, "https://b.example/x", "subset", True),
        (TABS, ["http://a.example", "https://c.example"], "subset", False),
        (TABS, ["http://a.example"], "equal", False),
        (TABS, ["http://a.example", "https://b.example/x"], "equal", True),
        (["https://a.example"], "https://a.example", "equal", True),
        (MISSING, "https://a.example", "subset", False),
        ([{"title": "no address"}], "https://a.example", "subset", False),
    ],
)
def test_tabs_match(result: Any, expected: Any, mode: str, matches: bool) -> None:
    assert score("tabs_match", result, expected, mode=mode) == matches


def test_patterns_ignore_case_and_match_all_or_any() -> None:
    assert score("url_pattern_match", "https://a.example/Cart", ["cart$", "^https"]) == 1.0
    assert score("url_pattern_match", "https://a.example/cartoon", ["cart$", "^https"]) == 0.0
    assert (
        score("url_pattern_match", "https://a.example/cartoon", ["cart$", "^https"], mode="any")
        == 1.0
    )
    assert score("url_pattern_match", "a\nb", "a.b", flags="s") == 1.0
    assert score("url_pattern_match", MISSING, "a") == 0.0


def test_some_item_matches_each_pattern() -> None:
    visited = ["https://a.example/", "https://a.example/b"]
    assert score("any_item_matches", visited, ["/b$", "example/$"]) == 1.0
    assert score("any_item_matches", visited, ["/b$", "/c$"]) == 0.0
    assert score("any_item_matches", [], "a") == 0.0
    assert score("any_item_matches", "a", "a") == 0.0


@pytest.mark.parametrize(
    ("name", "result", "expected", "options", "equal"),
    [
        ("exact_match", "  A  b ", "a B", {}, True),
        ("exact_match", "It’s", ["x", "it's"], {}, True),
        ("exact_match", "a  b", "a b", {"collapse_ws": False}, False),
        ("exact_match", "A", "a", {"case_sensitive": True}, False),
        ("exact_match", MISSING, "", {}, True),
        ("exact_match", True, "true", {}, True),
        ("literal_match", "A", "a", {}, False),
        ("literal_match", "A", ["b", "A"], {}, True),
        ("literal_match", 5, "5", {}, True),
        ("literal_match", MISSING, "", {}, True),
    ],
)
def test_texts_are_compared_in_normal_form(
    name: str, result: Any, expected: Any, options: dict[str, bool], equal: bool
) -> None:
    assert score(name, result, expected, **options) == equal


@pytest.mark.parametrize(
    ("result", "expected", "options", "value"),
    [
        ("A lamp and a chair", ["LAMP", "chair"], {}, 1.0),
        ("A lamp", {"must_include": ["lamp"], "must_exclude": ["chair"]}, {}, 1.0),
        ("A lamp, a chair", {"must_include": ["lamp"], "must_exclude": ["chair"]}, {}, 0.0),
        (
            "A lamp, a chair",
            {"must_include": ["lamp"], "must_exclude": ["chair"]},
            {"partial": True},
            0.5,
        ),
        ("A lamp", ["LAMP"], {"case_sensitive": True}, 0.0),
        ("", {"must_exclude": ["chair"]}, {}, 0.0),
        (MISSING, {"must_exclude": ["chair"]}, {}, 0.0),
    ],
)
def test_include_exclude(
    result: Any, expected: Any, options: dict[str, bool], value: float
) -> None:
    assert score("include_exclude", result, expected, **options) == value


@pytest.mark.parametrize(
    "expected",
    [
        "abc",
        {},
        [],
        {"must_include": "abc"},
        {"must_include": [""]},
        {"must_includes": ["a"]},
        {"must_include": []},
    ],
)
def test_include_exclude_refuses(expected: Any) -> None:
    assert BUILT_IN.metrics["include_exclude"]().issues(expected)


@pytest.mark.parametrize(
    ("result", "expected", "holds"),
    [
        (3, {"min": 1}, True),
        (3, {"min": 3, "max": 3}, True),
        (4, {"max": 3}, False),
        ([1, 2], {"ge": 2, "le": 2}, True),
        ([1, 2], 2, True),
        ("1,234 ", {"min": 1234}, True),
        ("$3.10", {"max": 3.1}, True),
        (MISSING, {"min": 0}, False),
        (True, {"min": 0}, False),
    ],
)
def test_count_in_range(result: Any, expected: Any, holds: bool) -> None:
    assert score("count_in_range", result, expected) == holds


@pytest.mark.parametrize("expected", [{"min": "x"}, {"minimum": 1}, {}, "x", None, {"ge": "x"}])
def test_count_in_range_refuses(expected: Any) -> None:
    assert BUILT_IN.metrics["count_in_range"]().issues(expected)


def test_numbers_match_within_the_tolerance_only() -> None:
    assert score("numeric_close", "$5.00", 5) == 1.0
    assert score("numeric_close", 5.001, 5) == 0.0
    assert score("numeric_close", 1.1, 1, tol=0.1) == 1.0
    assert score("numeric_close", 101, 100, tol=0.01, relative=True) == 1.0
    assert score("numeric_close", "1.234,5", 1234.5, locale="de") == 1.0
    assert score("numeric_close", "many", 5) == 0.0
    assert BUILT_IN.metrics["numeric_close"]().issues("many")


def test_sets_match_in_any_order() -> None:
    assert score("set_match", ["B", "a", "a"], ["A", "b"]) == 1.0
    assert score("set_match", [1.0, "1,000"], ["1", 1000]) == 1.0
    assert score("set_match", ["a", "b"], ["a"]) == 0.0
    assert score("set_match", ["a", "b"], ["a"], mode="superset") == 1.0
    assert score("set_match", ["a"], ["a", "b"], mode="subset") == 1.0
    assert score("set_match", "a", "A") == 1.0
    assert score("set_match", ["A"], ["a"], case_sensitive=True) == 0.0
    assert score("set_match", MISSING, ["a"]) == 0.0
    rows = [{"team": "Nets", "points": "104"}, {"team": "Heat", "points": "1,004"}]
    assert score("set_match", [{"points": 1004, "team": "heat"}, rows[0]], rows) == 1.0
    assert score("set_match", [{"points": 104, "team": "Heat"}, rows[1]], rows) == 0.0
    assert score("set_match", rows[:1], rows) == 0.0


@pytest.mark.parametrize(
    ("result", "expected", "options", "value"),
    [
        ({"q": "Lamp", "page": "2"}, {"q": "lamp"}, {}, 1.0),
        ({"q": MISSING}, {"q": None}, {}, 1.0),
        ({"q": "x"}, {"q": None}, {}, 0.0),
        ({"form": {"checked": True}}, {"form.checked": True}, {}, 1.0),
        ({"a.b": 1}, {"a.b": 1}, {}, 1.0),
        ({"list": [{"n": 1}, {"n": 2}]}, {"list[*].n": {"gt": 1}}, {}, 1.0),
        ({"a": 1, "b": 3}, {"a": 1, "b": 2}, {"partial": True}, 0.5),
        ({"a": 1}, {"a": 1, "b": 2}, {"expect_in_result": False}, 1.0),
        ({"a": 1, "c": 2}, {"a": 1, "b": 2}, {"expect_in_result": False}, 0.0),
        ({}, {"a": 1}, {"expect_in_result": False}, 0.0),
        ({"a": "A"}, {"a": "a"}, {"case_sensitive": True}, 0.0),
        ({"a": "x y"}, {"a": "xy"}, {"ignore_literal_whitespace": True}, 1.0),
        ({"a": "1.234"}, {"a": 1234}, {"locale": "de"}, 1.0),
        (MISSING, {"a": 1}, {}, 0.0),
        ("text", {"a": 1}, {}, 0.0),
    ],
)
def test_json_object_match(
    result: Any, expected: Any, options: dict[str, Any], value: float
) -> None:
    assert score("json_object_match", result, expected, **options) == value


def test_object_without_members_is_refused() -> None:
    metric = BUILT_IN.metrics["json_object_match"]()
    assert metric.issues({})
    with pytest.raises(RuleError):
        metric.score({}, {})


@pytest.mark.parametrize("name", sorted(BUILT_IN.metrics))
def test_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="bogus"):
        BUILT_IN.metrics[name].model_validate({"bogus": True})


def test_registry_keys_are_the_names_of_the_checks() -> None:
    assert all(metric.name == name and metric.__doc__ for name, metric in BUILT_IN.metrics.items())
    assert all(getter.__doc__ for getter in BUILT_IN.getters.values())
