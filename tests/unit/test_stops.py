"""When an agent gets nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.stops import CIRCLES, StopLimits, StopRules, Tried, errors_in_a_row, find_cycle, is_stuck

TRIED = st.builds(
    Tried, st.sampled_from("abc"), st.sampled_from("PQ"), st.sampled_from("PQ"), st.booleans(), st.booleans()
)


def moves(text: str) -> list[Tried]:
    """``aP bQ``: action a on page P, then b on Q."""
    return [Tried(word[0], word[1]) for word in text.split()]


@pytest.mark.parametrize(
    "text",
    [
        "aP aP aP",
        "bP aP aP aP",
        "aP bQ aP bQ aP bQ",
        "aP bQ cR aP bQ cR aP bQ cR",
    ],
)
def test_three_rounds_are_a_cycle(text: str) -> None:
    assert find_cycle(moves(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "aP aP",
        "aP aP bP",
        "aP aQ aR",
        "aP bQ aP bQ aP",
        "aP bP cP dP aP bP cP dP aP bP cP dP",
    ],
)
def test_fewer_rounds_other_pages_and_longer_periods_are_none(text: str) -> None:
    assert find_cycle(moves(text)) is None


def test_a_cycle_is_the_same_wherever_it_is_entered() -> None:
    assert find_cycle(moves("aP bQ aP bQ aP bQ")) == find_cycle(moves("bQ aP bQ aP bQ aP"))


@given(st.lists(TRIED, max_size=8), st.lists(TRIED, min_size=1, max_size=3))
def test_any_block_of_up_to_three_repeated_three_times_is_found_whatever_was_before(
    before: list[Tried], block: list[Tried]
) -> None:
    found = find_cycle([*before, *block * 3])
    assert found
    assert found <= {(one.action, one.before) for one in block}


@given(st.lists(TRIED, max_size=30, unique_by=lambda one: (one.action, one.before)))
def test_what_never_repeats_is_no_cycle(tried: list[Tried]) -> None:
    assert find_cycle(tried) is None


@given(st.lists(TRIED, max_size=30), st.integers(1, 5))
def test_stuck_means_so_many_actions_since_the_page_last_changed(tried: list[Tried], most: int) -> None:
    changes = [index for index, one in enumerate(tried) if one.before != one.after]
    since = tried[changes[-1] + 1 :] if changes else tried
    assert is_stuck(tried, most) == (sum(not one.wait and not one.error for one in since) >= most)


@given(st.lists(TRIED, max_size=30))
def test_errors_are_counted_since_the_last_action_that_worked(tried: list[Tried]) -> None:
    count = errors_in_a_row(tried)
    assert all(one.error for one in tried[len(tried) - count :])
    assert count == len(tried) or not tried[len(tried) - count - 1].error


def in_vain(count: int, *, wait: bool = False, error: bool = False) -> StopRules:
    rules = StopRules()
    for number in range(count):
        rules.add(Tried(f"a{number}", "P", "P", wait, error))
    return rules


def test_third_action_without_effect_stops() -> None:
    assert not in_vain(2).reason()
    assert in_vain(3).reason() == "the page did not change in the last 3 actions"


def test_waiting_is_free() -> None:
    assert not in_vain(20, wait=True).reason()


def test_fifth_error_in_a_row_stops() -> None:
    assert not in_vain(4, error=True).reason()
    assert in_vain(5, error=True).reason() == "the last 5 actions could not be done"


def test_first_cycle_is_looked_at_again_and_the_second_time_stops() -> None:
    rules = StopRules()
    for one in moves("aP aP"):
        assert not rules.repeats(one.action, one.before)
        rules.add(one)
    assert rules.repeats("a", "P")
    assert not rules.reason()
    assert not rules.repeats("b", "P")
    assert rules.repeats("a", "P")
    assert rules.reason() == CIRCLES


def test_third_different_cycle_stops_at_once() -> None:
    rules = StopRules(StopLimits(cycles=2))
    stops = []
    for action in "abc":
        for one in moves(f"{action}P {action}P"):
            rules.add(one)
        assert rules.repeats(action, "P")
        stops.append(bool(rules.reason()))
    assert stops == [False, False, True]
