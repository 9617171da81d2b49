"""Numbers as people write them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pytest_webbench.checks import numbers
from pytest_webbench.checks.base import MISSING


def values(text: str, locale: str = "en", *, rank: int | None = None) -> list[float]:
    found = numbers.quantities(numbers.prepare(text), locale)
    return [float(one.value) for one in found if rank is None or one.rank == rank]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, "5"),
        (0.1, "0.1"),
        ("5", "5"),
        ("-5", "-5"),
        ("\u22125", "-5"),
        ("+5", "5"),
        (".5", "0.5"),
        ("1e5", "100000"),
        ("1,234.5", "1234.5"),
        ("1 234", "1234"),
        ("1\u202f234", "1234"),
        ("1'234", "1234"),
        ("1.234,56", "1234.56"),
        ("$1,234.00", "1234"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("US$5", "5"),
        ("5 €", "5"),
        ("25%", "25"),
        ("1.2 million", "1200000"),
        ("3K", "3000"),
        ("٣٤", "34"),
        ("１２", "12"),
        ("½", "0.5"),
        (" 7 ", "7"),
    ],
)
def test_value_is_a_number(value: Any, expected: str) -> None:
    assert numbers.number(value) == Decimal(expected)


@pytest.mark.parametrize(
    "value",
    [
        True,
        None,
        MISSING,
        [],
        {},
        "",
        "%",
        "5.",
        "1,2345",
        "12,34",
        "19 21",
        "1,2,3",
        "01234",
        "3.10",
        "12 kg",
        "five",
        "2018-2023",
        "2024-05-03",
        "10:30",
        "7.4.1",
        "1_000",
        "(5)",
        "v2",
        "--5",
        float("inf"),
        "9" * 41,
    ],
)
def test_value_is_not_a_number(value: Any) -> None:
    assert numbers.number(value) is None


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("1.234", "en", "1.234"),
        ("1.234", "de", "1234"),
        ("1,5", "de", "1.5"),
        ("1.234,5", "de-AT", "1234.5"),
        ("1,234.5", "de", "1234.5"),
        ("1.5", "de-CH", "1.5"),
        ("1,234", "es-MX", "1234"),
        ("1 234,5", "fr", "1234.5"),
    ],
)
def test_locale_decides_between_point_and_comma(text: str, locale: str, expected: str) -> None:
    assert numbers.number(text, locale) == Decimal(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2018-2023", [2018, 2023]),
        ("2018\u20132023", [2018, 2023]),
        ("10 - 5", [10, 5]),
        ("10 -5", [10, 5]),
        ("it is -5 now", [-5]),
        ("minus 5 and negative $3", [-5, -3]),
        ("COVID-19, F-16, H2O, B2B, A4", []),
        ("5km, 3rd, 18C, 2-bedroom", [5, 3, 18, 2]),
        ("commit 3fa9c1", []),
        ("10 100 200", [10, 100, 200]),
        ("100,000+", [100000]),
        ("1,2345", [1, 2345]),
        ("v7.4.1 or 10.0.0.1", []),
        ("at 10:30, see https://a.example/5?x=6 or a5@b.example", []),
        ("4.5 out of 5", [4.5]),
        ("one.[1] two[2][3]", [1, 2]),
        ("1. lamp\n2. chair for 30", [30]),
        ("5. That is all", [5]),
        ("10² m²", [10]),
        ("007", []),
        ("three", [3]),
        ("twenty-one", [21]),
        ("one hundred and five", [105]),
        ("two million three hundred thousand and one", [2300001]),
        ("sixteen hundred twenty-two", [1622]),
        ("five and six", [5, 6]),
        ("five six", [5, 6]),
        ("twenty and one", [20, 1]),
        ("a hundred", [100]),
        ("minus seven", [-7]),
        ("no one, someone, anyone", []),
        ("a million thanks, hundreds of them", [1000000]),
    ],
)
def test_numbers_are_found_in_a_text(text: str, expected: list[float]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "date",
    [
        "2024-05-03",
        "2024/05/03",
        "03.05.2024",
        "5/3/2024",
        "May 3, 2024",
        "3 May 2024",
        "3rd of May 2024",
        "Sept. 2024",
        "2024-05-03T10:30:00Z",
    ],
)
def test_date_offers_only_its_year_as_a_number(date: str) -> None:
    assert values(f"It came out on {date}.") == [2024]
    assert values(f"It came out on {date}.", rank=0) == []


def test_word_one_and_bracketed_numbers_yield_to_others() -> None:
    assert values("one of the 5 [7]", rank=0) == [5]
    assert values("one of the 5 [7]") == [1, 5, 7]


def test_spaces_may_group_digits() -> None:
    text = numbers.prepare("1 239 722 people")
    assert [one.value for one in numbers.quantities(text, spaced=True)] == [Decimal(1239722)]


@pytest.mark.parametrize(
    ("wanted", "actual", "equal"),
    [
        ("$5", "5 USD", True),
        ("$5", "5", True),
        ("$5", "€5", False),
        ("$5", "5%", False),
        ("25 percent", "25%", True),
        ("$5.50", "$5.5", True),
        ("3.1", "3.10", False),
        (3.1, "3.10", True),
        ("5", "5.0", True),
        (0.3, 0.1 + 0.2, False),
    ],
)
def test_equality_is_exact_in_value_and_unit(wanted: Any, actual: Any, equal: bool) -> None:
    left = numbers.quantity(wanted)
    right = numbers.quantity(actual) or numbers.quantities(numbers.prepare(actual))[0]
    assert left is not None
    assert numbers.same(left, right) is equal
