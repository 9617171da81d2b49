"""Double of Trader Joe's: a store finder that keeps a store of one's own, and pages of stores."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    nearest,
    slugify,
)

site = Site(__file__)
LOCATIONS = "locations.traderjoes.com"
book = Handbook(site)
book.missing()
STORES = Catalogue([{**row, "slug": slugify(row["city"])} for row in site.data("stores")["stores"]])
PLACES: dict[str, list[float]] = site.data("stores")["places"]
FAR = 60.0
"""Stores that are farther away, in miles, are not found."""


@by_edition
def hours(edition: Edition) -> dict[str, tuple[int, int]]:
    """When each store opens (a.m.) and closes (p.m.), never from 9 to 9 as most really do."""
    choices = [(8, 9), (8, 10), (9, 10), (7, 9), (9, 8), (8, 8)]
    return {row["key"]: edition.draw(row["key"]).choice(choices) for row in STORES}


def _told(row: Row, request: Request) -> Row:
    opens, closes = hours(request)[row["key"]]
    page = f"https://{LOCATIONS}/{row['state'].lower()}/{row['slug']}/{row['key']}/"
    return {**row, "hours": f"{opens}:00 AM - {closes}:00 PM", "page": page}


@site.get("/api/stores", delay=0.2)
def stores(request: Request) -> Response:
    """Stores around a ZIP code, the nearest first."""
    place = PLACES.get(request.query_params.get("zip", "").strip())
    if place is None:
        return JSONResponse([])
    found = nearest(STORES, {"lat": place[0], "lon": place[1]})
    return JSONResponse([_told(row, request) for row in found if row["miles"] < FAR][:6])


@site.get("/", host=LOCATIONS)
def states(request: Request) -> Response:
    listed = {row["state"]: f"/{row['state'].lower()}/" for row in STORES}
    return book.render("locations.html", request, label="the United States", links=listed)


@site.get("/{state}/", host=LOCATIONS)
def state(request: Request) -> Response:
    code = request.path_params["state"]
    rows = [row for row in STORES if row["state"].lower() == code]
    links = {row["city"]: f"/{code}/{row['slug']}/" for row in rows}
    return _listed(request, code.upper(), links)


@site.get("/{state}/{city}/", host=LOCATIONS)
def city(request: Request) -> Response:
    given = request.path_params
    rows = [row for row in STORES if (row["state"].lower(), row["slug"]) == tuple(given.values())]
    links = {
        f"{row['name']} ({row['key']})": f"/{given['state']}/{row['slug']}/{row['key']}/"
        for row in rows
    }
    return _listed(request, rows[0]["city"] if rows else "", links)


def _listed(request: Request, label: str, links: dict[str, str]) -> Response:
    if not links:
        return book.render("handbook-missing.html", request, status=404)
    return book.render("locations.html", request, label=label, links=links)


@site.get("/{state}/{city}/{key}/", host=LOCATIONS)
def store(request: Request) -> Response:
    row = STORES.one(key=request.path_params["key"])
    if row is None:
        return book.render("handbook-missing.html", request, status=404)
    return book.render("store.html", request, row=_told(row, request))
