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


def test_alternation_that_overlaps_but_reads_a_text_in_one_way_only_is_accepted_and_fast() -> None:
    assert patterns.refuse("(a|ab)*c") is None
    begin = time.process_time()
    assert not normal.found("(a|ab)*c", "aab" * 5000)
    assert time.process_time() - begin < normal.PATTERN_SECONDS


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2,1}", r"\p", "(?P<n>a)(?P<n>b)", "*a", "[[a]&&b]"])
def test_malformed_pattern_is_refused_with_the_reason(pattern: str) -> None:
    assert (patterns.refuse(pattern) or "").startswith("bad pattern")


def test_pattern_without_end_is_refused() -> None:
    assert "characters" in (patterns.refuse("a" * (patterns.LONGEST + 1)) or "")
    assert "bad pattern" in (patterns.refuse("(" * 2000 + ")" * 2000) or "")


def test_each_bad_pattern_of_a_list_is_named() -> None:
    assert [flaw.at for flaw in patterns.flaws(["a", "(", 5, "(a|a)*"])] == [(1,), (2,), (3,)]


def test_search_that_takes_too_long_is_a_broken_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal, "PATTERN_SECONDS", 0.05)
    with pytest.raises(RuleError, match="searched for more than"):
        normal.found("(a|b|ab)*[cd]", "ab" * 40_000)


def test_analysis_of_a_large_pattern_ends() -> None:
    many = "|".join(f"w{number}x" for number in range(400))
    begin = time.process_time()
    patterns.refuse(f"(?:{many})*end"[: patterns.LONGEST])
    assert time.process_time() - begin < 2
