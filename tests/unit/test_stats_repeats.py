"""Repeats: estimators against every subset counted by hand, intervals against what they promise."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench.stats import (
    Repeats,
    all_k,
    clustered_interval,
    disagreement,
    mean_share,
    pass_at_k,
    pass_rate,
    wilson,
)
from pytest_webbench.stats.rates import score_interval
from pytest_webbench.stats.repeats import Share, student

UNHURRIED = settings(deadline=None)
attempts = st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@UNHURRIED
@given(attempts, st.integers(1, 8))
def test_pass_at_k_is_the_share_of_all_choices(task: tuple[int, int], k: int) -> None:
    passed, graded = task
    k = min(k, graded)
    choices = list(combinations([True] * passed + [False] * (graded - passed), k))
    assert pass_at_k(passed, graded, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert all_k(passed, graded, k) == pytest.approx(sum(map(all, choices)) / len(choices))
    if k == 2:
        differing = sum(one != other for one, other in choices)
        assert disagreement(passed, graded) == pytest.approx(differing / len(choices))


def test_estimate_equals_the_papers_formula() -> None:
    """M. Chen et al. 2021, figure 3: 1 - prod(1 - k / i) for i from n - c + 1 to n."""
    expected = 1 - math.prod(1 - 10 / i for i in range(200 - 12 + 1, 201))
    assert pass_at_k(12, 200, 10) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("passed", "graded", "k"), [(1, 2, 3), (0, 0, 1), (3, 2, 1), (1, 2, 0), (-1, 2, 1)]
)
def test_more_attempts_than_were_graded_are_refused(passed: int, graded: int, k: int) -> None:
    for estimate in (pass_at_k, all_k):
        with pytest.raises(
            ValueError, match=f"^{passed} of {graded} passed says nothing about {k} attempts$"
        ):
            estimate(passed, graded, k)


@UNHURRIED
@given(st.lists(st.booleans(), max_size=50))
def test_one_attempt_per_task_gives_exactly_wilsons_interval(passed: list[bool]) -> None:
    tasks = [Repeats(int(one), 1) for one in passed]
    expected = wilson(sum(passed), len(passed))
    assert clustered_interval(tasks) == expected
    rate = pass_rate(tasks)
    assert (rate.interval if rate else wilson(0, 0)) == expected


@UNHURRIED
@given(st.lists(attempts, min_size=1, max_size=30))
def test_repeats_never_widen_the_interval_beyond_one_attempt_per_task(
    tasks: list[tuple[int, int]],
) -> None:
    rate = pass_rate([Repeats(*task) for task in tasks])
    assert rate is not None
    assert rate.value == pytest.approx(sum(one[0] / one[1] for one in tasks) / len(tasks))
    attempts = sum(task[1] for task in tasks)
    assert 0 <= rate.interval.low <= rate.value <= rate.interval.high <= 1
    width = _width(rate.interval)
    assert width <= _width(score_interval(rate.value, len(tasks))) + 1e-12
    assert width >= _width(score_interval(rate.value, attempts)) - 1e-12


@pytest.mark.parametrize("times", [1, 2, 3, 10, 100])
@pytest.mark.parametrize("passed", [0, 1, 2, 3])
def test_identical_attempts_count_as_one_attempt(passed: int, times: int) -> None:
    tasks = [Repeats(times, times)] * passed + [Repeats(0, times)] * (3 - passed)
    assert pass_rate(tasks) == Share(passed / 3, 3, wilson(passed, 3))
    assert clustered_interval(tasks) == pytest.approx(wilson(passed, 3))


@UNHURRIED
@given(st.lists(attempts, min_size=1, max_size=30))
def test_repeated_data_never_widens_the_interval(tasks: list[tuple[int, int]]) -> None:
    once = pass_rate([Repeats(*task) for task in tasks])
    thrice = pass_rate([Repeats(3 * passed, 3 * graded) for passed, graded in tasks])
    assert once is not None
    assert thrice is not None
    assert _width(thrice.interval) <= _width(once.interval) + 1e-12


def _width(interval: tuple[float, float]) -> float:
    return interval[1] - interval[0]


@UNHURRIED
@given(st.lists(attempts, min_size=1, max_size=30))
def test_clustered_interval_is_never_narrower_than_wilsons(
    tasks: list[tuple[int, int]],
) -> None:
    passed, graded = sum(task[0] for task in tasks), sum(task[1] for task in tasks)
    low, high = clustered_interval([Repeats(*task) for task in tasks])
    independent = wilson(passed, graded)
    assert 0 <= low <= passed / graded <= high <= 1
    assert high - low >= independent.high - independent.low - 1e-12


def test_no_graded_attempt_gives_no_rate() -> None:
    assert pass_rate([]) is None
    assert pass_rate([Repeats(0, 0)]) is None


def test_tasks_without_a_graded_attempt_are_ignored() -> None:
    assert clustered_interval([Repeats(1, 2), Repeats(0, 0), Repeats(2, 2)]) == clustered_interval(
        [Repeats(1, 2), Repeats(2, 2)]
    )


def test_repeats_of_one_task_do_not_narrow_the_interval() -> None:
    assert clustered_interval([Repeats(100, 100)]) == wilson(1, 1)


def test_mean_of_no_tasks_is_none() -> None:
    assert mean_share([]) is None


@UNHURRIED
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_interval_of_a_mean_contains_it(values: list[float]) -> None:
    share = mean_share(values)
    assert share is not None
    assert share.n == len(values)
    assert share.value == pytest.approx(sum(values) / len(values))
    assert 0 <= share.interval.low <= share.value <= share.interval.high <= 1


@pytest.mark.parametrize(
    ("tasks", "repeats", "shape"), [(27, 3, 0.5), (27, 5, 0.1), (10, 5, 0.5), (60, 3, 2.0)]
)
def test_interval_contains_the_true_rate_where_wilsons_fails(
    tasks: int, repeats: int, shape: float
) -> None:
    """Tasks whose chance to pass is drawn from a symmetric beta distribution: the truth is one
    half.
    """
    chance = random.Random(7)
    covered = naive = 0
    for _ in range(1_000):
        drawn = []
        for _ in range(tasks):
            ease = chance.betavariate(shape, shape)
            drawn.append(Repeats(sum(chance.random() < ease for _ in range(repeats)), repeats))
        rate = pass_rate(drawn)
        assert rate is not None
        low, high = rate.interval
        covered += low <= 0.5 <= high
        low, high = wilson(sum(task.passed for task in drawn), tasks * repeats)
        naive += low <= 0.5 <= high
    assert 0.93 <= covered / 1_000 <= 0.99
    assert naive / 1_000 < 0.92


def test_students_quantile_falls_towards_the_normal_one() -> None:
    quantiles = [student(freedom) for freedom in (1, 2, 3, 5, 10, 100, 10_000)]
    assert quantiles == sorted(quantiles, reverse=True)
    assert quantiles[-1] == pytest.approx(1.96, abs=0.001)
