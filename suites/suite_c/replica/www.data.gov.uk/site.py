"""Replica of data.gov.uk.

Consent kept in cookies, search with filters, datasets with links to their files.
"""

from __future__ import annotations

from datetime import date

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
SHOWN_LINKS = 5
SORTS = {"best": "Best match", "recent": "Most recent"}


def _day(text: str) -> str:
    """``2025-04-17`` as ``17 April 2025``."""
    day = date.fromisoformat(text)
    return f"{day.day} {day:%B %Y}"


def _complete(row: Row) -> Row:
    """A stored row with dates in words and a number for each link."""
    links = [
        {**link, "number": number, "day": _day(link["added"])}
        for number, link in enumerate(row["links"], 1)
    ]
    return {
        **row,
        "links": links,
        "day": _day(row["updated"]),
        "path": f"/dataset/{row['id']}/{row['slug']}",
    }


datasets = Catalogue([_complete(row) for row in site.data("datasets")])
CHOICES = {
    "publisher": ("Publisher", sorted(name for name, _ in datasets.counts("publisher"))),
    "topic": ("Topic", sorted(name for name, _ in datasets.counts("topic"))),
    "format": ("Format", sorted(name for name, _ in datasets.counts("formats"))),
}


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, topics=CHOICES["topic"][1])


@site.get("/search")
def search(request: Request) -> Response:
    params = request.query_params
    chosen = {name: params.get(f"filters[{name}]", "") for name in (*CHOICES, "licence_code")}
    found = datasets.search(params.get("q", "").replace('"', " "), "title", "summary", "publisher")
    found = found.where(
        publisher=chosen["publisher"], topic=chosen["topic"], formats=chosen["format"]
    )
    if chosen["licence_code"] == "uk-ogl":
        found = found.where(ogl=True)
    sort = params.get("sort", "best")
    if sort == "recent":
        found = found.sort("updated", descending=True)
    page = found.page(params.get("page"), PER_PAGE)
    return site.render(
        "search.html", request, page=page, chosen=chosen, choices=CHOICES, sorts=SORTS, sort=sort
    )


@site.get("/cookies")
def cookies(request: Request) -> Response:
    return site.render("cookies.html", request)


@site.get("/dataset/{id}")
def dataset_short(request: Request) -> Response:
    row = datasets.one(id=request.path_params["id"])
    if row is None:
        return missing(request)
    return RedirectResponse(row["path"], 301)


@site.get("/dataset/{id}/{slug}")
def dataset(request: Request) -> Response:
    row = datasets.one(id=request.path_params["id"])
    if row is None:
        return missing(request)
    related = datasets.where(publisher=row["publisher"]).keep(lambda other: other is not row)
    return site.render(
        "dataset.html", request, dataset=row, related=related.rows[:5], shown=SHOWN_LINKS
    )


@site.get("/dataset/{id}/{slug}/datafile/{number:int}/preview")
def preview(request: Request) -> Response:
    row, link = _link(request)
    if row and link:
        return site.render("preview.html", request, dataset=row, link=link)
    return missing(request)


@site.get("/dataset/{id}/{slug}/datafile/{number:int}/download")
def download(request: Request) -> Response:
    row, link = _link(request)
    if not row or not link:
        return missing(request)
    return JSONResponse({"dataset": row["title"], "file": link["name"], "format": link["format"]})


def _link(request: Request) -> tuple[Row | None, Row | None]:
    row = datasets.one(id=request.path_params["id"])
    wanted = request.path_params["number"]
    if row is None:
        return None, None
    return row, next((link for link in row["links"] if link["number"] == wanted), None)


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
