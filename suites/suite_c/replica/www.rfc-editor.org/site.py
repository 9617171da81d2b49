"""Replica of the RFC Editor: advanced search with additional criteria, sortable results, info pages, documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pytest_webbench.world.kit import Catalogue, Request, Response, Row, Site

site = Site(__file__)
rfcs = Catalogue(site.data("rfcs"))
THIS_MONTH = "2026-06"
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December"]  # fmt: skip
TRACK = ["Proposed Standard", "Draft Standard", "Internet Standard"]
STATUSES = ["Best Current Practice", "Informational", "Experimental", "Historic", "Unknown"]
STREAMS = ["IETF", "IRTF", "IAB", "Independent", "Editorial", "Legacy"]
YEARS = range(1969, 2027)
SIZES = {"25": 25, "50": 50, "All": 1000}


def _complete(row: Row) -> None:
    """Adds what follows from other rows: by which RFCs this one was obsoleted or updated."""
    year, month = row["date"].split("-")
    row["when"] = f"{MONTHS[int(month) - 1]} {year}"
    row["obsoleted_by"] = [other["number"] for other in rfcs if row["number"] in other["obsoletes"]]
    row["updated_by"] = [other["number"] for other in rfcs if row["number"] in other["updates"]]


for rfc in rfcs:
    _complete(rfc)


@site.get("/")
def home(request: Request) -> Response:
    latest = rfcs.sort("number", descending=True).rows[:6]
    return site.render("home.html", request, latest=latest)


@site.get("/search/rfc_search.php")
def search(request: Request) -> Response:
    return _search_page(request, None, "RFC Search")


@site.get("/search/rfc_search_detail.php")
def results(request: Request) -> Response:
    wanted = request.query_params
    key = "number" if wanted.get("sortkey") == "Number" or not wanted.get("sortkey") else "date"
    found = _matching(wanted, wanted.getlist("pubstatus[]")).sort("number")
    found = found.sort(key, descending=wanted.get("sorting") == "DESC")
    size = SIZES.get(wanted.get("page", "25"), 25)
    return _search_page(request, found.page(wanted.get("sheet"), size), "RFC Search Detail")


def _search_page(request: Request, page: Any, title: str) -> Response:
    return site.render(
        "search.html", request, page=page, title=title, months=MONTHS, years=YEARS, track=TRACK, statuses=STATUSES,
        streams=STREAMS, wanted=defaultdict(str, request.query_params),
        chosen=request.query_params.getlist("pubstatus[]") or ["Any"],
    )  # fmt: skip


def _matching(wanted: Mapping[str, str], statuses: list[str]) -> Catalogue:
    number = "".join(char for char in wanted.get("rfc", "") if char.isdigit())
    found = rfcs.where(number=int(number) if number else None, stream=wanted.get("stream_name"))
    found = found.where(wg=wanted.get("wg_acronym", "").strip().lower())
    found = found.search(wanted.get("title", ""), "title", "keywords").search(wanted.get("author", ""), "authors")
    found = found.search(wanted.get("abstract_box", ""), "abstract")
    allowed = _allowed(statuses, wanted.get("std_trk", "Any"))
    first, last = _period(wanted)
    return found.keep(lambda row: row["status"] in allowed and first <= row["date"] <= last)


def _allowed(statuses: list[str], track: str) -> set[str]:
    if not statuses or "Any" in statuses:
        return {*TRACK, *STATUSES}
    standards = {track} if track in TRACK else set(TRACK)
    return set(statuses) | (standards if "Standards Track" in statuses else set())


def _period(wanted: Mapping[str, str]) -> tuple[str, str]:
    match wanted.get("pub_date_type"):
        case "this_month":
            return THIS_MONTH, THIS_MONTH
        case "this_year":
            return THIS_MONTH[:4], "9999"
        case "range":
            first = _month(wanted.get("from_year", ""), wanted.get("from_month", ""), "January")
            return first, _month(wanted.get("to_year", ""), wanted.get("to_month", ""), "December") or "9999"
        case _:
            return "", "9999"


def _month(year: str, month: str, otherwise: str) -> str:
    name = month if month in MONTHS else otherwise
    return f"{year}-{MONTHS.index(name) + 1:02}" if year.isdigit() else ""


@site.get("/info/rfc{number:int}")
@site.get("/info/rfc{number:int}/")
def info(request: Request) -> Response:
    return _about(request, "info.html")


@site.get("/rfc/rfc{number:int}.html")
@site.get("/rfc/rfc{number:int}")
def document(request: Request) -> Response:
    return _about(request, "document.html")


@site.get("/rfc/rfc{number:int}.txt")
def text(request: Request) -> Response:
    row = rfcs.one(number=request.path_params["number"])
    if row is None:
        return _missing(request)
    lines = [f"Request for Comments: {row['number']}", f"Category: {row['status']}", row["authors"], row["when"]]
    return Response("\n".join([*lines, "", row["title"], "", row["abstract"], ""]), media_type="text/plain")


def _about(request: Request, template: str) -> Response:
    row = rfcs.one(number=request.path_params["number"])
    return site.render(template, request, rfc=row) if row else _missing(request)


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
