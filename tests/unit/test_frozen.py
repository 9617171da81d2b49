"""Fixed answers that are true in one edition only: told by what the pages show."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.evidence.models import Evidence, PageSeen
from pytest_webbench.judge.frozen import frozen_answer
from pytest_webbench.testing import evidence, task


def played(text: str, answer: str) -> Evidence:
    pages = (
        PageSeen(number=1, url="https://a.test/"),
        PageSeen(number=2, url="x", text_early=text),
    )
    return evidence(answer=answer, pages_seen=pages)


def told(expected: Any, answer: str, *texts: str) -> str | None:
    check = {"name": "c", "get": "agent_answer", "metric": "answer_match", "expected": expected}
    asked = task(checks=[check], answer="text")
    editions = {number: played(text, answer) for number, text in enumerate(texts)}
    return frozen_answer(asked, editions)


@pytest.mark.parametrize(
    ("expected", "answer", "texts"),
    [
        ("10", "10", ("It costs 10.", "It costs 11.")),
        ("Red lamp", "The Red Lamp", ("best: red lamp", "best: blue lamp")),
        ({"number": 1299}, "It is $1,299.00", ("$1,299.00 today", "$1,199.00 today")),
        ({"any_of": ["ten", "10"]}, "10", ("10 in all", "12 in all")),
        ("10", "10", ("10", "10", "12")),
        ("10", "10", ("costs 10", "costs 11 since 2010")),
    ],
)
def test_answer_that_pages_show_in_edition_0_only_is_frozen(
    expected: Any, answer: str, texts: tuple[str, ...]
) -> None:
    found = told(expected, answer, *texts)
    assert found is not None
    assert found.startswith("c: the pages show ")
    assert f"not in edition {len(texts) - 1}, where the answer {answer!r} passes" in found


@pytest.mark.parametrize(
    ("expected", "answer", "texts"),
    [
        pytest.param("GPL", "GPL", ("GPL, 4 stars", "GPL, 5 stars"), id="does not change"),
        pytest.param("3", "3", ("lamp, desk, bed", "lamp, chair, sofa"), id="counted"),
        pytest.param(
            {"type": "dom_extract", "selectors": {"price": "b"}},
            "10",
            ("costs 10", "costs 11"),
            id="read from the page",
        ),
        pytest.param("10", "10", ("costs 10",), id="one edition"),
        pytest.param("10", "I do not know", ("costs 10", "costs 11"), id="not answered"),
    ],
)
def test_answer_is_not_frozen(expected: Any, answer: str, texts: tuple[str, ...]) -> None:
    assert told(expected, answer, *texts) is None


def test_without_edition_0_nothing_is_told() -> None:
    check = {"name": "c", "get": "agent_answer", "metric": "answer_match", "expected": "10"}
    asked = task(checks=[check], answer="text")
    assert frozen_answer(asked, {1: played("costs 11", "10")}) is None
    assert frozen_answer(asked, {}) is None
