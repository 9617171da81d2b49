"""Editions: the same site with other facts.

What may change on a real site is drawn from an edition's number, so that a task whose checks or
whose answer hold a frozen value fails as soon as it is tried in another edition.

    @by_edition
    def prices(edition: Edition) -> dict[str, int]:
        draw = edition.draw("prices")
        return {name: draw.randrange(20, 90) for name in ("lamp", "desk")}

    @site.get("/lamp")
    def lamp(request: Request) -> Response:
        return site.render("lamp.html", request, price=prices(request)["lamp"])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Final, TypeVar

from starlette.requests import Request

T = TypeVar("T")
EDITION: Final = "webbench.edition"
"""Key of an ASGI scope under which a world tells the number of the edition."""
_FIRST_MOMENT: Final = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
_BETWEEN_EDITIONS: Final = timedelta(days=16)


@dataclass(frozen=True, slots=True)
class Edition:
    """One of the many states that the web could be in, by number: 0, 1, 2 ..."""

    number: int = 0

    @property
    def now(self) -> datetime:
        """The moment that every site takes for the present, in UTC; another in each edition."""
        return _FIRST_MOMENT + self.number * _BETWEEN_EDITIONS

    def draw(self, name: str) -> Random:
        """A source of random values that are always the same for this edition and ``name``."""
        return Random(f"{self.number}/{name}")


def edition_of(request: Request) -> Edition:
    """The edition in which a request is to be answered."""
    return Edition(request.scope.get(EDITION, 0))


def by_edition(make: Callable[[Edition], T]) -> Callable[[Request], T]:
    """Makes a function of an edition one of a request; each edition's value is made once."""
    made = cache(make)
    return lambda request: made(edition_of(request))
