"""Replica of the RFC Editor (site of 2026).

Instant search with filters, pages about RFCs, texts.
"""

from __future__ import annotations

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
rfcs = Catalogue(site.data("rfcs"))
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
HIDDEN_BY_DEFAULT = "Historic"


def _complete(row: Row) -> None:
    """Adds what follows from other rows: by which RFCs this one was obsoleted or updated."""
    year, month = row["date"].split("-")
    row["when"] = f"{MONTHS[int(month) - 1]} {year}"
    row["obsoleted_by"] = [other["number"] for other in rfcs if row["number"] in other["obsoletes"]]
    row["updated_by"] = [other["number"] for other in rfcs if row["number"] in other["updates"]]
    row["hidden"] = bool(row["obsoleted_by"]) or row["status"] == HIDDEN_BY_DEFAULT


for rfc in rfcs:
    _complete(rfc)


@site.get("/")
def home(request: Request) -> Response:
    latest = rfcs.sort("number", descending=True).rows[:6]
    return site.render("home.html", request, latest=latest)


@site.get("/search")
@site.get("/search/")
def search(request: Request) -> Response:
    return site.render("search.html", request, rfcs=rfcs.rows)


@site.get("/search/rfc_search.php")
@site.get("/search/rfc_search_detail.php")
def former_search(request: Request) -> Response:
    """Old links keep their words; the statuses of the old form have other names now."""
    words = request.query_params.get("title", "").strip()
    return RedirectResponse(f"/search/?q={words.replace(' ', '+')}" if words else "/search/", 301)


@site.get("/info/rfc{number:int}")
def without_slash(request: Request) -> Response:
    return RedirectResponse(f"/info/rfc{request.path_params['number']}/", 301)


@site.get("/info/rfc{number:int}/")
def info(request: Request) -> Response:
    return _about(request, "info.html")


@site.get("/rfc/rfc{number:int}.html")
@site.get("/rfc/rfc{number:int}")
@site.get("/rfc/rfc{number:int}/")
def document(request: Request) -> Response:
    return _about(request, "document.html")


@site.get("/rfc/rfc{number:int}.txt")
def text(request: Request) -> Response:
    row = rfcs.one(number=request.path_params["number"])
    if row is None:
        return _missing(request)
    lines = [
        f"Request for Comments: {row['number']}",
        f"Category: {row['status']}",
        row["authors"],
        row["when"],
    ]
    return Response(
        "\n".join([*lines, "", row["title"], "", row["abstract"], ""]), media_type="text/plain"
    )


def _about(request: Request, template: str) -> Response:
    row = rfcs.one(number=request.path_params["number"])
    if row is None:
        return _missing(request)
    return site.render(template, request, rfc=row)


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
