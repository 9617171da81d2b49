"""Resolves relative dates in a goal: a model does not know which day it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import SettingsError

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLAIN: Final = r"today|tonight|tomorrow|yesterday|(?:the )?day (?:after tomorrow|before yesterday)"
_COUNT: Final = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_RELATIVE: Final = re.compile(
    rf"\b(?:(?P<plain>{_PLAIN})"
    rf"|(?P<which>this|next|last|coming) (?P<unit>{'|'.join(DAYS)}|weekend|week|month|year)"
    rf"|in (?P<ahead>{_COUNT}) (?P<step>day|week|month|year)s?"
    rf"|(?P<back>{_COUNT}) (?P<ago>day|week|month|year)s? ago)\b",
    re.IGNORECASE,
)
_PLAIN_OFFSETS: Final = {
    "tomorrow": 1,
    "yesterday": -1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
}

Span = tuple[date, date]
"""First and last day."""


def utc_now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


def with_dates(goal: str, zone: str, now: Callable[[], datetime] = utc_now) -> str:
    """The goal, followed by the date in ``zone`` and the meaning of the goal's relative dates.

    >>> now = datetime(2026, 11, 29, 20, tzinfo=UTC)
    >>> print(with_dates("Flights for tomorrow", "Asia/Tokyo", lambda: now))
    Flights for tomorrow
    <BLANKLINE>
    Today is Monday, 2026-11-30 (Asia/Tokyo). "tomorrow" is Tuesday, 2026-12-01.
    """
    today = now().astimezone(time_zone(zone)).date()
    parts = [f"Today is {in_words(today)} ({zone})."]
    parts += [f'"{phrase}" is {meaning}.' for phrase, meaning in relative_dates(goal, today)]
    return f"{goal}\n\n{' '.join(parts)}"


def time_zone(name: str) -> ZoneInfo:
    """A time zone by its IANA name; `SettingsError` if there is none."""
    try:
        return ZoneInfo(name)
    # ZoneInfo reads files: names such as "../x" or "Europe" raise ValueError or OSError.
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(
            f"no time zone {name!r}; use an IANA name such as Europe/Berlin or UTC"
        ) from error


def in_words(day: date) -> str:
    """A day with its weekday: ``Monday, 2026-11-30``."""
    return f"{DAYS[day.weekday()].capitalize()}, {day.isoformat()}"


def relative_dates(text: str, today: date) -> Iterator[tuple[str, str]]:
    """Each relative date in ``text``, once and in lower case, with its meaning in words."""
    seen: set[str] = set()
    for match in _RELATIVE.finditer(text):
        phrase = match[0].lower()
        if phrase in seen:
            continue
        seen.add(phrase)
        first, last = _span(match, today)
        if first == last:
            yield phrase, in_words(first)
        else:
            yield phrase, f"{in_words(first)} to {in_words(last)}"


def _span(match: re.Match[str], today: date) -> Span:
    if match["plain"]:
        phrase = match["plain"].lower().removeprefix("the ")
        return _single(today + timedelta(days=_PLAIN_OFFSETS.get(phrase, 0)))
    if match["which"]:
        which, unit = match["which"].lower(), match["unit"].lower()
        if unit in DAYS:
            return _single(_weekday(which, DAYS.index(unit), today))
        return _period(which, unit, today)
    if match["ahead"]:
        return _single(_shift(today, _number(match["ahead"]), match["step"].lower()))
    return _single(_shift(today, -_number(match["back"]), match["ago"].lower()))


def _single(day: date) -> Span:
    return day, day


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS.index(text.lower()) + 1


def _weekday(which: str, weekday: int, today: date) -> date:
    """The day meant by ``this monday``, ``next monday`` and so on.

    *This* Monday may be today; *next* and *coming* Monday are the first one after today, *last*
    Monday is the last one before it.
    """
    if which == "last":
        return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)
    ahead = (weekday - today.weekday()) % 7
    if which != "this" and ahead == 0:
        ahead = 7
    return today + timedelta(days=ahead)


def _period(which: str, unit: str, today: date) -> Span:
    offset = {"this": 0, "last": -1}.get(which, 1)
    if unit == "weekend":
        return _weekend(which, offset, today)
    if unit == "week":
        first = _monday(today) + timedelta(weeks=offset)
        return first, first + timedelta(days=6)
    start = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    first = _shift(start, offset, unit)
    return first, _shift(first, 1, unit) - timedelta(days=1)


def _weekend(which: str, offset: int, today: date) -> Span:
    if which == "coming":
        # The next one that begins: this week's, unless that has begun already.
        offset = int(today.weekday() >= 5)
    first = _monday(today) + timedelta(weeks=offset, days=5)
    return first, first + timedelta(days=1)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _shift(day: date, count: int, unit: str) -> date:
    """``day`` moved by a number of units; the 31st becomes the last day of a shorter month."""
    if unit == "day":
        return day + timedelta(days=count)
    if unit == "week":
        return day + timedelta(weeks=count)
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    # Months are counted from 0 here, so that divmod gives the year.
    first = date(year, month + 1, 1)
    following = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return first + timedelta(days=min(day.day, (following - first).days) - 1)
