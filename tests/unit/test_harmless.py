"""What pages and agents say, printed: no terminal or CI server obeys it, and it hides nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench._text import harmless, one_line
from pytest_webbench.report.html.encode import compact
from pytest_webbench.report.tables import Table, as_csv, as_markdown, as_plain_text

HOSTILE = (
    "a\r::error::b",
    "a\n::error::b",
    "a\n   ::error file=x::b",
    "::error::b",
    "a\u2028::error::b",
    "a\u2029::warning::b",
    "a\x85::set-output name=x::b",
    "a\x0b::stop-commands::b",
    "\x1b[31mred\x1b[0m",
    "\x9b31m",
    "\x1b]0;title\x07",
    "##vso[task.complete result=Succeeded;]",
    "text ##vso[task.setvariable variable=x]y",
    "##[error]b",
    "##teamcity[buildStatus status='SUCCESS']",
    "txt\u202egnp.exe",
    "\u2066a\u2069",
    "\u200fa",
)
COMMAND = re.compile(r"(^|[\n\r\u2028\u2029\x85\x0b\x0c])\s*::|##[a-zA-Z]*\[")
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def assert_harmless(text: str) -> None:
    assert COMMAND.search(text) is None
    assert OBEYED.search(text) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_is_printed_is_obeyed(text: str) -> None:
    assert_harmless(harmless(text))
    assert_harmless(one_line(text))
    assert "\n" not in one_line(text)
    table = Table("t", ("name", "why"), ((text, text),))
    assert_harmless(harmless(as_plain_text([table], 80)))
    assert_harmless(harmless(as_markdown([table])))
    assert_harmless(harmless(as_csv([{"why": text}])))


@given(st.text(st.sampled_from("a:#[\n\r\u2028\u202e\x1b \tvso"), max_size=30))
def test_any_mixture_is_harmless(text: str) -> None:
    assert_harmless(harmless(text))
    assert harmless(harmless(text)) == harmless(text)


@pytest.mark.parametrize("text", ["plain", "a\n  indented: text", "ünï — x", "a::b", "C:\\x", "#1"])
def test_ordinary_text_stays(text: str) -> None:
    assert harmless(text) == text


def test_direction_marks_are_written_out() -> None:
    assert harmless("txt\u202egnp.exe") == r"txt\u202egnp.exe"
    assert compact({"a": "txt\u202egnp"}) == r'{"a":"txt\\u202egnp"}'
