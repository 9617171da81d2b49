"""Repeats: estimators against every subset counted by hand, intervals against what they promise."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench.stats import Repeats, all_k, clustered_interval, disagreement, mean_share, pass_at_k, wilson
from pytest_webbench.stats.repeats import student

UNHURRIED = settings(deadline=None)
attempts = st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@UNHURRIED
@given(attempts, st.integers(1, 8))
def test_estimators_are_shares_of_all_choices_of_k_attempts(task: tuple[int, int], k: int) -> None:
    passed, graded = task
    k = min(k, graded)
    choices = list(combinations([True] * passed + [False] * (graded - passed), k))
    assert pass_at_k(passed, graded, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert all_k(passed, graded, k) == pytest.approx(sum(map(all, choices)) / len(choices))
    if k == 2:
        differing = sum(one != other for one, other in choices)
        assert disagreement(passed, graded) == pytest.approx(differing / len(choices))


def test_estimate_is_that_of_the_paper_s_formula() -> None:
    """M. Chen et al. 2021, figure 3: 1 - prod(1 - k / i) for i from n - c + 1 to n."""
    expected = 1 - math.prod(1 - 10 / i for i in range(200 - 12 + 1, 201))
    assert pass_at_k(12, 200, 10) == pytest.approx(expected)


@pytest.mark.parametrize(("passed", "graded", "k"), [(1, 2, 3), (0, 0, 1), (3, 2, 1), (1, 2, 0), (-1, 2, 1)])
def test_more_attempts_than_were_graded_cannot_be_told_about(passed: int, graded: int, k: int) -> None:
    for estimate in (pass_at_k, all_k):
        with pytest.raises(ValueError, match=f"^{passed} of {graded} passed cannot tell about {k} attempts$"):
            estimate(passed, graded, k)


@UNHURRIED
@given(st.lists(st.booleans(), max_size=50))
def test_one_attempt_per_task_gives_wilsons_interval_to_the_bit(passed: list[bool]) -> None:
    assert clustered_interval([Repeats(int(one), 1) for one in passed]) == wilson(sum(passed), len(passed))


@UNHURRIED
@given(st.lists(attempts, min_size=1, max_size=30))
def test_interval_holds_the_rate_and_is_no_narrower_than_for_independent_attempts(tasks: list[tuple[int, int]]) -> None:
    passed, graded = sum(task[0] for task in tasks), sum(task[1] for task in tasks)
    low, high = clustered_interval([Repeats(*task) for task in tasks])
    independent = wilson(passed, graded)
    assert 0 <= low <= passed / graded <= high <= 1
    assert high - low >= independent.high - independent.low - 1e-12


def test_tasks_without_a_graded_attempt_count_for_nothing() -> None:
    assert clustered_interval([Repeats(1, 2), Repeats(0, 0), Repeats(2, 2)]) == clustered_interval(
        [Repeats(1, 2), Repeats(2, 2)]
    )


def test_repeating_one_task_says_no_more_than_one_task() -> None:
    assert clustered_interval([Repeats(100, 100)]) == wilson(1, 1)


def test_mean_of_no_tasks_is_nothing() -> None:
    assert mean_share([]) is None


@UNHURRIED
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_interval_of_a_mean_holds_it(values: list[float]) -> None:
    share = mean_share(values)
    assert share is not None
    assert share.n == len(values)
    assert share.value == pytest.approx(sum(values) / len(values))
    assert 0 <= share.interval.low <= share.value <= share.interval.high <= 1


@pytest.mark.parametrize(("tasks", "repeats", "shape"), [(27, 3, 0.5), (27, 5, 0.1), (10, 5, 0.5), (60, 3, 2.0)])
def test_interval_covers_the_truth_where_the_naive_one_does_not(tasks: int, repeats: int, shape: float) -> None:
    """Tasks whose chance to pass is drawn from a symmetric beta distribution: the truth is one half."""
    chance = random.Random(7)
    covered = naive = 0
    for _ in range(1_000):
        drawn = []
        for _ in range(tasks):
            ease = chance.betavariate(shape, shape)
            drawn.append(Repeats(sum(chance.random() < ease for _ in range(repeats)), repeats))
        low, high = clustered_interval(drawn)
        covered += low <= 0.5 <= high
        low, high = wilson(sum(task.passed for task in drawn), tasks * repeats)
        naive += low <= 0.5 <= high
    assert 0.93 <= covered / 1_000 <= 0.99
    assert naive / 1_000 < 0.92


def test_quantile_falls_towards_the_normal_one() -> None:
    quantiles = [student(freedom) for freedom in (1, 2, 3, 5, 10, 100, 10_000)]
    assert quantiles == sorted(quantiles, reverse=True)
    assert quantiles[-1] == pytest.approx(1.96, abs=0.001)
