"""Relative dates in goals."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.dates import DAYS, in_words, relative_dates, with_dates
from pytest_webbench.errors import SettingsError

SUNDAY = date(2026, 11, 29)
TODAYS = st.dates(date(1990, 1, 1), date(2100, 12, 31))


def meaning(text: str, today: date = SUNDAY) -> str:
    ((_, found),) = relative_dates(text, today)
    return found


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("today", "2026-11-29"),
        ("Tonight", "2026-11-29"),
        ("tomorrow", "2026-11-30"),
        ("yesterday", "2026-11-28"),
        ("the day after tomorrow", "2026-12-01"),
        ("day before yesterday", "2026-11-27"),
        ("this Sunday", "2026-11-29"),
        ("next Sunday", "2026-12-06"),
        ("coming Monday", "2026-11-30"),
        ("last Sunday", "2026-11-22"),
        ("in 3 weeks", "2026-12-20"),
        ("in one month", "2026-12-29"),
        ("ten days ago", "2026-11-19"),
        ("2 years ago", "2024-11-29"),
    ],
)
def test_phrase_is_resolved_to_a_day(phrase: str, found: str) -> None:
    assert meaning(f"Flights {phrase}, please").rpartition(", ")[2] == found


@pytest.mark.parametrize(
    ("phrase", "first", "last"),
    [
        ("this week", "2026-11-23", "2026-11-29"),
        ("next week", "2026-11-30", "2026-12-06"),
        ("this weekend", "2026-11-28", "2026-11-29"),
        ("next weekend", "2026-12-05", "2026-12-06"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("next month", "2026-12-01", "2026-12-31"),
        ("next year", "2027-01-01", "2027-12-31"),
    ],
)
def test_phrase_is_resolved_to_several_days(phrase: str, first: str, last: str) -> None:
    found = meaning(phrase)
    assert first in found
    assert found.endswith(last)


def test_short_months_end_earlier() -> None:
    assert meaning("in 1 month", date(2027, 1, 31)).endswith("2027-02-28")


@pytest.mark.parametrize(
    "text", ["", "todays", "next", "in 1998 days", "Monday", "the next one", "in 12 hours"]
)
def test_other_phrases_are_left_alone(text: str) -> None:
    assert list(relative_dates(text, SUNDAY)) == []


def test_repeated_phrase_is_explained_once() -> None:
    assert [phrase for phrase, _ in relative_dates("tomorrow or today or Tomorrow", SUNDAY)] == [
        "tomorrow",
        "today",
    ]


def test_goal_gets_the_date_in_the_configured_time_zone() -> None:
    late = datetime(2026, 11, 29, 20, 30, tzinfo=UTC)
    assert with_dates("Flights for tomorrow", "Asia/Tokyo", lambda: late) == (
        "Flights for tomorrow\n\n"
        'Today is Monday, 2026-11-30 (Asia/Tokyo). "tomorrow" is Tuesday, 2026-12-01.'
    )
    assert "Today is Sunday, 2026-11-29 (UTC)." in with_dates("Flights", "UTC", lambda: late)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_unknown_time_zone_is_a_settings_error(zone: str) -> None:
    with pytest.raises(SettingsError, match="no time zone"):
        with_dates("x", zone)


@given(TODAYS, st.sampled_from(DAYS))
def test_weekdays_are_computed_correctly(today: date, day: str) -> None:
    def of(which: str) -> date:
        found = meaning(f"{which} {day}", today)
        assert found.startswith(day.capitalize())
        return date.fromisoformat(found.rpartition(", ")[2])

    assert today <= of("this") <= today + timedelta(days=6)
    assert today < of("next") <= today + timedelta(days=7)
    assert of("next") == of("coming")
    assert today - timedelta(days=7) <= of("last") < today


@given(TODAYS, st.sampled_from(["day", "week", "month", "year"]), st.integers(1, 999))
def test_more_steps_ahead_are_later(today: date, unit: str, count: int) -> None:
    ahead = date.fromisoformat(meaning(f"in {count} {unit}s", today).rpartition(", ")[2])
    back = date.fromisoformat(meaning(f"{count} {unit}s ago", today).rpartition(", ")[2])
    assert back < today < ahead


@given(st.text(max_size=300), TODAYS)
def test_goal_keeps_its_words(goal: str, today: date) -> None:
    noon = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    said = with_dates(goal, "UTC", lambda: noon)
    assert said.startswith(f"{goal}\n\nToday is {in_words(today)} (UTC).")
