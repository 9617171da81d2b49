"""Replica of crates.io.

One page whose scripts ask a JSON API; search, sorting, versions, dependencies, dependents.
"""

from __future__ import annotations

import asyncio
from typing import Any

from pytest_webbench.world.kit import Catalogue, JSONResponse, Request, Response, Row, Site

site = Site(__file__)
PER_PAGE = 10
API_SECONDS = 0.17
SORTS = {
    "downloads": "downloads",
    "recent-downloads": "recent_downloads",
    "recent-updates": "updated",
    "new": "created",
}

crates = Catalogue(site.data("crates"))


@site.get("/")
@site.get("/search")
@site.get("/crates")
@site.get("/crates/{path:path}")
def shell(request: Request) -> Response:
    return site.render("shell.html", request)


@site.get("/api/v1/summary")
async def summary(request: Request) -> Response:
    tops = {
        key: [_brief(row) for row in crates.sort(key, descending=True).rows[:8]]
        for key in SORTS.values()
    }
    return await _answer(
        {
            **tops,
            "num_crates": len(crates),
            "num_downloads": sum(row["downloads"] for row in crates),
        }
    )


@site.get("/api/v1/crates")
async def search(request: Request) -> Response:
    words = request.query_params.get("q", "").replace('"', " ")
    found = crates.search(words, "name", "keywords", "description")
    field = SORTS.get(request.query_params.get("sort", ""))
    if field:
        found = found.sort(field, descending=True)
    page = found.page(request.query_params.get("page"), PER_PAGE)
    meta = {key: getattr(page, key) for key in ("number", "pages", "first", "last", "total")}
    return await _answer({"crates": [_brief(row) for row in page.items], "meta": meta})


@site.get("/api/v1/crates/{name}")
async def crate(request: Request) -> Response:
    row = crates.one(name=request.path_params["name"])
    return await _answer({"crate": {**_brief(row), "versions": row["versions"]}} if row else None)


@site.get("/api/v1/crates/{name}/reverse_dependencies")
async def reverse_dependencies(request: Request) -> Response:
    name = request.path_params["name"]
    users = crates.keep(
        lambda row: any(one["name"] == name for one in _dependencies(row, row["version"]))
    )
    return await _answer(
        {"crates": [_brief(row) for row in users.sort("downloads", descending=True)]}
    )


@site.get("/api/v1/crates/{name}/{version}/dependencies")
async def dependencies(request: Request) -> Response:
    row = crates.one(name=request.path_params["name"])
    if row is None:
        return await _answer(None)
    normal, dev = (
        _dependencies(row, request.path_params["version"]),
        _parsed(row["dev_dependencies"]),
    )
    return await _answer({"normal": normal, "dev": dev})


def _brief(row: Row) -> Row:
    return {
        key: value
        for key, value in row.items()
        if not key.endswith("dependencies") and key != "versions"
    }


def _dependencies(row: Row, version: str) -> list[Row]:
    by_major: dict[str, list[str]] = row["dependencies"]
    return _parsed(by_major.get(version.partition(".")[0]) or next(iter(by_major.values())))


def _parsed(lines: list[str]) -> list[Row]:
    parts = [line.split() for line in lines]
    return [{"name": part[0], "req": part[1], "optional": "optional" in part} for part in parts]


async def _answer(value: Any) -> Response:
    await asyncio.sleep(API_SECONDS)
    if value is None:
        return JSONResponse({"errors": [{"detail": "Not Found"}]}, status_code=404)
    return JSONResponse(value)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("shell.html", request, status=404)
