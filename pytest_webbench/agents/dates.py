"""Relative dates in a goal, told as dates of the calendar: a model does not know which day it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import SettingsError

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RELATIVE: Final = re.compile(
    r"\b(?:(?P<plain>today|tonight|tomorrow|yesterday|(?:the )?day (?:after tomorrow|before yesterday))"
    rf"|(?P<which>this|next|last|coming) (?P<unit>{'|'.join(DAYS)}|weekend|week|month|year)"
    rf"|in (?P<ahead>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<step>day|week|month|year)s?"
    rf"|(?P<back>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<ago>day|week|month|year)s? ago)\b",
    re.IGNORECASE,
)


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


def with_dates(goal: str, zone: str, now: Callable[[], datetime] = utc_now) -> str:
    """The goal, and below it which day it is in ``zone`` and what the relative dates in the goal come to.

    >>> with_dates("Flights for tomorrow", "Asia/Tokyo", lambda: datetime(2026, 11, 29, 20, tzinfo=UTC))
    'Flights for tomorrow\\n\\nToday is Monday, 2026-11-30 (Asia/Tokyo). "tomorrow" is Tuesday, 2026-12-01.'
    """
    today = now().astimezone(time_zone(zone)).date()
    parts = [f"Today is {told(today)} ({zone})."]
    parts += [f'"{phrase}" is {meaning}.' for phrase, meaning in relative_dates(goal, today)]
    return f"{goal}\n\n{' '.join(parts)}"


def time_zone(name: str) -> ZoneInfo:
    """A time zone by its IANA name; `SettingsError` if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(f"no time zone {name!r}; use an IANA name such as Europe/Berlin or UTC") from error


def told(day: date) -> str:
    """A day with its weekday: ``Monday, 2026-11-30``."""
    return f"{DAYS[day.weekday()].capitalize()}, {day.isoformat()}"


def relative_dates(text: str, today: date) -> Iterator[tuple[str, str]]:
    """Each relative date that the text names, once, in lower case, and what it means in words."""
    told_already: set[str] = set()
    for match in _RELATIVE.finditer(text):
        phrase = match[0].lower()
        if phrase in told_already:
            continue
        told_already.add(phrase)
        first, last = _span(match, today)
        yield phrase, told(first) if first == last else f"{told(first)} to {told(last)}"


def _span(match: re.Match[str], today: date) -> tuple[date, date]:
    """First and last day of what was matched."""
    if match["plain"]:
        day = today + timedelta(days=_plain_offset(match["plain"].lower()))
        return day, day
    if match["which"]:
        which, unit = match["which"].lower(), match["unit"].lower()
        return _weekday(which, DAYS.index(unit), today) if unit in DAYS else _period(which, unit, today)
    count, unit = (match["ahead"], match["step"]) if match["ahead"] else (match["back"], match["ago"])
    number = int(count) if count.isdigit() else _NUMBERS.index(count.lower()) + 1
    day = _shift(today, number * (1 if match["ahead"] else -1), unit.lower())
    return day, day


def _plain_offset(phrase: str) -> int:
    phrase = phrase.removeprefix("the ")
    known = {"tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "day before yesterday": -2}
    return known.get(phrase, 0)


def _weekday(which: str, weekday: int, today: date) -> tuple[date, date]:
    """This Monday may be today; next and coming Monday are the first after today, last Monday the last before it."""
    ahead = (weekday - today.weekday()) % 7
    if which == "last":
        day = today - timedelta(days=(today.weekday() - weekday) % 7 or 7)
    else:
        day = today + timedelta(days=ahead if which == "this" else ahead or 7)
    return day, day


def _period(which: str, unit: str, today: date) -> tuple[date, date]:
    offset = {"this": 0, "last": -1}.get(which, 1)
    monday = today - timedelta(days=today.weekday())
    if unit == "week":
        first = monday + timedelta(weeks=offset)
        return first, first + timedelta(days=6)
    if unit == "weekend":  # the coming one is the next that begins, this week's unless that has begun
        offset = int(today.weekday() >= 5) if which == "coming" else offset
        first = monday + timedelta(weeks=offset, days=5)
        return first, first + timedelta(days=1)
    start = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    first = _shift(start, offset, unit)
    return first, _shift(first, 1, unit) - timedelta(days=1)


def _shift(day: date, count: int, unit: str) -> date:
    """So many days, weeks, months or years on; the 31st becomes the last of a shorter month."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    first = date(year, month + 1, 1)
    following = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return first + timedelta(days=min(day.day, (following - first).days) - 1)
