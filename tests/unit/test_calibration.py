"""Whether probabilities are as often right as they say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.stats.calibration import probabilities, reliability

CHOICES = st.lists(st.tuples(st.floats(0, 1), st.booleans()))


def test_choices_are_sorted_into_bins() -> None:
    found = reliability([(0.95, True), (0.85, True), (0.85, False), (0.05, False), (1.0, True)])
    assert [(one.low, one.high, one.n, one.right) for one in found.bins] == [
        (0.0, 0.1, 1, 0),
        (0.8, 0.9, 2, 1),
        (0.9, 1.0, 2, 2),
    ]
    assert found.error == pytest.approx((0.05 + 2 * 0.35 + 2 * 0.025) / 5)
    assert found.brier == pytest.approx((0.05**2 + 0.15**2 + 0.85**2 + 0.05**2) / 5)
    assert found.bins[1].interval.low < found.bins[1].rate == 0.5 < found.bins[1].interval.high


def test_certain_and_right_is_perfectly_calibrated() -> None:
    found = reliability([(1.0, True)] * 5 + [(0.0, False)] * 5)
    assert (found.error, found.brier) == (0.0, 0.0)


def test_no_choices_give_an_error_of_zero() -> None:
    assert reliability([]).n == 0


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_number_that_is_not_a_probability_is_refused(probability: float) -> None:
    with pytest.raises(ValueError, match="is not a probability"):
        reliability([(probability, True)])


@given(CHOICES, st.integers(1, 20))
def test_every_choice_is_counted_once(choices: list[tuple[float, bool]], bins: int) -> None:
    found = reliability(choices, bins)
    assert sum(one.n for one in found.bins) == found.n == len(choices)
    assert sum(one.right for one in found.bins) == sum(right for _, right in choices)
    assert 0 <= found.error <= 1
    assert 0 <= found.brier <= 1
    assert all(one.low - 1e-9 <= one.mean_probability <= one.high + 1e-9 for one in found.bins)


def test_probabilities_are_read_from_a_journal() -> None:
    notes: list[dict[str, Any]] = [
        {"kind": "decision", "number": 1, "probability": 0.5},
        {"kind": "bad_reply", "number": 2, "probability": 0.5},
        {"kind": "decision", "number": 3, "probability": None},
        {"kind": "decision", "number": 4, "probability": float("nan")},
        {"kind": "decision", "number": 5, "probability": 1},
        {"kind": "decision", "number": "6", "probability": 1},
        {},
    ]
    assert probabilities(notes) == {1: 0.5, 5: 1.0}
