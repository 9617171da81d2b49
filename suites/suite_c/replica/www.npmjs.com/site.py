"""Replica of the npm registry's site.

Search with suggestions and sorting, package pages with tabs, old versions.
"""

from __future__ import annotations

import asyncio

from pytest_webbench.world.kit import Catalogue, JSONResponse, Request, Response, Row, Site

site = Site(__file__)
PER_PAGE = 12
SUGGEST_SECONDS = 0.15
TABS = ("readme", "code", "dependencies", "dependents", "versions")
SORTS = {
    "score": "Default",
    "downloads_weekly": "Most downloaded this week",
    "dependent_count": "Most dependents",
    "published_at": "Recently published",
}
FIELDS = {
    "downloads_weekly": "weekly",
    "dependent_count": "dependents",
    "published_at": "published",
}

packages = Catalogue(site.data("packages"))


@site.get("/")
def home(request: Request) -> Response:
    return site.render(
        "home.html",
        request,
        query="",
        popular=packages.sort("dependents", descending=True).rows[:8],
    )


@site.get("/search")
def search(request: Request) -> Response:
    query, sort = request.query_params.get("q", ""), request.query_params.get("sortBy", "score")
    found = packages.search(query, "name", "keywords", "description")
    if sort in FIELDS:
        found = found.sort(FIELDS[sort], descending=True)
    number = request.query_params.get("page", "0")
    page = found.page(int(number) + 1 if number.isdigit() else 1, PER_PAGE)
    return site.render("search.html", request, query=query, sort=sort, sorts=SORTS, page=page)


@site.get("/search/suggestions")
async def suggestions(request: Request) -> Response:
    query = request.query_params.get("q", "").strip().lower()
    await asyncio.sleep(SUGGEST_SECONDS)
    found = packages.keep(lambda row: bool(query) and query in row["name"]).sort(
        "weekly", descending=True
    )
    first = found.keep(lambda row: row["name"].startswith(query)).rows
    rows = first + [row for row in found if row not in first]
    return JSONResponse(
        [{key: row[key] for key in ("name", "description", "version")} for row in rows[:8]]
    )


@site.get("/package/{path:path}")
def package(request: Request) -> Response:
    name, _, version = request.path_params["path"].strip("/").partition("/v/")
    row = packages.one(name=name)
    if row is None:
        return _no_such_page(request)
    shown = next(
        (one for one in row["versions"] if one["version"] == (version or row["version"])), None
    )
    if shown is None:
        return _no_such_page(request)
    tab = request.query_params.get("activeTab", "readme")
    return site.render(
        "package.html",
        request,
        query="",
        package=row,
        shown={**row, **shown},
        tab=tab if tab in TABS else "readme",
        tabs=TABS,
        known={one["name"] for one in packages},
        dependents=_dependents(row),
        files=_files({**row, **shown}),
    )


def _dependents(package: Row) -> list[str]:
    return sorted(row["name"] for row in packages if package["name"] in row["dependencies"])


def _files(package: Row) -> list[tuple[str, str]]:
    size = 1 + len(package["description"]) / 10
    paths = ("dist/index.js", "dist/index.d.ts", "LICENSE", "README.md", "package.json")
    return [(path, f"{size * (5 - index):.1f} kB") for index, path in enumerate(paths)]


@site.not_found
def missing(request: Request) -> Response:
    return _no_such_page(request)


def _no_such_page(request: Request) -> Response:
    return site.render("missing.html", request, query="", status=404)
