"""Replica of the Python Package Index.

Search with classifier filters and ordering, project and release pages.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from pytest_webbench.world.kit import Catalogue, Request, Response, Row, Site, slugify

site = Site(__file__)
PER_PAGE = 20
ORDERS = {"": "Relevance", "-created": "Date last updated"}
GROUPS = (
    "Framework",
    "Topic",
    "Development Status",
    "License",
    "Programming Language",
    "Operating System",
    "Intended Audience",
)


def _project(row: Row) -> Row:
    releases = [
        dict(zip(("version", "date"), line.split(), strict=True)) for line in row["releases"]
    ]
    return {**row, "slug": slugify(row["name"]), "releases": releases}


projects = Catalogue([_project(row) for row in site.data("projects")])


def day(text: str) -> str:
    """``2025-06-17`` as ``Jun 17, 2025``."""
    return f"{date.fromisoformat(text):%b} {int(text[-2:])}, {text[:4]}"


def _facets() -> list[tuple[str, list[str]]]:
    """Classifiers by their first part, numbers in them in natural order."""

    def natural(classifier: str) -> list[Any]:
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", classifier)]

    known = [classifier for classifier, _ in projects.counts("classifiers")]
    return [
        (group, sorted((c for c in known if c.startswith(f"{group} :: ")), key=natural))
        for group in GROUPS
    ]


FACETS = _facets()


def _render(template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
    return site.render(
        template, request, status=status, day=day, query=request.query_params.get("q", ""), **values
    )


@site.get("/")
def home(request: Request) -> Response:
    newest = projects.sort("updated", descending=True).rows[:6]
    return _render("home.html", request, total=len(projects), newest=newest)


@site.get("/search/")
@site.get("/search")
def search(request: Request) -> Response:
    order, chosen = request.query_params.get("o", ""), request.query_params.getlist("c")
    found = projects.search(request.query_params.get("q", "").replace('"', " "), "name", "summary")
    for classifier in chosen:
        found = found.where(classifiers=classifier)
    if order == "-created":
        found = found.sort("updated", descending=True)
    page = found.page(request.query_params.get("page"), PER_PAGE)
    return _render(
        "search.html", request, page=page, order=order, orders=ORDERS, chosen=chosen, facets=FACETS
    )


@site.get("/project/{slug}/{version}/")
@site.get("/project/{slug}/{version}")
@site.get("/project/{slug}/")
@site.get("/project/{slug}")
def project(request: Request) -> Response:
    row = projects.one(slug=slugify(request.path_params["slug"]))
    if row is None:
        return _no_such_page(request)
    version = request.path_params.get("version", row["version"])
    release = next((one for one in row["releases"] if one["version"] == version), None)
    if release is None:
        return _no_such_page(request)
    return _render("project.html", request, project=row, release=release, groups=GROUPS)


@site.not_found
def missing(request: Request) -> Response:
    return _no_such_page(request)


def _no_such_page(request: Request) -> Response:
    return _render("missing.html", request, status=404)
