"""Rates and intervals against published values; the tally against its arithmetic."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webbench.stats import Tally, wilson
from pytest_webbench.stats.rates import Z95

# scipy 1.17.1: binomtest(successes, n).proportion_ci(0.95, method="wilson")
BY_SCIPY = [
    (0, 1, 0.0, 0.7934506856227626),
    (1, 1, 0.20654931437723745, 1.0),
    (1, 2, 0.09453120573423074, 0.9054687942657693),
    (0, 10, 0.0, 0.27753279986288926),
    (5, 10, 0.236593090512564, 0.7634069094874361),
    (10, 10, 0.7224672001371109, 1.0),
    (24, 27, 0.7194219918172018, 0.9614796517169018),
    (1, 100, 0.001767432064140647, 0.054486196178705315),
    (999, 1000, 0.9943574414020421, 0.9998234536293739),
    (123_456, 1_000_000, 0.12281269653142284, 0.12410219641400437),
]
# R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3 (score, no continuity
# correction).
BY_NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]

UNHURRIED = settings(deadline=None)

trials = st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
reasons = st.sampled_from(["infra", "blocked", "drifted", "verifier_error"])
tallies = st.builds(
    Tally,
    st.integers(0, 500),
    st.integers(0, 500),
    st.dictionaries(reasons, st.integers(0, 500)).map(Counter),
)


# -- the interval ------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "n", "low", "high"), BY_SCIPY)
def test_interval_agrees_with_scipy(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("successes", "n", "low", "high"), BY_NEWCOMBE)
def test_interval_agrees_with_newcombe(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=0.00005)


def test_quantile_is_the_one_of_95_percent() -> None:
    assert math.erf(Z95 / math.sqrt(2)) == pytest.approx(0.95, abs=1e-15)


def test_interval_of_no_trials_is_0_to_1() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 50, 1000, 10**9])
def test_interval_without_success_starts_at_exactly_zero(n: int) -> None:
    assert wilson(0, n).low == 0.0


@pytest.mark.parametrize("n", [1, 2, 3, 7, 50, 1000, 10**9])
def test_interval_of_all_successes_ends_at_exactly_one(n: int) -> None:
    assert wilson(n, n).high == 1.0


@pytest.mark.parametrize("n", [1, 3, 10, 100, 1000])
def test_interval_of_only_successes_has_the_closed_form(n: int) -> None:
    assert wilson(n, n).low == pytest.approx(n / (n + Z95**2))


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 5), (6, 5), (-1, 0), (0, -1), (-2, -1)])
def test_impossible_count_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"^{successes} successes of {n} are impossible$"):
        wilson(successes, n)


@UNHURRIED
@given(trials)
def test_interval_contains_the_rate(counts: tuple[int, int]) -> None:
    successes, n = counts
    low, high = wilson(successes, n)
    assert 0.0 <= low <= successes / n <= high <= 1.0


@UNHURRIED
@given(trials, st.integers(2, 50))
def test_interval_narrows_with_more_trials(counts: tuple[int, int], factor: int) -> None:
    successes, n = counts
    few, many = wilson(successes, n), wilson(successes * factor, n * factor)
    assert many.high - many.low < few.high - few.low


@UNHURRIED
@given(trials)
def test_interval_of_failures_mirrors_the_one_of_successes(counts: tuple[int, int]) -> None:
    successes, n = counts
    low, high = wilson(successes, n)
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@UNHURRIED
@given(trials.filter(lambda counts: counts[0] < counts[1]))
def test_one_more_success_moves_both_ends_up(counts: tuple[int, int]) -> None:
    successes, n = counts
    before, after = wilson(successes, n), wilson(successes + 1, n)
    assert before.low < after.low
    assert before.high < after.high


@UNHURRIED
@given(trials)
def test_higher_confidence_needs_a_wider_interval(counts: tuple[int, int]) -> None:
    inner, outer = wilson(*counts), wilson(*counts, z=2.5758293035489004)
    assert outer.low <= inner.low
    assert inner.high <= outer.high


# -- the tally ---------------------------------------------------------------------------------


def test_tally_counts_each_outcome_once() -> None:
    tally = Tally.of(
        [
            ("passed", ""),
            ("unscored", "infra"),
            ("failed", ""),
            ("passed", ""),
            ("unscored", "blocked"),
            ("unscored", "infra"),
        ]
    )
    assert tally == Tally(2, 1, Counter(infra=2, blocked=1))


def test_tally_accepts_any_iterable() -> None:
    assert Tally.of(pair for pair in [("passed", ""), ("unscored", "drifted")]).n == 2


def test_unscored_without_a_reason_is_counted_as_unknown() -> None:
    assert Tally.of([("unscored", "")]).unscored == Counter(unknown=1)


def test_reason_of_a_scored_item_is_ignored() -> None:
    assert Tally.of([("failed", "left over")]) == Tally(0, 1, Counter())


def test_unknown_outcome_is_refused() -> None:
    with pytest.raises(ValueError, match="skipped"):
        Tally.of([("passed", ""), ("skipped", "")])


def test_unscored_items_are_in_n_but_not_in_the_rate() -> None:
    tally = Tally(3, 1, Counter(infra=4))
    assert (tally.n, tally.graded, tally.rate) == (8, 4, 0.75)


def test_rate_is_none_if_nothing_is_graded() -> None:
    assert Tally(0, 0, Counter(infra=4)).rate is None


def test_interval_is_0_to_1_if_nothing_is_graded() -> None:
    assert Tally(0, 0, Counter(infra=4)).interval == (0.0, 1.0)


def test_interval_counts_graded_items_only() -> None:
    assert Tally(24, 3, Counter(infra=9)).interval == wilson(24, 27)


@pytest.mark.parametrize(
    ("tally", "bounds"),
    [
        (Tally(), (0, 1)),
        (Tally(3, 1), (0.75, 0.75)),
        (Tally(3, 1, Counter(infra=4)), (0.375, 0.875)),
        (Tally(0, 0, Counter(infra=2, blocked=3)), (0.0, 1.0)),
        (Tally(0, 1, Counter(blocked=1)), (0.0, 0.5)),
        (Tally(1, 0, Counter(blocked=1)), (0.5, 1.0)),
    ],
)
def test_bounds_count_unscored_items_as_failed_and_as_passed(
    tally: Tally, bounds: tuple[float, float]
) -> None:
    assert tally.bounds == bounds


@UNHURRIED
@given(tallies)
def test_bounds_contain_the_rate(tally: Tally) -> None:
    low, high = tally.bounds
    rate = tally.rate if tally.rate is not None else 0.5
    assert 0.0 <= low <= rate <= high <= 1.0


@UNHURRIED
@given(tallies)
def test_width_of_the_bounds_is_the_unscored_share(tally: Tally) -> None:
    low, high = tally.bounds
    assert high - low == pytest.approx(tally.unscored.total() / tally.n if tally.n else 1.0)


@UNHURRIED
@given(st.lists(st.tuples(st.sampled_from(["passed", "failed", "unscored"]), reasons)))
def test_every_item_is_in_the_tally(outcomes: list[tuple[str, str]]) -> None:
    assert Tally.of(outcomes).n == len(outcomes)


def test_tallies_do_not_share_their_counters() -> None:
    assert Tally().unscored is not Tally().unscored
