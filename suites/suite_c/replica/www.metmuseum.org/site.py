"""Replica of the Met's collection search.

A single-page application whose results grow as one scrolls.
"""

from __future__ import annotations

import asyncio

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
BATCH = 18
DELAY_SECONDS = 0.2
DEPARTMENTS = {
    1: "The American Wing",
    4: "Arms and Armor",
    6: "Asian Art",
    8: "The Costume Institute",
    9: "Drawings and Prints",
    10: "Egyptian Art",
    11: "European Paintings",
    12: "European Sculpture and Decorative Arts",
    13: "Greek and Roman Art",
    14: "Islamic Art",
    17: "Medieval Art",
    18: "Musical Instruments",
    19: "Photographs",
    21: "Modern and Contemporary Art",
}
ERAS = (
    ("8000-2000 B.C.", -8000, -2000),
    ("2000-1000 B.C.", -2000, -1000),
    ("1000 B.C.-A.D. 1", -1000, 1),
    ("A.D. 1-500", 1, 500),
    ("A.D. 500-1000", 500, 1000),
    ("A.D. 1000-1400", 1000, 1400),
    ("A.D. 1400-1600", 1400, 1600),
    ("A.D. 1600-1800", 1600, 1800),
    ("A.D. 1800-1900", 1800, 1900),
    ("A.D. 1900-present", 1900, 3000),
)
SHOW_ONLY = {
    "highlights": "highlight",
    "withImage": "image",
    "onDisplay": "display",
    "openAccess": "open",
}
SORTS = {
    "Title": ("title", False),
    "TitleDesc": ("title", True),
    "DateDesc": ("begin", True),
    "Date": ("begin", False),
    "ArtistMaker": ("artist", False),
    "AccessionNumber": ("accession", False),
}
FACETS = ("material", "geolocation", "era", "department")


def _with_facets(row: Row) -> Row:
    """A stored row with the values that the facets filter by."""
    era = next(label for label, first, end in ERAS if first <= row["begin"] < end)
    name = DEPARTMENTS[row["department"]]
    return {
        **row,
        "material": row["materials"],
        "geolocation": row["culture"],
        "era": era,
        "department": str(row["department"]),
        "departmentName": name,
    }


objects = Catalogue([_with_facets(row) for row in site.data("objects")])


@site.get("/")
@site.get("/art")
@site.get("/art/collection")
def front(request: Request) -> Response:
    return RedirectResponse("/art/collection/search", 302)


@site.get("/art/collection/search")
def search(request: Request) -> Response:
    return site.render("shell.html", request)


@site.get("/art/collection/search/{number:int}")
def page_of_object(request: Request) -> Response:
    if objects.one(id=request.path_params["number"]) is None:
        return missing(request)
    return site.render("shell.html", request)


@site.get("/api/collection/collectionlisting")
async def listing(request: Request) -> Response:
    """One batch of results from ``offset``, with the number of all and the facets."""
    await asyncio.sleep(DELAY_SECONDS)
    query = request.query_params
    words = query.get("q", "").replace('"', " ")
    found = objects.search(words, "title", "artist", "tags", "culture", "medium")
    for name in _values(query.get("showOnly")):
        if name in SHOW_ONLY:
            found = found.where(**{SHOW_ONLY[name]: True})
    chosen = {name: _values(query.get(name)) for name in FACETS}
    facets = {
        name: _counts(found.where(**{**chosen, name: []}), name, chosen[name]) for name in FACETS
    }
    found = found.where(**chosen)
    if query.get("sortBy") in SORTS:
        field, descending = SORTS[query["sortBy"]]
        found = found.sort(field, descending=descending)
    text = query.get("offset", "")
    start = int(text) if text.isdigit() else 0
    rows = found.rows[start : start + BATCH]
    return JSONResponse(
        {"total": len(found), "next": start + len(rows), "facets": facets, "results": rows}
    )


@site.get("/api/collection/object/{number:int}")
async def one_object(request: Request) -> Response:
    await asyncio.sleep(DELAY_SECONDS)
    row = objects.one(id=request.path_params["number"])
    if row is None:
        return JSONResponse({"object": None, "related": []})
    related = objects.where(department=row["department"]).keep(
        lambda other: bool(set(other["tags"]) & set(row["tags"]))
    )
    return JSONResponse(
        {"object": row, "related": [other for other in related if other is not row][:4]}
    )


def _values(text: str | None) -> list[str]:
    return [value for value in (text or "").split("|") if value]


def _counts(found: Catalogue, name: str, chosen: list[str]) -> list[Row]:
    """A facet's values in alphabetical order; a chosen one stays even when nothing has it."""
    counts = dict.fromkeys(chosen, 0) | dict(found.counts(name))
    labels = {
        value: DEPARTMENTS.get(int(value), value) if value.isdigit() else value for value in counts
    }
    order = [label for label, _, _ in ERAS]
    ranked = sorted(
        counts, key=lambda value: (order.index(value) if value in order else 0, labels[value])
    )
    return [{"value": value, "label": labels[value], "count": counts[value]} for value in ranked]


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
