"""Formulas, calculators and finders of the site kit."""

from __future__ import annotations

import base64
import doctest
import math
import struct

import pytest

from pytest_webbench.world.kit import (
    Calculator,
    Formula,
    curve_picture,
    forms,
    miles_between,
    nearest,
)

MADISON = {"name": "Madison", "lat": 43.07, "lon": -89.40}
CHICAGO = {"name": "Chicago", "lat": 41.88, "lon": -87.63}
SPARTA = {"name": "Sparta", "lat": 43.94, "lon": -90.81}


def test_docstring_examples_are_right() -> None:
    found = doctest.testmod(forms)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a + b * 2", 11),
        ("a ** 2 if b > 2 else 0", 25),
        ("round(2.5)", 3),
        ("round(-2.5)", -2),
        ("round(0.345 * 100) / 100", 0.35),
        ("max(0, min(a, 4) - 1) * 2", 6),
        ("a / (b - 3) if b > 3 else a", 5),
    ],
)
def test_formula_has_its_value(text: str, value: float) -> None:
    assert Formula(text)(a=5, b=3) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a +",
        "a; b",
        "a.b",
        "a[0]",
        "'a'",
        "True",
        "print(a)",
        "__import__('os')",
        "round(a, digits=2)",
        "lambda: a",
        "1 < a < 3",
        "a // 2",
        "[a for a in b]",
        "(a := 2)",
    ],
)
def test_anything_but_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="formula"):
        Formula(text)


def test_name_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="years"):
        Formula("a * years")(a=5)


def test_results_use_fields_and_earlier_results() -> None:
    loan = Calculator({"amount": 100, "rate": 4}, {"year": "amount * rate / 100", "two": "year*2"})
    assert loan.results() == {"year": 4.0, "two": 8.0}
    assert loan.results(rate=10) == {"year": 10.0, "two": 20.0}


def test_nearest_comes_first_with_its_distance() -> None:
    found = nearest([CHICAGO, SPARTA], MADISON)
    assert [row["name"] for row in found] == ["Sparta", "Chicago"]
    assert found[1]["miles"] == pytest.approx(122, abs=2)
    assert miles_between(MADISON, MADISON) == 0


def test_picture_of_a_curve_is_a_png_that_depends_on_the_curve() -> None:
    circle = [(math.cos(t / 50), math.sin(t / 50)) for t in range(315)]
    picture = curve_picture(circle, size=60)
    png = base64.b64decode(picture.removeprefix("data:image/png;base64,"))
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (60, 60)
    assert picture != curve_picture([(x * 2, y) for x, y in circle], size=60)
