"""Replica of OpenStreetMap.

One page whose script draws the map and keeps state in the fragment; search, objects.
"""

from __future__ import annotations

import asyncio

from pytest_webbench.world.kit import Catalogue, JSONResponse, Request, Response, Row, Site

site = Site(__file__)
places = Catalogue(site.data("places"))
BATCH = 6
SLOW = 0.2


@site.get("/")
@site.get("/search")
def index(request: Request) -> Response:
    return site.render("app.html", request, title="OpenStreetMap")


@site.get("/{kind}/{number:int}")
def element(request: Request) -> Response:
    row = _element(request)
    if row is None:
        return _missing(request)
    return site.render("app.html", request, title=f"{_title(row)} | OpenStreetMap")


@site.get("/export/embed.html")
def embed(request: Request) -> Response:
    return site.render("embed.html", request)


@site.get("/about")
def about(request: Request) -> Response:
    return site.render("about.html", request)


@site.get("/geocoder/search")
async def geocode(request: Request) -> Response:
    await asyncio.sleep(SLOW)
    offset = request.query_params.get("offset", "0")
    start = int(offset) if offset.isdigit() else 0
    words = request.query_params.get("query", "").replace(",", " ")
    found = places.search(words, "name", "address").rows
    more = start + BATCH if start + BATCH < len(found) else None
    return JSONResponse(
        {"results": [_summary(row) for row in found[start : start + BATCH]], "next": more}
    )


@site.get("/api/0.6/{kind}/{number:int}.json")
async def element_data(request: Request) -> Response:
    await asyncio.sleep(SLOW)
    row = _element(request)
    if row is None:
        return JSONResponse({"error": "not found"}, status_code=404)
    return JSONResponse({**_summary(row), "title": _title(row), "tags": row["tags"]})


@site.get("/api/0.6/places.json")
def labels(request: Request) -> Response:
    return JSONResponse(
        [{name: row[name] for name in ("name", "kind", "lat", "lon", "zoom")} for row in places]
    )


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


def _element(request: Request) -> Row | None:
    return places.one(type=request.path_params["kind"], id=request.path_params["number"])


def _title(row: Row) -> str:
    return f"{row['type'].title()}: {row['name']} ({row['id']})"


def _summary(row: Row) -> Row:
    return {
        name: row[name] for name in ("type", "id", "kind", "name", "address", "lat", "lon", "zoom")
    }
