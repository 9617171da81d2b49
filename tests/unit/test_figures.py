"""Figures of a site: the same for an edition, others in the next, and possible ones."""

from __future__ import annotations

import doctest
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.world.kit import (
    Edition,
    duration,
    figures,
    line,
    month_of,
    score,
    standings,
    walk,
    weather,
)

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
NAMES = ["Reds", "Blues", "Greens", "Whites"]


def test_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(figures).failed == 0


@given(st.integers(0, 500), st.floats(0.01, 1e6), st.integers(0, 60), st.floats(0, 0.2))
def test_walk_ends_at_the_last_quote_in_steps_of_at_most_the_swing(
    number: int, last: float, steps: int, swing: float
) -> None:
    values = walk(Edition(number).draw("x"), last=last, steps=steps, swing=swing)
    assert len(values) == steps + 1
    assert values[-1] == last
    for before, after in pairwise(values):
        assert abs(after / before - 1) <= swing + 1e-9


def test_figures_are_those_of_their_edition() -> None:
    made = [[standings(Edition(n).draw("t"), NAMES, played=40) for n in (0, 1)] for _ in "ab"]
    assert made[0] == made[1]
    assert made[0][0] != made[0][1]


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("played", [8, 17, 34, 82, 162])
def test_standings_are_possible_and_have_one_leader(played: int, draws: bool) -> None:
    for number in range(30):
        table = standings(Edition(number).draw("t"), NAMES, played=played, draws=draws)
        assert {one.name for one in table} == set(NAMES)
        assert all(one.played == played for one in table)
        assert min(one.won for one in table) >= 0
        assert min(one.lost for one in table) >= 0
        points = [one.points for one in table]
        assert points == sorted(set(points), reverse=True)


@pytest.mark.parametrize(
    ("won", "played", "share"), [(5, 8, ".625"), (0, 3, ".000"), (3, 3, "1.000")]
)
def test_share_of_games_won(won: int, played: int, share: str) -> None:
    assert figures.Standing("Reds", won, 0, played - won).share == share


@given(st.integers(0, 500))
def test_scores_are_within_bounds_and_differ(number: int) -> None:
    home, away = score(Edition(number).draw("s"), low=88, high=131)
    assert home != away
    assert min(home, away) >= 88
    assert max(home, away) <= 131


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00:00.000"), (59.9996, "0:01:00.000"), (3600, "1:00:00.000"), (5415.05, "1:30:15.050")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_lines_share_a_scale_if_told() -> None:
    assert line([2, 2], width=10, height=10) == "M0.0,10.0L10.0,10.0"
    assert line([5, 10], width=10, height=10, top=10) == "M0.0,5.0L10.0,0.0"
    assert line([7], width=10, height=10) == "M0.0,10.0"


def test_weather_goes_with_the_season_and_from_moment_to_moment() -> None:
    days = weather(Edition(1).draw("w"), NOON, count=3, step=timedelta(days=1), mean=5)
    assert [day.when.day for day in days] == [31, 1, 2]
    assert all(day.low < day.high for day in days)
    july = weather(
        Edition(1).draw("w"), NOON.replace(month=7), count=3, step=timedelta(days=1), mean=5
    )
    assert min(day.high for day in july) > max(day.high for day in days)
    assert days[0].high_f == round(days[0].high * 1.8 + 32)


def test_months_are_whole_weeks() -> None:
    weeks = month_of(date(2026, 11, 24))
    assert weeks[0][0] == date(2026, 11, 1)
    assert weeks[-1][-1] == date(2026, 12, 5)
    assert {len(week) for week in weeks} == {7}
