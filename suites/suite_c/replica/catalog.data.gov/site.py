"""Replica of the Data.gov catalog as it is since 2026.

Search, a bar of filter panels, sorting, datasets.
"""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
)

site = Site(__file__)
PER_PAGE = 10
CITY, FEDERAL, STATE = "City Government", "Federal Government", "State Government"
ORGANIZATION_TYPES = (
    FEDERAL,
    CITY,
    STATE,
    "County Government",
    "University",
    "Tribal",
    "Non-Profit",
)
ORGANIZATIONS = {
    "wa-gov": ("State of Washington", STATE),
    "ny-gov": ("State of New York", STATE),
    "ct-gov": ("State of Connecticut", STATE),
    "maryland-gov": ("State of Maryland", STATE),
    "city-of-austin": ("City of Austin", CITY),
    "city-of-seattle": ("City of Seattle", CITY),
    "doe-gov": ("Department of Energy", FEDERAL),
    "noaa-gov": ("National Oceanic and Atmospheric Administration", FEDERAL),
    "epa-gov": ("U.S. Environmental Protection Agency", FEDERAL),
    "dot-gov": ("Department of Transportation", FEDERAL),
    "usgs-gov": ("Department of the Interior", FEDERAL),
    "census-gov": ("Department of Commerce", FEDERAL),
}
SORTS = {
    "relevance": "Relevance",
    "popularity": "Popularity",
    "last_harvested_date": "Last Published Date",
}
GEOSPATIAL = {"SHP", "KML", "GeoJSON"}


def _complete(row: Row) -> Row:
    """A stored row with what filters and pages show of it."""
    name, kind = ORGANIZATIONS[row["organization"]]
    spatial = "geospatial" if GEOSPATIAL.intersection(row["formats"]) else "non-geospatial"
    return {**row, "publisher": name, "kind": kind, "spatial": spatial}


datasets = Catalogue([_complete(row) for row in site.data("datasets")])


@site.get("/")
def search(request: Request) -> Response:
    params = request.query_params
    query = params.get("q", "").strip()
    keywords = [word for word in params.getlist("keyword") if word]
    kinds = [kind for kind in params.getlist("org_type") if kind in ORGANIZATION_TYPES]
    found = datasets.search(query.replace('"', " "), "title", "tags", "notes", "publisher")
    for word in keywords:
        found = found.where(tags=word)
    found = found.where(organization=params.get("org_slug"), spatial=params.get("spatial_filter"))
    if kinds:
        found = found.keep(lambda row: row["kind"] in kinds)
    sort = params.get("sort", "relevance")
    if sort == "popularity" or not query:
        found = found.sort("views", descending=True)
    elif sort == "last_harvested_date":
        found = found.sort("modified", descending=True)
    shown = params.get("results", "")
    size = int(shown) if shown.isdecimal() and len(shown) < 5 else PER_PAGE
    return site.render(
        "search.html",
        request,
        query=query,
        keywords=keywords,
        kinds=kinds,
        sort=sort,
        sorts=SORTS,
        page=found.page(1, max(PER_PAGE, size)),
        size=max(PER_PAGE, size),
        organizations={slug: name for slug, (name, _) in ORGANIZATIONS.items()},
        organization_types=ORGANIZATION_TYPES,
        popular=[word for word, _ in found.counts("tags")[:6]],
    )


@site.get("/dataset")
@site.get("/dataset/")
def former_search(request: Request) -> Response:
    return RedirectResponse("/", 301)


@site.get("/api/keywords")
def keywords(request: Request) -> Response:
    wanted = request.query_params.get("search", "").casefold()
    counts = [(word, count) for word, count in datasets.counts("tags") if wanted in word]
    return JSONResponse(
        {"keywords": [{"keyword": word, "count": count} for word, count in counts[:10]]}
    )


@site.get("/organization")
def organizations(request: Request) -> Response:
    counts = dict(datasets.counts("organization"))
    rows = sorted((name, slug, counts.get(slug, 0)) for slug, (name, _) in ORGANIZATIONS.items())
    return site.render("organizations.html", request, organizations=rows)


@site.get("/organization/{slug}")
def organization(request: Request) -> Response:
    return RedirectResponse(f"/?org_slug={request.path_params['slug']}", 302)


@site.get("/dataset/{slug}")
def dataset(request: Request) -> Response:
    row = datasets.one(slug=request.path_params["slug"])
    if row is None:
        return missing(request)
    return site.render("dataset.html", request, dataset=row)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
