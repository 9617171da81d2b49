"""Double of FedEx: pages about shipping, and the tool that works out rates."""

from __future__ import annotations

import math
from datetime import timedelta

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    edition_of,
    miles_between,
    number_in,
)

site = Site(__file__)
PLACES: list[Row] = site.data("places")
SERVICES: list[Row] = site.data("services")
RATES = "/en-us/online/rating.html"
SUGGESTED = 6


def facts(edition: Edition) -> Row:
    """Prices that pages name beside the tool."""
    draw = edition.draw("one rate")
    small = draw.randrange(11, 15)
    return {"small": small, "medium": small + draw.randrange(3, 9), "fuel": draw.randrange(12, 22)}


book = Handbook(site, facts=facts)
book.search_at("/en-us/search.html")
book.sitemap_at("/en-us/sitemap.html")
book.missing()


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/en-us/home.html")


@site.get(RATES)
def rates(request: Request) -> Response:
    now = edition_of(request).now
    days = [now + timedelta(days=ahead) for ahead in range(8)]
    shown = [{"value": f"{day:%Y-%m-%d}", "name": f"{day:%A, %B} {day.day}"} for day in days]
    return book.render("rates.html", request, days=shown)


@site.get("/en-us/online/places.json")
def places(request: Request) -> Response:
    wanted = request.query_params.get("q", "").casefold().strip()
    found = [row for row in PLACES if wanted and wanted in _label(row).casefold()]
    return JSONResponse([{"label": _label(row)} for row in found[:SUGGESTED]])


def _label(place: Row) -> str:
    return f"{place['city']}, {place['state']}, {place['zip']}, US"


def _place(text: str) -> Row | None:
    """The place that a field names by its ZIP code; a town alone is not enough."""
    return next((row for row in PLACES if row["zip"] in text), None)


@site.get("/en-us/online/quotes.json", delay=0.3)
def quotes(request: Request) -> Response:
    query = request.query_params
    origin, destination = _place(query.get("from", "")), _place(query.get("to", ""))
    pounds = number_in(query.get("weight")) * (2.205 if query.get("unit") == "kg" else 1)
    count = int(number_in(query.get("packages"), 1))
    problems = [
        *([] if origin else ["Choose where you ship from, with its ZIP code."]),
        *([] if destination else ["Choose where you ship to, with its ZIP code."]),
        *([] if 0 < pounds <= 150 else ["Enter a weight of up to 150 lb."]),
        *([] if 1 <= count <= 25 else ["Enter 1 to 25 packages."]),
    ]
    if problems or not origin or not destination:
        return JSONResponse({"problems": problems, "quotes": []})
    miles = miles_between(origin, destination)
    home = query.get("residence") == "yes"
    rows = _rates(edition_of(request), miles, max(1, math.ceil(pounds - 1e-9)), home)
    for row in rows:
        row["price"] = f"{row['price'] * count:,.2f}"
    return JSONResponse({"problems": [], "quotes": rows})


def _rates(edition: Edition, miles: float, pounds: int, home: bool) -> list[Row]:
    draw = edition.draw("tariff")
    rows = []
    for service in SERVICES:
        level = draw.uniform(0.86, 1.18)
        price = level * (service["base"] + service["pound"] * pounds + service["mile"] * miles)
        name = service["at_home"] if home else service["name"]
        rows.append({"name": name, "by": service["by"], "price": price + (5.95 if home else 0)})
    return rows
