"""Replica of the Internet Archive.

A search page of nested web components over a JSON service, and item pages.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

from starlette.datastructures import QueryParams

from pytest_webbench.world.kit import Catalogue, JSONResponse, Request, Response, Row, Site

site = Site(__file__)
COLLECTIONS: dict[str, str] = site.data("collections")
FACETS = ("mediatype", "year", "subject", "collection", "creator", "language")
SORTS = {
    "downloads": "downloads",
    "week": "week",
    "title": "title",
    "titleSorter": "title",
    "date": "year",
    "creator": "creator",
    "creatorSorter": "creator",
}
PER_PAGE = 20
LOADING_SECONDS = 0.2

items = Catalogue(site.data("items"))


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, popular=items.sort("week", descending=True).rows[:8])


@site.get("/search")
def search(request: Request) -> Response:
    query = request.query_params.get("query", "").strip()
    return site.render(
        "shell.html",
        request,
        title=f"Internet Archive Search: {query}",
        component="collection-browser",
    )


@site.get("/details/{identifier}")
def details(request: Request) -> Response:
    item = items.one(identifier=request.path_params["identifier"])
    if item is None:
        return missing(request)
    about = f"{item['title']} : {item['creator']}"
    title = f"{about} : Free Download, Borrow, and Streaming : Internet Archive"
    return site.render("shell.html", request, title=title, component="item-details")


@site.get("/metadata/{identifier}")
def metadata(request: Request) -> Response:
    item = items.one(identifier=request.path_params["identifier"])
    if item is None:
        return JSONResponse({}, 404)
    alike = [
        row for row in items if row is not item and set(row["subject"]) & set(item["subject"])
    ][:4]
    return JSONResponse(
        {"metadata": item | {"collection_title": COLLECTIONS[item["collection"]]}, "similar": alike}
    )


@site.get("/services/search/beta/page_production/")
async def service(request: Request) -> Response:
    """One page of hits with the facets of all hits."""
    await asyncio.sleep(LOADING_SECONDS)
    params = request.query_params
    found = _found(params)
    page = _sorted(found, params.get("sort", "")).page(params.get("page"), PER_PAGE)
    hits = page.items if (params.get("page") or "1") == str(page.number) else []
    facets = {name: _buckets(found, name) for name in FACETS}
    return JSONResponse({"total": page.total, "hits": hits, "pages": page.pages, "facets": facets})


def _found(params: QueryParams) -> Catalogue:
    found = items.search(_words(params), "title", "creator", "subject", "identifier")
    wanted: dict[str, list[Any]] = {}
    for field, value in map(_clause, params.getlist("and[]")):
        wanted.setdefault(field, []).append(_condition(field, value))
    for conditions in wanted.values():
        found = found.keep(_any_of(conditions))
    for field, value in map(_clause, params.getlist("not[]")):
        unwanted = _condition(field, value)
        found = Catalogue([row for row in found if not unwanted(row)])
    return found


def _words(params: QueryParams) -> str:
    return params.get("query", "").replace('"', " ")


def _any_of(conditions: list[Any]) -> Any:
    """Of the values chosen in one facet any will do."""
    return lambda row: any(fits(row) for fits in conditions)


def _clause(text: str) -> tuple[str, str]:
    field, _, value = text.partition(":")
    return field, value.strip('"')


def _condition(field: str, value: str) -> Any:
    span = re.fullmatch(r"\[(\d{1,4}) TO (\d{1,4})\]", value)
    if field == "year" and span:
        first, last = int(span[1]), int(span[2])
        return lambda row: first <= int(row["year"]) <= last
    return lambda row: (
        value in (row.get(field) if isinstance(row.get(field), list) else [row.get(field)])
    )


def _sorted(found: Catalogue, sort: str) -> Catalogue:
    name = SORTS.get(sort.removeprefix("-"))
    return found.sort(name, descending=sort.startswith("-")) if name else found


def _buckets(found: Catalogue, name: str) -> list[Row]:
    counts = sorted(found.counts(name), reverse=True) if name == "year" else found.counts(name)
    labels = COLLECTIONS if name == "collection" else {}
    return [{"key": key, "label": labels.get(key, key), "count": count} for key, count in counts]


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
