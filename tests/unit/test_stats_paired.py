"""Paired comparison: tests agree, intervals cover, multiplicity is corrected."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench.stats import (
    difference_interval,
    holm,
    mcnemar,
    sign_flip,
)

UNHURRIED = settings(deadline=None)
counts = st.integers(0, 60)


@UNHURRIED
@given(counts, counts, counts)
def test_sign_flip_test_of_single_attempts_is_mcnemars(only_a: int, only_b: int, same: int) -> None:
    differences = [Fraction(-1)] * only_a + [Fraction(1)] * only_b + [Fraction(0)] * same
    assert sign_flip(differences) == pytest.approx(mcnemar(only_a, only_b))


@UNHURRIED
@given(counts, counts)
def test_paired_test_is_symmetric(only_a: int, only_b: int) -> None:
    assert 0 < mcnemar(only_a, only_b) == mcnemar(only_b, only_a) <= 1


def test_large_tables_are_exact_and_fast() -> None:
    assert mcnemar(5_000, 5_000) == 1.0
    assert mcnemar(5_000, 5_400) == pytest.approx(
        0.00009, rel=0.1
    )  # (400 - 1) / sqrt(10400) = 3.91 deviations


def test_normal_approximation_continues_the_exact_test() -> None:
    chance = random.Random(5)
    many = [Fraction(chance.randint(-5, 6), 7) for _ in range(700)]
    scaled = [
        value + Fraction(1, 10_007) * chance.randint(-1, 1) for value in many
    ]  # denominators too large to count
    assert sign_flip(scaled) == pytest.approx(sign_flip(many), rel=0.2)


def test_bootstrap_depends_on_the_seed_but_not_on_order() -> None:
    groups = {f"site{number}": [number % 7 / 7] * (number % 5 + 1) for number in range(30)}
    turned = dict(reversed(groups.items()))
    assert difference_interval(groups) == difference_interval(turned)
    assert difference_interval(groups, seed=1) != difference_interval(groups, seed=2)


def test_interval_of_no_tasks_is_minus_1_to_1() -> None:
    assert difference_interval({}) == (-1.0, 1.0)
    assert difference_interval({"empty": []}) == (-1.0, 1.0)


@pytest.mark.parametrize("n", [1, 5, 27, 1000])
def test_interval_is_not_empty_where_no_task_differs(n: int) -> None:
    low, high = difference_interval({str(number): [0.0] for number in range(n)})
    assert -1 <= low == -high < 0
    assert high == pytest.approx(1.96 / (n + 2), rel=0.01)


def test_correlated_sites_widen_the_interval() -> None:
    """20 sites of 6 tasks that all go the same way are worth 20 tasks."""
    chance = random.Random(2)
    sites = {str(number): [float(chance.choice([-1, 0, 1, 1]))] * 6 for number in range(20)}
    alone = {
        f"{site}/{task}": [value]
        for site, values in sites.items()
        for task, value in enumerate(values)
    }
    clustered, independent = difference_interval(sites), difference_interval(alone)
    assert clustered.high - clustered.low > 1.8 * (independent.high - independent.low)


@pytest.mark.parametrize(
    ("tasks", "only_a", "only_b"), [(27, 0.1, 0.3), (60, 0.05, 0.05), (27, 0.02, 0.02)]
)
def test_interval_contains_the_true_difference_often_enough(
    tasks: int, only_a: float, only_b: float
) -> None:
    chance = random.Random(11)
    covered = 0
    for turn in range(120):
        drawn = [
            1.0 if (x := chance.random()) < only_b else -1.0 if x < only_a + only_b else 0.0
            for _ in range(tasks)
        ]
        low, high = difference_interval(
            {str(number): [value] for number, value in enumerate(drawn)}, seed=turn, draws=400
        )
        covered += low <= only_b - only_a <= high
    assert covered / 120 >= 0.92


@UNHURRIED
@given(st.lists(st.floats(0, 1), max_size=8))
def test_correction_never_lowers_a_p_value_and_keeps_the_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(0 <= before <= after <= 1 for before, after in zip(values, corrected, strict=True))
    pairs = sorted(zip(values, corrected, strict=True))
    assert [after for _, after in pairs] == sorted(corrected)


def test_one_comparison_needs_no_correction() -> None:
    assert holm([0.04]) == [0.04]
