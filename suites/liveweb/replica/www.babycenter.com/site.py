"""Double of BabyCenter: growth calculators, with tables and formulas of its own, and articles."""

from __future__ import annotations

import math
from datetime import date, datetime

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    number_in,
    round_half_up,
)

site = Site(__file__)
book = Handbook(site)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()

POUND = 0.45359237
INCH = 2.54
MONTH = 30.4375
AT_BIRTH: dict[str, dict[str, tuple[float, float]]] = {
    "boy": {"weight": (3.35, 0.146), "height": (49.9, 0.038), "head": (34.5, 0.037)},
    "girl": {"weight": (3.23, 0.142), "height": (49.1, 0.038), "head": (33.9, 0.035)},
}
"""Median and spread (as a share of it) of each measure at birth."""
GROWTH = {"weight": 1.75, "height": 7.6, "head": 3.3}
"""What the median gains over the square root of the age in months."""


@by_edition
def reference(edition: Edition) -> Row:
    """How the tables of an edition lie beside the usual ones, and what its formula adds."""
    draw = edition.draw("reference")
    return {
        "weight": 1 + draw.choice([-1, 1]) * draw.uniform(0.04, 0.09),
        "height": 1 + draw.choice([-1, 1]) * draw.uniform(0.012, 0.022),
        "head": 1 + draw.choice([-1, 1]) * draw.uniform(0.012, 0.022),
        "adult": (1, -1, 2, -2)[edition.number % 4],
    }


@site.get("/api/growth-percentile", delay=0.2)
def growth(request: Request) -> Response:
    """Percentiles of a child's measures; those that are left empty are left out."""
    given = request.query_params
    born, measured = _date(given.get("born", "")), _date(given.get("measured", ""))
    if born is None or measured is None or measured < born:
        return _refused("Enter both dates as MM/DD/YYYY; the measurement cannot be before birth.")
    if given.get("sex") not in AT_BIRTH:
        return _refused("Tell us whether your child is a boy or a girl.")
    kilos = (number_in(given.get("pounds")) + number_in(given.get("ounces")) / 16) * POUND
    taken = {"weight": kilos, "height": _length(given, "height"), "head": _length(given, "head")}
    months = (measured - born).days / MONTH
    places = {
        name: _percentile(taken[name], name, given["sex"], months, reference(request)[name])
        for name in taken
    }
    return JSONResponse({name: places[name] if taken[name] else "–" for name in places})


def _percentile(value: float, name: str, sex: str, months: float, shift: float) -> int:
    median, spread = AT_BIRTH[sex][name]
    median = (median + GROWTH[name] * math.sqrt(months)) * shift
    deviations = (value / median - 1) / spread
    share = (1 + math.erf(deviations / math.sqrt(2))) / 2
    return int(min(99, max(1, round_half_up(100 * share))))


def _length(given: Row, name: str) -> float:
    """A length in centimetres."""
    return number_in(given.get(name)) * (INCH if given.get(f"{name}_unit") == "in" else 1)


def _date(text: str) -> date | None:
    try:
        return datetime.strptime(text.strip(), "%m/%d/%Y").date()
    except ValueError:
        return None


@site.get("/api/height", delay=0.2)
def height(request: Request) -> Response:
    """A child's height as an adult."""
    given = request.query_params
    years = number_in(given.get("age"))
    child, mother, father = (_inches(given, who) for who in ("child", "mother", "father"))
    if given.get("sex") not in AT_BIRTH or not min(years, child, mother, father):
        return _refused("Fill in the age, and the heights of child, mother and father.")
    girl = given["sex"] == "girl"
    parents = (mother + father + (-5 if girl else 5)) / 2
    usual = 29.5 + 2.75 * years + (-0.2 if girl else 0.2)
    bulk = (number_in(given.get("pounds")) - (6 * years + 10)) / 40
    adult = parents + 1.7 + 0.6 * (child - usual) + bulk + reference(request)["adult"]
    feet, inches = divmod(int(round_half_up(adult)), 12)
    return JSONResponse({"sex": given["sex"], "feet": feet, "inches": inches})


def _inches(given: Row, who: str) -> float:
    return number_in(given.get(f"{who}_feet")) * 12 + number_in(given.get(f"{who}_inches"))


def _refused(why: str) -> Response:
    return JSONResponse({"error": why})
