"""Trees of patterns, read from CPython's private parser: the same in every version of Python."""

from __future__ import annotations

import re
import sys
from re import _constants  # type: ignore[attr-defined]  # what the module under test reads, too

import pytest

from pytest_webbench.checks.regex_syntax import (
    ANY,
    Apart,
    Characters,
    Either,
    InCategory,
    Range,
    Repeat,
    Sequence,
    parse,
)

A, B = Characters((97,)), Characters((98,))

TREES: dict[str, Sequence] = {
    "": (),
    "ab": (A, B),
    ".": (ANY,),
    "[^a]": (Characters((97,), negated=True),),
    r"[a\dx-z]": (Characters((97, InCategory("digit"), Range(120, 122))),),
    r"[^\s\W]": (
        Characters((InCategory("space"), InCategory("word", negated=True)), negated=True),
    ),
    r"\D": (Characters((InCategory("digit", negated=True),)),),
    "a*": (Repeat(0, None, (A,)),),
    "a+?": (Repeat(1, None, (A,)),),
    "(?:ab){2,5}": (Repeat(2, 5, (A, B)),),
    "(a)(?P<n>b)": (A, B),
    "ab|ba": (Either(((A, B), (B, A))),),
    "(a)?(?(1)b|a)": (Repeat(0, 1, (A,)), Either(((B,), (A,)))),
    "(a)?(?(1)b)": (Repeat(0, 1, (A,)), Either(((B,), ()))),
    "(?=a)(?!b)(?<=a)": (Apart((A,)), Apart((B,)), Apart((A,))),
    "(?>ab)": (Apart((A, B)),),
    "a*+b": (Apart((A,)), B),
    r"^\ba(?i:b)$": (A, B),
    r"(a)\1": (A,),
}

OPERATORS = [
    "FAILURE",
    "SUCCESS",
    "ANY",
    "ANY_ALL",
    "ASSERT",
    "ASSERT_NOT",
    "AT",
    "BRANCH",
    "CATEGORY",
    "CHARSET",
    "BIGCHARSET",
    "GROUPREF",
    "GROUPREF_EXISTS",
    "IN",
    "INFO",
    "JUMP",
    "LITERAL",
    "MARK",
    "MAX_UNTIL",
    "MIN_UNTIL",
    "NOT_LITERAL",
    "NEGATE",
    "RANGE",
    "REPEAT",
    "REPEAT_ONE",
    "SUBPATTERN",
    "MIN_REPEAT_ONE",
    "ATOMIC_GROUP",
    "POSSESSIVE_REPEAT",
    "POSSESSIVE_REPEAT_ONE",
    "GROUPREF_IGNORE",
    "IN_IGNORE",
    "LITERAL_IGNORE",
    "NOT_LITERAL_IGNORE",
    "GROUPREF_LOC_IGNORE",
    "IN_LOC_IGNORE",
    "LITERAL_LOC_IGNORE",
    "NOT_LITERAL_LOC_IGNORE",
    "GROUPREF_UNI_IGNORE",
    "IN_UNI_IGNORE",
    "LITERAL_UNI_IGNORE",
    "NOT_LITERAL_UNI_IGNORE",
    "RANGE_UNI_IGNORE",
    "MIN_REPEAT",
    "MAX_REPEAT",
]


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)], ids=str)
def test_patterns_have_the_same_trees_in_every_python(version: tuple[int, int]) -> None:
    if sys.version_info[:2] != version:
        pytest.skip(f"needs Python {version[0]}.{version[1]}")
    assert {pattern: parse(pattern) for pattern in TREES} == TREES


def test_this_python_has_recorded_trees() -> None:
    assert (3, 11) <= sys.version_info[:2] <= (3, 14), "add the version to the test above"


def test_every_regex_operator_is_known() -> None:
    assert {str(one) for one in _constants.OPCODES} - set(OPERATORS) == set()


def test_malformed_pattern_is_an_error() -> None:
    with pytest.raises(re.error):
        parse("(a")
