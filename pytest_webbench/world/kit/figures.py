"""Figures that move: quotes, standings, scores and weather, drawn from an edition.

    @by_edition
    def table(edition: Edition) -> list[Standing]:
        return standings(edition.draw("table"), ["Reds", "Blues"], played=20)

Everything here takes a source of random values (`Edition.draw`), so the same edition shows the same
figures on every page. The behaviour ``chart`` draws what `walk` makes, with tabs for its ranges.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Final

_SKIES: Final = ("Sunny", "Mainly sunny", "Cloudy", "Showers", "Windy", "Fog", "Light rain")
_FROST: Final = ("Sunny", "Cloudy", "Flurries", "Snow", "Light snow", "Windy")
_WINDS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
_WARMEST_MONTH: Final = 7


# -- quotes ------------------------------------------------------------------------------------


def walk(draw: Random, *, last: float, steps: int, swing: float) -> list[float]:
    """``steps`` + 1 values of a quote, oldest first, that end with ``last``.

    From one to the next it changes by at most the share ``swing``.
    """
    values = [last]
    for _ in range(steps):
        values.append(values[-1] / (1 + draw.uniform(-swing, swing)))
    return values[::-1]


def line(values: Sequence[float], *, width: float, height: float, top: float | None = None) -> str:
    """The ``d`` of an SVG path that draws values from left to right.

    The lowest value is at the bottom and the highest at the top; with ``top``, 0 is at the bottom
    and ``top`` at the top, so that several lines share one scale.

    >>> line([1, 3, 2], width=100, height=50)
    'M0.0,50.0L50.0,0.0L100.0,25.0'
    """
    lowest = min(values) if top is None else 0.0
    span = (max(values) if top is None else top) - lowest or 1.0
    apart = width / max(1, len(values) - 1)
    points = [
        f"{place * apart:.1f},{height - (value - lowest) / span * height:.1f}"
        for place, value in enumerate(values)
    ]
    return "M" + "L".join(points)


# -- games -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a table of standings."""

    name: str
    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        """Games so far."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> int:
        """3 for a win, 1 for a draw."""
        return 3 * self.won + self.drawn

    @property
    def share(self) -> str:
        """Games won of those played, as American tables write it: ``.625``."""
        return f"{self.won / max(1, self.played):.3f}".removeprefix("0")


def standings(
    draw: Random, names: Iterable[str], *, played: int, draws: bool = False
) -> list[Standing]:
    """A table in which no two teams have equal points, the best first.

    Games may end in a draw with ``draws``. There have to be as many games as teams.
    """
    listed = list(names)
    fewest = max(0, played // 2 - len(listed))
    # With different numbers of wins and at most two draws, no points are equal.
    most = min(played, fewest + 2 * len(listed))
    table = []
    for name, wins in zip(listed, draw.sample(range(fewest, most + 1), len(listed)), strict=True):
        even = draw.randrange(0, min(3, played - wins + 1)) if draws else 0
        table.append(Standing(name, wins, even, played - wins - even))
    return sorted(table, key=lambda one: (-one.points, one.name))


def score(draw: Random, *, low: int, high: int) -> tuple[int, int]:
    """Points of two sides, from ``low`` to ``high``, which differ."""
    first, second = draw.sample(range(low, high + 1), 2)
    return first, second


def duration(seconds: float) -> str:
    """A race's time as result lists write it.

    >>> duration(5222.624)
    '1:27:02.624'
    """
    minutes, rest = divmod(round(seconds * 1000), 60_000)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest / 1000:06.3f}"


# -- weather -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weather:
    """Weather at a moment or on a day; temperatures in degrees Celsius, wind in km/h."""

    when: datetime
    sky: str
    high: int
    low: int
    rain: int
    """Chance of it, in per cent."""
    wind: int
    wind_from: str
    """A point of the compass: ``NW``."""

    @property
    def high_f(self) -> int:
        """`high` in degrees Fahrenheit."""
        return fahrenheit(self.high)

    @property
    def low_f(self) -> int:
        """`low` in degrees Fahrenheit."""
        return fahrenheit(self.low)


def fahrenheit(celsius: float) -> int:
    """Degrees Fahrenheit, rounded.

    >>> fahrenheit(-10), fahrenheit(20)
    (14, 68)
    """
    return round(celsius * 9 / 5 + 32)


def weather(
    draw: Random, start: datetime, *, count: int, step: timedelta, mean: float
) -> list[Weather]:
    """Weather at ``count`` moments from ``start`` on; ``mean`` is the temperature of a year."""
    return [_weather(draw, start + step * number, mean) for number in range(count)]


def _weather(draw: Random, when: datetime, mean: float) -> Weather:
    from_warmest = min(abs(when.month - _WARMEST_MONTH), 12 - abs(when.month - _WARMEST_MONTH))
    high = round(mean + 9 - 3.2 * from_warmest + draw.uniform(-3, 3))
    sky = draw.choice(_FROST if high <= 0 else _SKIES)
    return Weather(
        when=when,
        sky=sky,
        high=high,
        low=high - draw.randrange(4, 11),
        rain=draw.randrange(0, 10) * 10,
        wind=draw.randrange(4, 48),
        wind_from=draw.choice(_WINDS),
    )


def month_of(day: date) -> list[list[date]]:
    """The weeks of a month, Sunday first, with the days before and after that fill them."""
    return calendar.Calendar(firstweekday=6).monthdatescalendar(day.year, day.month)
