"""Replica of UniProtKB.

A single-page application with a choice of views, facets, sortable columns and entry pages.
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
entries = Catalogue(site.data("entries"))
CHUNK = 25
DELAY = 0.15
SEARCHED = ("name", "gene", "accession", "id", "function", "family", "organism")
SORTS = {
    "accession": "accession",
    "id": "id",
    "gene": "gene",
    "organism_name": "organism",
    "length": "length",
}
ORGANISMS = {
    9606: "Human",
    10090: "Mouse",
    10116: "Rat",
    9913: "Bovine",
    7955: "Zebrafish",
    3702: "A. thaliana",
    39947: "Rice",
    83333: "E. coli K12",
    559292: "Baker's yeast",
    7227: "Fruit fly",
}
EXISTENCE = {
    1: "Protein level",
    2: "Transcript level",
    3: "Homology",
    4: "Predicted",
    5: "Uncertain",
}
LENGTHS = {
    "[1 TO 200]": (1, 200),
    "[201 TO 400]": (201, 400),
    "[401 TO 600]": (401, 600),
    "[601 TO *]": (601, 10**6),
}


def _facets_of(row: Row) -> list[str]:
    """Every ``facet:value`` that holds for an entry."""
    low_high = next(name for name, (low, high) in LENGTHS.items() if low <= row["length"] <= high)
    facets = [f"reviewed:{str(row['reviewed']).lower()}", f"existence:{row['existence']}"]
    facets += [f"annotation_score:{row['score']}", f"length:{low_high}"]
    facets += [f"model_organism:{row['taxid']}"] if row["taxid"] in ORGANISMS else []
    return facets + (["proteins_with:1"] if row["structure"] else [])


for entry in entries:
    entry["facets"] = _facets_of(entry)
    entry["existence_label"] = EXISTENCE[entry["existence"]]

FACETS: dict[str, dict[str, str]] = {
    "Status": {"reviewed:true": "Reviewed (Swiss-Prot)", "reviewed:false": "Unreviewed (TrEMBL)"},
    "Popular organisms": {f"model_organism:{key}": label for key, label in ORGANISMS.items()},
    "Proteins with": {"proteins_with:1": "3D structure"},
    "Protein existence": {f"existence:{key}": label for key, label in EXISTENCE.items()},
    "Annotation score": {f"annotation_score:{score}": str(score) for score in range(5, 0, -1)},
    "Sequence length": {f"length:{key}": key.strip("[]").replace(" TO ", " - ") for key in LENGTHS},
}


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request)


@site.get("/uniprotkb")
@site.get("/uniprotkb/{accession}/{section}")
def shell(request: Request) -> Response:
    known = request.path_params.get("accession") in (None, *(row["accession"] for row in entries))
    return site.render(
        "app.html" if known else "missing.html", request, status=200 if known else 404
    )


@site.get("/uniprotkb/{accession}")
def short_address(request: Request) -> Response:
    return RedirectResponse(f"/uniprotkb/{request.path_params['accession']}/entry", 302)


@site.get("/api/uniprotkb/search")
async def search(request: Request) -> Response:
    await asyncio.sleep(DELAY)
    params = request.query_params
    chosen = [one for one in params.get("facets", "").split(",") if one]
    found = entries.search(params.get("query", "").replace('"', " "), *SEARCHED).keep(
        lambda row: set(chosen) <= set(row["facets"])
    )
    column = SORTS.get(params.get("sort", ""))
    ordered = found.sort(column, descending=params.get("dir") == "descend") if column else found
    page = ordered.page(params.get("chunk"), CHUNK)
    counts = dict(found.counts("facets"))
    facets = [
        {"title": title, "values": _buckets(labels, counts)} for title, labels in FACETS.items()
    ]
    return JSONResponse(
        {"results": page.items, "total": page.total, "chunks": page.pages, "facets": facets}
    )


def _buckets(labels: dict[str, str], counts: dict[str, int]) -> list[Row]:
    return [
        {"value": key, "label": label, "count": counts[key]}
        for key, label in labels.items()
        if key in counts
    ]


@site.get("/api/uniprotkb/{accession}")
async def one_entry(request: Request) -> Response:
    await asyncio.sleep(DELAY)
    row = entries.one(accession=request.path_params["accession"])
    return JSONResponse(row, 200 if row else 404)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
