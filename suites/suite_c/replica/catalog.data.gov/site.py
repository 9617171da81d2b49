"""Replica of the Data.gov catalog, a CKAN site: search, facets as link lists, "Order by", datasets, resources."""

from __future__ import annotations

from urllib.parse import urlencode

from pytest_webbench.world.kit import (
    Catalogue,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    with_params,
)

site = Site(__file__)
PER_PAGE = 10
SHOWN_FACETS = 6
ORGANIZATIONS = {
    "wa-gov": "State of Washington", "ny-gov": "State of New York", "doe-gov": "Department of Energy",
    "city-of-austin": "City of Austin", "city-of-seattle": "City of Seattle",
    "noaa-gov": "National Oceanic and Atmospheric Administration", "epa-gov": "U.S. Environmental Protection Agency",
    "dot-gov": "Department of Transportation", "usgs-gov": "Department of the Interior",
    "census-gov": "Department of Commerce", "ct-gov": "State of Connecticut", "maryland-gov": "State of Maryland",
}  # fmt: skip
FORMAT_NAMES = {
    "CSV": "Comma Separated Values File",
    "PDF": "PDF Document",
    "API": "API Endpoint",
    "ZIP": "Zip Archive",
}
ORDERS = {
    "score desc, name asc": "Relevance", "title_string asc": "Name Ascending", "title_string desc": "Name Descending",
    "metadata_modified desc": "Last Modified", "views_recent desc": "Popular", "metadata_created desc": "Date Added",
}  # fmt: skip
FIELDS = {
    "title_string": "title",
    "metadata_modified": "modified",
    "views_recent": "views",
    "metadata_created": "created",
}
FACETS = {"tags": "Tags", "res_format": "Formats", "organization": "Organizations"}


def _complete(row: Row) -> Row:
    """A stored row with what facets and pages show of it."""
    resources = [{**one, "name": FORMAT_NAMES.get(one["format"], f"{one['format']} File")} for one in row["resources"]]
    formats = [one["format"] for one in resources]
    return {**row, "resources": resources, "res_format": formats, "publisher": ORGANIZATIONS[row["organization"]]}


datasets = Catalogue([_complete(row) for row in site.data("datasets")])


@site.get("/")
def front(request: Request) -> Response:
    return RedirectResponse("/dataset", 302)


@site.get("/dataset/")
def search_with_slash(request: Request) -> Response:
    return RedirectResponse(f"/dataset?{request.url.query}", 301)


@site.get("/dataset")
def search(request: Request) -> Response:
    params = request.query_params
    query = params.get("q", "").strip()
    chosen = {facet: params.getlist(facet) for facet in FACETS}
    found = datasets.search(query, "title", "tags", "notes", "publisher")
    for facet, values in chosen.items():
        for value in values:
            found = found.where(**{facet: value})
    order = params.get("sort", "")
    if order not in ORDERS:
        order = "score desc, name asc" if query else "views_recent desc"
    field, _, direction = order.partition(" ")
    if field in FIELDS:
        found = found.sort(FIELDS[field], descending=direction == "desc")
    facets = [_facet(request, found, facet, chosen[facet]) for facet in FACETS]
    page = found.page(params.get("page"), PER_PAGE)
    return site.render("search.html", request, query=query, page=page, facets=facets, orders=ORDERS, order=order)


@site.get("/organization")
def organizations(request: Request) -> Response:
    counts = dict(datasets.counts("organization"))
    rows = sorted((name, slug, counts.get(slug, 0)) for slug, name in ORGANIZATIONS.items())
    return site.render("organizations.html", request, organizations=rows)


@site.get("/organization/{slug}")
def organization(request: Request) -> Response:
    pairs = [("organization", request.path_params["slug"]), *request.query_params.multi_items()]
    return RedirectResponse(f"/dataset?{urlencode(pairs)}", 302)


@site.get("/dataset/{slug}")
def dataset(request: Request) -> Response:
    row = datasets.one(slug=request.path_params["slug"])
    return site.render("dataset.html", request, dataset=row) if row else missing(request)


@site.get("/dataset/{slug}/resource/{resource}")
def resource_page(request: Request) -> Response:
    row, resource = _resource(request)
    return (
        site.render("resource.html", request, dataset=row, resource=resource) if row and resource else missing(request)
    )


@site.get("/dataset/{slug}/resource/{resource}/download")
def download(request: Request) -> Response:
    row, resource = _resource(request)
    if not row or not resource:
        return missing(request)
    return JSONResponse({"title": row["title"], "format": resource["format"], "modified": row["modified"]})


def _resource(request: Request) -> tuple[Row | None, Row | None]:
    row = datasets.one(slug=request.path_params["slug"])
    wanted = request.path_params["resource"]
    return row, next((one for one in row["resources"] if one["id"] == wanted), None) if row else None


def _facet(request: Request, found: Catalogue, facet: str, chosen: list[str]) -> Row:
    """A list of links that add or remove a value; the rarer values only after "Show More"."""
    limit = f"_{facet}_limit"
    counts = found.counts(facet)
    whole = request.query_params.get(limit) == "0"
    entries = []
    for place, (value, count) in enumerate(counts):
        active = value in chosen
        if active or whole or place < SHOWN_FACETS:
            values = [one for one in chosen if one != value] if active else [*chosen, value]
            label = ORGANIZATIONS.get(value, value)
            entries.append({"label": label, "count": count, "active": active, "href": _with(request, facet, values)})
    more = None if len(counts) <= SHOWN_FACETS else with_params(request, **{limit: None if whole else "0"})
    return {"title": FACETS[facet], "entries": entries, "whole": whole, "more": more}


def _with(request: Request, facet: str, values: list[str]) -> str:
    return with_params(request, page=None, **{facet: values})


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
