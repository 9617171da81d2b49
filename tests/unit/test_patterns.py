"""Patterns in task files: malformed and catastrophic ones are refused, harmless ones are not."""

from __future__ import annotations

import time

import pytest

from pytest_webbench.checks import normal, patterns
from pytest_webbench.errors import RuleError


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a*)*",
        "(a|a)*",
        "(a|ab|b)*c",
        "(ab|[a-z]b)+x",
        "(a|[a-z])+x",
        "(a*b*)*",
        "(a?b?)*x",
        "(x+x+)+y",
        r"(\w+\s*)+$",
        r"(\d{1,3})+$",
        "([a-z]+){10,40}",
        "(.*a){20,}",
        r"(.|\s)*z",
        "(?=(a+)+b)c",
        "(?:ab|AB)*c",
        r"\d+\d+\d+$",
        ".*.*.*x",
        r"\s*[\s\n]*\s*x",
    ],
)
def test_catastrophic_pattern_is_refused(pattern: str) -> None:
    assert "take for ever" in (patterns.refuse(pattern) or "")


@pytest.mark.parametrize(
    "pattern",
    [
        r"^https://shop\.example/(page/\d+/)?\?(.*&)?sort=price(&|$)",
        "(?:/[a-z]+)*$",
        r"(?:\w+\s+)*\w+",
        r"(\w+,)*",
        "(a|b)*c",
        "(?:ab|ac)+d",
        r"(\d{3},)*\d+",
        r"(\d{3})+",
        "(?:[^&#]*&)*q=1",
        r"(?:\([^)]*\)|[^()])*",
        ".*foo.*bar.*baz",
        r"[\s\S]{0,180}?foo[\s\S]{0,100}bar",
        "(?i)lamp",
        r"\blamp\b(?! shade)",
    ],
)
def test_harmless_pattern_is_accepted(pattern: str) -> None:
    assert patterns.refuse(pattern) is None


def test_overlapping_but_unambiguous_alternation_is_accepted() -> None:
    assert patterns.refuse("(a|ab)*c") is None
    begin = time.process_time()
    assert not normal.found("(a|ab)*c", "aab" * 5000)
    assert time.process_time() - begin < normal.PATTERN_SECONDS


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a{2,1}", r"\p", "(?P<n>a)(?P<n>b)", "*a", "[[a]&&b]"]
)
def test_malformed_pattern_is_refused_with_the_reason(pattern: str) -> None:
    assert (patterns.refuse(pattern) or "").startswith("bad pattern")


def test_too_long_pattern_is_refused() -> None:
    assert "characters" in (patterns.refuse("a" * (patterns.LONGEST + 1)) or "")
    assert "bad pattern" in (patterns.refuse("(" * 2000 + ")" * 2000) or "")


def nested(levels: int, body: str, quantifier: str) -> str:
    return "(?:" * levels + body + f"){quantifier}" * levels


@pytest.mark.parametrize(
    "pattern",
    [
        nested(20, "a{1,2}", "{1,2}"),
        nested(20, "a", "?"),
        nested(20, "a", "{2}"),
        nested(30, "[ab]{2}", "{2,}"),
        f"(?={nested(12, 'a', '{1,3}')})b",
        f"x|{nested(12, 'a', '{0,2}')}",
        "(?:a{1000}){1000}",
        "a{4000000000}",
    ],
)
def test_nested_repeats_are_refused_before_they_are_compiled(pattern: str) -> None:
    begin = time.process_time()
    assert "are allowed" in (patterns.refuse(pattern) or "")
    assert time.process_time() - begin < 0.5


@pytest.mark.parametrize("pattern", ["(?:abcdefghij){e<=9}z", "(?:ab){d}", "(?:ab){1<=s<=3}"])
def test_approximate_matching_is_refused(pattern: str) -> None:
    assert "approximate" in (patterns.refuse(pattern) or "")


@pytest.mark.parametrize("pattern", [r"\{id: 5\}", '{"id": 5}', "[{e}]", "x{3}y{2,}z{1,4}"])
def test_other_braces_are_accepted(pattern: str) -> None:
    assert patterns.refuse(pattern) is None


def test_each_bad_pattern_of_a_list_is_named() -> None:
    assert [issue.at for issue in patterns.issues(["a", "(", 5, "(a|a)*"])] == [(1,), (2,), (3,)]


def test_search_that_times_out_is_a_broken_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal, "PATTERN_SECONDS", 0.05)
    with pytest.raises(RuleError, match="searched for more than"):
        normal.found("(a|b|ab)*[cd]", "ab" * 40_000)


def test_analysis_of_a_large_pattern_ends() -> None:
    many = "|".join(f"w{number}x" for number in range(400))
    begin = time.process_time()
    patterns.refuse(f"(?:{many})*end"[: patterns.LONGEST])
    assert time.process_time() - begin < 2
