"""Replica of W3C's technical reports.

A list filtered in the browser, documents, publication histories.
"""

from __future__ import annotations

import asyncio
from datetime import date

from pytest_webbench.world.kit import Catalogue, JSONResponse, Request, Response, Row, Site

site = Site(__file__)
specs = Catalogue(site.data("specs"))
STATUSES = {
    "standard": "Standard",
    "candidateStandard": "Candidate Standard",
    "draftStandard": "Draft Standard",
    "note": "Group Note",
    "draftNote": "Group Draft Note",
    "statement": "Statement",
    "registry": "Registry",
    "superseded": "Superseded Standard",
    "retired": "Discontinued Draft",
}
STEPS = {
    "WD": "Working Draft",
    "CR": "Candidate Recommendation Snapshot",
    "PR": "Proposed Recommendation",
    "REC": "Recommendation",
    "NOTE": "Group Note",
    "DNOTE": "Group Draft Note",
    "DRY": "Draft Registry",
    "STMT": "Statement",
    "DISC": "Discontinued Draft",
}
TAGS = {
    "accessibility": "Accessibility",
    "css": "CSS",
    "data": "Data",
    "graphics": "Graphics",
    "html": "HTML",
    "i18n": "Internationalization",
    "media": "Media",
    "performance": "Performance",
    "privacy": "Privacy",
    "publishing": "Publishing",
    "security": "Security",
    "webapi": "Web API",
    "xml": "XML",
}
LISTED = (
    "shortname",
    "title",
    "date",
    "day",
    "status",
    "maturity",
    "tags",
    "topics",
    "group",
    "summary",
)


def _long_date(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"


def _complete(row: Row) -> None:
    """Adds texts made from other fields, and the dated address of each version."""
    row["day"] = _long_date(row["date"])
    row["maturity"] = STATUSES[row["status"]]
    row["topics"] = [TAGS[tag] for tag in row["tags"]]
    row["versions"] = [_version(row["shortname"], day, step) for day, step in row["versions"]]


def _version(shortname: str, day: str, step: str) -> Row:
    name = f"{step}-{shortname}-{day.replace('-', '')}"
    return {"day": _long_date(day), "step": STEPS[step], "name": name, "year": day[:4]}


for spec in specs:
    _complete(spec)


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, latest=specs.sort("date", descending=True).rows[:6])


@site.get("/TR/")
@site.get("/TR")
def reports(request: Request) -> Response:
    groups = {row["group"]: row["group"] for row in specs.sort("group")}
    filters = [
        ("Status", "status[]", STATUSES),
        ("Tags", "tags[]", TAGS),
        ("Group", "group[]", groups),
    ]
    return site.render("reports.html", request, filters=filters)


@site.get("/TR/specifications.json")
async def listing(request: Request) -> Response:
    await asyncio.sleep(0.2)
    return JSONResponse([{name: row[name] for name in LISTED} for row in specs])


@site.get("/TR/{shortname}/")
@site.get("/TR/{shortname}")
def report(request: Request) -> Response:
    row = specs.one(shortname=request.path_params["shortname"])
    if row is None:
        return _missing(request)
    return site.render("report.html", request, spec=row, version=row["versions"][0])


@site.get("/TR/{year:int}/{name}/")
def dated_report(request: Request) -> Response:
    for row in specs:
        for version in row["versions"]:
            if version["name"] == request.path_params["name"]:
                return site.render("report.html", request, spec=row, version=version)
    return _missing(request)


@site.get("/standards/history/{shortname}/")
@site.get("/standards/history/{shortname}")
def history(request: Request) -> Response:
    row = specs.one(shortname=request.path_params["shortname"])
    if row is None:
        return _missing(request)
    return site.render("history.html", request, spec=row)


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
