"""When an agent gets nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.stop_rules import (
    CIRCLES,
    AttemptedAction,
    StopLimits,
    StopRules,
    errors_in_a_row,
    find_cycle,
    is_stuck,
)

TRIED = st.builds(
    AttemptedAction,
    st.sampled_from("abc"),
    st.sampled_from("PQ"),
    st.sampled_from("PQ"),
    st.booleans(),
    st.booleans(),
)


def moves(text: str) -> list[AttemptedAction]:
    """``aP bQ``: action a on page P, then b on Q."""
    return [AttemptedAction(word[0], word[1]) for word in text.split()]


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
def test_fewer_rounds_other_pages_and_longer_periods_are_no_cycle(text: str) -> None:
    assert find_cycle(moves(text)) is None


def test_cycle_is_recognised_from_any_start() -> None:
    assert find_cycle(moves("aP bQ aP bQ aP bQ")) == find_cycle(moves("bQ aP bQ aP bQ aP"))


@given(st.lists(TRIED, max_size=8), st.lists(TRIED, min_size=1, max_size=3))
def test_short_block_repeated_three_times_is_a_cycle(
    before: list[AttemptedAction], block: list[AttemptedAction]
) -> None:
    found = find_cycle([*before, *block * 3])
    assert found
    assert found <= {(one.action, one.before) for one in block}


@given(st.lists(TRIED, max_size=30, unique_by=lambda one: (one.action, one.before)))
def test_sequence_without_repeats_is_no_cycle(tried: list[AttemptedAction]) -> None:
    assert find_cycle(tried) is None


@given(st.lists(TRIED, max_size=30), st.integers(1, 5))
def test_stuck_counts_actions_since_the_last_change(
    tried: list[AttemptedAction], most: int
) -> None:
    changes = [index for index, one in enumerate(tried) if one.before != one.after]
    since = tried[changes[-1] + 1 :] if changes else tried
    assert is_stuck(tried, most) == (sum(not one.wait and not one.error for one in since) >= most)


@given(st.lists(TRIED, max_size=30))
def test_errors_are_counted_since_the_last_action_that_worked(tried: list[AttemptedAction]) -> None:
    count = errors_in_a_row(tried)
    assert all(one.error for one in tried[len(tried) - count :])
    assert count == len(tried) or not tried[len(tried) - count - 1].error


def in_vain(count: int, *, wait: bool = False, error: bool = False) -> StopRules:
    rules = StopRules()
    for number in range(count):
        rules.add(AttemptedAction(f"a{number}", "P", "P", wait, error))
    return rules


def test_third_action_without_effect_stops() -> None:
    assert not in_vain(2).reason()
    assert in_vain(3).reason() == "the page did not change in the last 3 actions"


def test_waiting_does_not_count_as_stuck() -> None:
    assert not in_vain(20, wait=True).reason()


def test_fifth_error_in_a_row_stops() -> None:
    assert not in_vain(4, error=True).reason()
    assert in_vain(5, error=True).reason() == "the last 5 actions could not be done"


def test_cycle_stops_when_seen_twice() -> None:
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
