"""Texts and reads of a page before and after it was scrolled."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.capture.growth import grown, grown_read, grown_text, may_grow
from pytest_webbench.checks import Probe
from pytest_webbench.evidence.models import Read


@pytest.mark.parametrize(
    ("first", "later", "expected"),
    [
        ("abc", "abc", "abc"),
        ("abc", "abcd", "abcd"),
        ("abc", "xabyc", "xabyc"),
        ("abc", "cde", "abcde"),
        ("abc", "xyz", "abcxyz"),
        ("abc", "", "abc"),
        ("", "abc", "abc"),
        ("aba", "abaxa", "abaxa"),
    ],
)
def test_pieces_are_added_and_never_replaced(first: str, later: str, expected: str) -> None:
    assert "".join(grown(first, later)) == expected


def test_long_texts_are_put_together_in_little_time() -> None:
    first = [f"row {number}" for number in range(30_000)]
    later = [f"row {number}" for number in range(15_000, 45_000)]
    assert grown(first, later) == [f"row {number}" for number in range(45_000)]


def test_words_within_longer_words_are_kept() -> None:
    assert grown_text("A", "BANANA\nB", "\n") == "A\nBANANA\nB"


@pytest.mark.parametrize(
    ("name", "first", "answer", "expected"),
    [
        ("visibleText", {"missing": True}, {"value": "late"}, {"value": "late"}),
        ("visibleText", {"value": ""}, {"value": "late"}, {"value": "late"}),
        ("visibleText", {"missing": True}, {"missing": True}, {"missing": True}),
        ("visibleText", {"missing": True}, {"foreign": True}, {"missing": True}),
        (
            "domExtract",
            {"value": {"a": "1", "b": None, "c": []}},
            {"value": {"a": "2", "b": "3", "c": ["4"]}},
            {"value": {"a": "1", "b": "3", "c": ["4"]}},
        ),
    ],
)
def test_text_that_was_absent_is_read_once_it_is_there(
    name: str, first: dict[str, Any], answer: dict[str, Any], expected: dict[str, Any]
) -> None:
    read = Read(**first)
    assert may_grow(Probe(name, {}), read)
    assert grown_read(read, answer) == Read(**expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("visibleText", "text"),
        ("domExtract", {"a": "1"}),
        ("domCount", 0),
        ("controlState", {"a": None}),
    ],
)
def test_what_was_there_and_counts_and_states_stay(name: str, value: Any) -> None:
    assert not may_grow(Probe(name, {}), Read(value=value))
