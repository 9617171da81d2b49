"""Paired comparison: tests agree with each other, intervals cover, several comparisons are corrected for."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench.stats import difference_interval, evidence_of_a_difference, holm, mcnemar, sign_flip

UNHURRIED = settings(deadline=None)
counts = st.integers(0, 60)


@UNHURRIED
@given(counts, counts, counts)
def test_flipping_signs_of_single_attempts_is_mcnemars_test(only_a: int, only_b: int, same: int) -> None:
    differences = [Fraction(-1)] * only_a + [Fraction(1)] * only_b + [Fraction(0)] * same
    assert sign_flip(differences) == pytest.approx(mcnemar(only_a, only_b))


@UNHURRIED
@given(counts, counts)
def test_neither_side_is_favoured(only_a: int, only_b: int) -> None:
    assert 0 < mcnemar(only_a, only_b) == mcnemar(only_b, only_a) <= 1


def test_large_tables_are_exact_and_quick() -> None:
    assert mcnemar(5_000, 5_000) == 1.0
    assert mcnemar(5_000, 5_400) == pytest.approx(0.00009, rel=0.1)  # (400 - 1) / sqrt(10400) = 3.91 deviations


def test_normal_approximation_takes_over_without_a_jump() -> None:
    chance = random.Random(5)
    many = [Fraction(chance.randint(-5, 6), 7) for _ in range(700)]
    scaled = [value + Fraction(1, 10_007) * chance.randint(-1, 1) for value in many]  # denominators too large to count
    assert sign_flip(scaled) == pytest.approx(sign_flip(many), rel=0.2)


def test_interval_is_the_same_for_the_same_seed_and_order_does_not_matter() -> None:
    groups = {f"site{number}": [number % 7 / 7] * (number % 5 + 1) for number in range(30)}
    turned = dict(reversed(groups.items()))
    assert difference_interval(groups) == difference_interval(turned)
    assert difference_interval(groups, seed=1) != difference_interval(groups, seed=2)


def test_no_tasks_say_nothing() -> None:
    assert difference_interval({}) == (-1.0, 1.0)
    assert difference_interval({"empty": []}) == (-1.0, 1.0)


@pytest.mark.parametrize("n", [1, 5, 27, 1000])
def test_tasks_that_all_end_alike_still_leave_doubt(n: int) -> None:
    low, high = difference_interval({str(number): [0.0] for number in range(n)})
    assert -1 <= low == -high < 0
    assert high == pytest.approx(1.96 / (n + 2), rel=0.01)


def test_sites_whose_tasks_are_alike_widen_the_interval() -> None:
    """20 sites of 6 tasks that all go the same way are worth 20 tasks."""
    chance = random.Random(2)
    sites = {str(number): [float(chance.choice([-1, 0, 1, 1]))] * 6 for number in range(20)}
    alone = {f"{site}/{task}": [value] for site, values in sites.items() for task, value in enumerate(values)}
    clustered, independent = difference_interval(sites), difference_interval(alone)
    assert clustered.high - clustered.low > 1.8 * (independent.high - independent.low)


@pytest.mark.parametrize(("tasks", "only_a", "only_b"), [(27, 0.1, 0.3), (60, 0.05, 0.05), (27, 0.02, 0.02)])
def test_interval_covers_the_truth(tasks: int, only_a: float, only_b: float) -> None:
    chance = random.Random(11)
    covered = 0
    for turn in range(120):
        drawn = [1.0 if (x := chance.random()) < only_b else -1.0 if x < only_a + only_b else 0.0 for _ in range(tasks)]
        low, high = difference_interval(
            {str(number): [value] for number, value in enumerate(drawn)}, seed=turn, draws=400
        )
        covered += low <= only_b - only_a <= high
    assert covered / 120 >= 0.92


@UNHURRIED
@given(st.lists(st.floats(0, 1), max_size=8))
def test_correction_never_makes_a_difference_surer_and_keeps_the_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(0 <= before <= after <= 1 for before, after in zip(values, corrected, strict=True))
    pairs = sorted(zip(values, corrected, strict=True))
    assert [after for _, after in pairs] == sorted(corrected)


def test_one_comparison_needs_no_correction() -> None:
    assert holm([0.04]) == [0.04]


def test_looking_after_every_task_rarely_finds_a_difference_that_is_none() -> None:
    """The promise of an e-value: equal agents ever reach 20 in at most 5 % of sessions."""
    chance = random.Random(3)
    alarms = 0
    for _ in range(1_000):
        wins = [0, 0]
        for _ in range(200):
            wins[chance.random() < 0.5] += 1
            if evidence_of_a_difference(*wins) >= 20:
                alarms += 1
                break
    assert alarms / 1_000 <= 0.05


def test_evidence_grows_with_a_lead_and_is_1_before_the_first_task() -> None:
    assert evidence_of_a_difference(0, 0) == 1
    assert evidence_of_a_difference(3, 30) > 1_000
    assert evidence_of_a_difference(10, 10) < 1
    assert evidence_of_a_difference(0, 100_000) > 1e300
