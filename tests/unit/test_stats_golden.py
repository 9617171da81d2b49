"""Statistics against scipy and statsmodels; each value with the call that made it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from pytest_webbench.stats import Design, difference_interval, holm, mcnemar, sign_flip
from pytest_webbench.stats.repeats import student

GOLDEN: Final = json.loads(
    (Path(__file__).parents[1] / "golden" / "statistics.json").read_text(encoding="utf-8")
)
OURS: Final[dict[str, Callable[..., Any]]] = {
    "mcnemar": mcnemar,
    "sign_flip": lambda values, scale: sign_flip([Fraction(value, scale) for value in values]),
    "holm": holm,
    "student": student,
    "power": lambda gap, discordant, tasks: Design(discordant=discordant).power(gap, tasks),
}
# Student's quantile is a series, 0.3 % low for 4 degrees of freedom; all others are exact.
CLOSE: Final = {"student": 3e-3}


@pytest.mark.parametrize(
    "row", GOLDEN["values"], ids=lambda row: f"{row['function']}{row['arguments']}"
)
def test_value_agrees_with_scipy_and_statsmodels(row: dict[str, Any]) -> None:
    found = OURS[row["function"]](*row["arguments"])
    assert found == pytest.approx(row["value"], rel=CLOSE.get(row["function"], 1e-9), abs=1e-12)


def test_interval_equals_a_published_example() -> None:
    """A. Agresti, Categorical Data Analysis, 2nd ed. 2002, section 10.1: 1,600 people asked twice,
    150 changed to no and 86 to yes; the difference is -0.04 with a 95 % interval of -0.06 to
    -0.02.
    """
    asked = [-1.0] * 150 + [1.0] * 86 + [0.0] * (1600 - 236)
    low, high = difference_interval({str(number): [value] for number, value in enumerate(asked)})
    assert (round(low, 2), round(high, 2)) == (-0.06, -0.02)
