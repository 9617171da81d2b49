"""Double of AccuWeather: places by key, found by name or ZIP code, each in six views."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    edition_of,
    line,
    month_of,
    weather,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
VIEWS: dict[str, list[str]] = CONTENT["views"]
MONTHS = {f"{name.lower()}-weather": at for at, name in enumerate(calendar.month_name) if name}
MONTHLY = "monthly-weather"
FORECAST_DAYS = 45
"""So many days from today on have a forecast; others show what is usual."""


def _place(row: list[Any]) -> Row:
    key, name, state, short, address, mean = row
    _, _, code = address.partition("/")
    return {
        "key": key,
        "name": f"{name}, {short}",
        "label": f"{name}, {state}, US",
        "code": code,
        "address": f"/en/us/{address}",
        "mean": mean,
        "href": f"/web-api/three-day-redirect?key={key}&target=",
    }


PLACES = Catalogue([_place(row) for row in CONTENT["places"]])


def found(query: str) -> list[Row]:
    """Places that a visitor may mean, by ZIP code or by words."""
    words = query.replace(",", " ").strip()
    by_code = [row for row in PLACES if row["code"] == words]
    by_name = PLACES.search(words, "name", "label").rows if words else []
    return by_code or by_name


@site.get("/")
def home(request: Request) -> Response:
    now = edition_of(request)
    shown = [(place, days(now, place, now.now.date(), 1)[0]) for place in PLACES.rows[::3]]
    return site.render("home.html", request, shown=shown)


@site.get("/en/search-locations")
def search(request: Request) -> Response:
    query = request.query_params.get("query", "")
    places = found(query)
    if len(places) == 1:
        return RedirectResponse(places[0]["href"], 302)
    return site.render("search.html", request, query=query, places=places)


@site.get("/web-api/autocomplete")
def suggest(request: Request) -> Response:
    places = found(request.query_params.get("query", ""))[:8]
    return JSONResponse([{"label": row["label"], "href": row["href"]} for row in places])


@site.get("/web-api/three-day-redirect")
def redirect(request: Request) -> Response:
    place = PLACES.one(key=request.query_params.get("key", ""))
    if place is None:
        return missing(request)
    return RedirectResponse(f"{place['address']}/weather-forecast/{place['key']}", 302)


@site.get("/en/us/{city}/{code}/{view}/{key}")
def place(request: Request) -> Response:
    given = request.path_params
    view, one = given["view"], PLACES.one(key=given["key"])
    if one is None or (view not in VIEWS and view not in MONTHS):
        return missing(request)
    canonical = f"{one['address']}/{view}/{one['key']}"
    if request.url.path != canonical:
        return RedirectResponse(canonical, 302)
    if view in MONTHS or view == MONTHLY:
        return monthly(request, one)
    if view == "daily-weather-forecast" and request.query_params.get("day", "").isdecimal():
        return one_day(request, one, int(request.query_params["day"]))
    now = edition_of(request)
    today = now.now.date()
    return page(
        "place.html",
        request,
        one,
        view,
        days=days(now, one, today, 10 if view == "daily-weather-forecast" else 3),
        hours=hours(now, one, request.query_params.get("day", "1")),
        air=now.draw(f"air {one['key']}").randrange(12, 140),
    )


def page(template: str, request: Request, one: Row, view: str, **values: Any) -> Response:
    """A page of a place, with the row of its views."""
    month = edition_of(request).now.strftime("%B").lower()
    links = {
        key: f"{one['address']}/{f'{month}-weather' if key == MONTHLY else key}/{one['key']}"
        for key in VIEWS
    }
    return site.render(template, request, place=one, view=view, views=VIEWS, links=links, **values)


def days(edition: Edition, one: Row, start: date, count: int) -> list[Any]:
    """Days from a day on. A day is the same wherever it is shown."""
    listed = []
    for number in range(count):
        day = start + timedelta(days=number)
        moment = datetime.combine(day, datetime.min.time(), UTC)
        draw = edition.draw(f"{one['key']} {day}")
        listed += weather(draw, moment, count=1, step=timedelta(days=1), mean=one["mean"])
    return listed


def hours(edition: Edition, one: Row, day: str) -> list[Any]:
    """The hours of a day, by its number: 1 is today."""
    apart = int(day) - 1 if day in ("1", "2", "3") else 0
    start = (edition.now + timedelta(days=apart)).replace(hour=edition.now.hour if not apart else 0)
    draw = edition.draw(f"{one['key']} hours {apart}")
    return weather(draw, start, count=24 - start.hour, step=timedelta(hours=1), mean=one["mean"])


def one_day(request: Request, one: Row, number: int) -> Response:
    """A day of the daily forecast by itself."""
    if not 0 < number <= FORECAST_DAYS:
        return missing(request)
    start = edition_of(request).now.date() + timedelta(days=number - 1)
    day = days(edition_of(request), one, start, 1)[0]
    return page("day.html", request, one, "daily-weather-forecast", day=day, number=number)


def monthly(request: Request, one: Row) -> Response:
    """The calendar of a month: this one, unless the address names another."""
    now = edition_of(request).now
    year = request.query_params.get("year", "")
    view = request.path_params["view"]
    shown = date(
        int(year) if year.isdecimal() and 2000 < int(year) < 2040 else now.year,
        MONTHS.get(view, now.month),
        1,
    )
    weeks = [
        [
            (days(edition_of(request), one, day, 1)[0], forecast_kind(day, now.date()))
            for day in week
        ]
        for week in month_of(shown)
    ]
    cells = [day for week in weeks for day, _ in week]
    graph = [
        line([getattr(day, name) for day in cells], width=600, height=120)
        for name in ("high_f", "low_f")
    ]
    months = [
        (name, f"{one['address']}/{name.lower()}-weather/{one['key']}?year={shown.year}")
        for name in calendar.month_name[1:]
    ]
    return page(
        "monthly.html", request, one, MONTHLY, weeks=weeks, shown=shown, months=months, graph=graph
    )


def forecast_kind(day: date, today: date) -> str:
    """What is said about a day: what it was, what is expected, or what is usual."""
    apart = (day - today).days
    return "Actual" if apart < 0 else "Forecast" if apart < FORECAST_DAYS else "Avg."


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
