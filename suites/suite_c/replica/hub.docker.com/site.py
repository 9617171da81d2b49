"""Replica of Docker Hub.

One page whose scripts ask JSON APIs; search with filters, image pages, tag lists.
"""

from __future__ import annotations

import asyncio
from typing import Any

from pytest_webbench.world.kit import Catalogue, JSONResponse, PageOf, Request, Response, Row, Site

site = Site(__file__)
RESULTS, TAGS = 12, 10
API_SECONDS = 0.18
FILTERS = {
    "badges": "badge",
    "categories": "category",
    "operating_system": "os",
    "architecture": "architectures",
}
SORTS = {"updated_at": "updated", "pull_count": "pulls"}


def _image(row: Row) -> Row:
    tags = [
        dict(zip(("name", "updated", "size"), line.split(), strict=True)) for line in row["tags"]
    ]
    return {
        **row,
        "tags": tags,
        "path": f"/r/{row['name']}" if "/" in row["name"] else f"/_/{row['name']}",
    }


images = Catalogue([_image(row) for row in site.data("images")])


@site.get("/")
@site.get("/search")
@site.get("/_/{name}")
@site.get("/_/{name}/tags")
@site.get("/r/{namespace}/{name}")
@site.get("/r/{namespace}/{name}/tags")
def shell(request: Request) -> Response:
    return site.render("shell.html", request)


@site.get("/api/search/v4")
async def search(request: Request) -> Response:
    params = request.query_params
    words = params.get("q", "").replace('"', " ")
    found = images.search(words, "name", "description", "category")
    for name, field in FILTERS.items():
        found = _filtered(
            found, field, [value for value in params.get(name, "").split(",") if value]
        )
    if params.get("sort") in SORTS:
        found = found.sort(SORTS[params["sort"]], descending=params.get("order") != "asc")
    page = found.page(params.get("page"), RESULTS)
    return await _answer({"results": [_brief(row) for row in page.items], **_meta(page)})


def _filtered(found: Catalogue, field: str, wanted: list[str]) -> Catalogue:
    """Images that have at least one of the wanted values; all of them if none is wanted."""

    def fits(row: Row) -> bool:
        values = row[field] if isinstance(row[field], list) else [row[field]]
        return not wanted or any(value in wanted for value in values)

    return found.keep(fits)


@site.get("/v2/repositories/{namespace}/{name}")
async def repository(request: Request) -> Response:
    row = _find(request)
    return await _answer(_brief(row) if row else None)


@site.get("/v2/repositories/{namespace}/{name}/tags")
async def tags(request: Request) -> Response:
    row = _find(request)
    if row is None:
        return await _answer(None)
    part, ordering = (
        request.query_params.get("name", "").lower(),
        request.query_params.get("ordering", "last_updated"),
    )
    found = Catalogue(row["tags"]).keep(lambda tag: part in tag["name"].lower())
    by_name = ordering.endswith("name")
    # The real API counts "last_updated" as newest first.
    descending = ordering in ("-name", "last_updated")
    page = found.sort("name" if by_name else "updated", descending=descending).page(
        request.query_params.get("page"), TAGS
    )
    return await _answer(
        {"results": page.items, "architectures": row["architectures"], **_meta(page)}
    )


def _find(request: Request) -> Row | None:
    namespace, name = request.path_params["namespace"], request.path_params["name"]
    return images.one(name=name if namespace == "library" else f"{namespace}/{name}")


def _brief(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "tags"}


def _meta(page: PageOf[Row]) -> Row:
    return {key: getattr(page, key) for key in ("number", "pages", "first", "last", "total")}


async def _answer(value: Any) -> Response:
    await asyncio.sleep(API_SECONDS)
    return JSONResponse(
        {"message": "object not found"} if value is None else value,
        status_code=404 if value is None else 200,
    )


@site.not_found
def missing(request: Request) -> Response:
    return site.render("shell.html", request, status=404)
