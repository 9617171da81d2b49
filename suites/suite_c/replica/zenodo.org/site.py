"""Replica of Zenodo.

Record search as a single-page application with facets and versions, record pages.
"""

from __future__ import annotations

import asyncio
from typing import Any

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
records = Catalogue(site.data("records"))
TYPES = {
    "software": "Software",
    "publication": "Publication",
    "dataset": "Dataset",
    "image": "Image",
    "poster": "Poster",
    "presentation": "Presentation",
    "video": "Video/Audio",
}
SUBTYPES = {
    "publication-conferencepaper": "Conference paper",
    "publication-article": "Journal article",
    "publication-preprint": "Preprint",
    "publication-report": "Report",
    "publication-thesis": "Thesis",
    "image-figure": "Figure",
    "image-photo": "Photo",
    "software-computationalnotebook": "Computational notebook",
}
ACCESS = {
    "open": "Open",
    "restricted": "Restricted",
    "embargoed": "Embargoed",
    "metadata-only": "Metadata-only",
}
SORTS = {
    "newest": ("date", True),
    "oldest": ("date", False),
    "version": ("id", True),
    "mostviewed": ("views", True),
    "mostdownloaded": ("downloads", True),
}
FACETS = {"access_status": "access", "resource_type": "type", "file_type": "file_type"}
DELAY = 0.2


def type_label(row: Row) -> str:
    """What a record is, in words."""
    return SUBTYPES.get(row["subtype"], TYPES[row["type"]])


@site.get("/")
def home(request: Request) -> Response:
    recent = records.where(latest=True).sort("date", descending=True).rows[:6]
    return site.render("home.html", request, recent=recent, type_label=type_label)


@site.get("/search")
def search(request: Request) -> Response:
    return site.render("search.html", request)


@site.get("/api/records")
async def hits(request: Request) -> Response:
    await asyncio.sleep(DELAY)
    params = request.query_params
    chosen = [
        (facet, value) for facet, _, value in (text.partition(":") for text in params.getlist("f"))
    ]
    found = _matching(params.get("q", ""))
    if ("allversions", "true") not in chosen:
        found = found.where(latest=True)
    narrowed = found.keep(lambda row: _fits(row, chosen))
    name, descending = SORTS.get(params.get("sort", ""), ("", False))
    ordered = narrowed.sort(name, descending=descending) if name else narrowed
    page = ordered.page(
        params.get("p"), int(params["s"]) if params.get("s") in ("10", "20", "50") else 10
    )
    shown: list[Any] = [
        {**row, "type_label": type_label(row), "versions": _siblings(row)} for row in page.items
    ]
    facets = {"access_status": _count(found, "access", ACCESS), "resource_type": _types(found)}
    facets["file_type"] = [
        {"value": key, "label": key, "count": count} for key, count in found.counts("file_type")
    ]
    return JSONResponse(
        {
            "hits": shown,
            "total": page.total,
            "page": page.number,
            "pages": page.pages,
            "facets": facets,
        }
    )


def _matching(query: str) -> Catalogue:
    if query.startswith("parent.id:"):
        number = query.partition(":")[2]
        return records.where(parent=int(number) if number.isdigit() else -1)
    return records.search(query.replace('"', " "), "title", "keywords", "description", "creators")


def _fits(row: Row, chosen: list[tuple[str, str]]) -> bool:
    """Values of one facet widen each other, different facets narrow."""
    asked = {facet for facet, _ in chosen} & set(FACETS)
    return all(
        any(_is(row, FACETS[facet], value) for name, value in chosen if name == facet)
        for facet in asked
    )


def _is(row: Row, field: str, value: str) -> bool:
    """Whether a record has a facet value, say ``publication+inner:publication-article``."""
    outer, _, inner = value.replace(" ", "+").partition("+inner:")
    return bool(row[field] == outer and inner in ("", row["subtype"]))


def _count(found: Catalogue, field: str, labels: dict[str, str]) -> list[Row]:
    return [
        {"value": key, "label": labels[key], "count": count} for key, count in found.counts(field)
    ]


def _types(found: Catalogue) -> list[Row]:
    buckets = _count(found, "type", TYPES)
    for bucket in buckets:
        bucket["inner"] = _count(found.where(type=bucket["value"]), "subtype", SUBTYPES)
    return buckets


def _siblings(row: Row) -> int:
    return len(records.where(parent=row["parent"])) - 1


@site.get("/records/{number:int}")
def record(request: Request) -> Response:
    row = records.one(id=request.path_params["number"])
    if row is None:
        return site.render("missing.html", request, status=404)
    versions = records.where(parent=row["parent"]).sort("date", descending=True)
    kind, access = type_label(row), ACCESS[row["access"]]
    return site.render(
        "record.html", request, record=row, versions=versions, kind=kind, access=access
    )


@site.get("/record/{number:int}")
def old_record(request: Request) -> Response:
    return RedirectResponse(f"/records/{request.path_params['number']}", 301)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
