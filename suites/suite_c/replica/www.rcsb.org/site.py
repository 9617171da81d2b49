"""Replica of the RCSB Protein Data Bank.

The whole query stands as JSON in the address; structures with tabs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
SEARCHED = ("id", "title", "keywords", "authors", "organism")
REFINEMENTS = {
    "rcsb_entity_source_organism.ncbi_scientific_name": (
        "Scientific Name of Source Organism",
        "organism",
    ),
    "exptl.method": ("Experimental Method", "method"),
    "rcsb_entry_info.resolution_combined": ("Refinement Resolution (Å)", "bin"),
    "rcsb_accession_info.initial_release_date": ("Release Date", "decade"),
}
SORTS = {
    "score desc": ("Score", ""),
    "rcsb_accession_info.initial_release_date desc": ("Release Date: Newest to Oldest", "released"),
    "rcsb_accession_info.initial_release_date asc": ("Release Date: Oldest to Newest", "released"),
    "rcsb_entry_info.resolution_combined asc": ("Resolution: Best to Worst", "resolution"),
    "rcsb_entry_container_identifiers.entry_id asc": ("PDB ID: A to Z", "id"),
}
SIZES = (10, 25, 50, 100)
TABS = {"structure": "Structure Summary", "sequence": "Sequence", "experimental": "Experiment"}


@dataclass
class Query:
    """What the JSON in an address asks for."""

    words: str = ""
    chosen: dict[str, list[str]] = field(default_factory=dict)
    sort: str = "score desc"
    start: int = 0
    rows: int = 25

    def state(self) -> Row:
        """For the page's script, which makes the next address from it."""
        return {
            "words": self.words,
            "chosen": self.chosen,
            "sort": self.sort,
            "start": self.start,
            "rows": self.rows,
        }


def _load() -> Catalogue:
    rows: list[Row] = site.data("structures")
    for row in rows:
        low = row["resolution"] // 0.5 * 0.5
        row["bin"] = f"{low} - {low + 0.5}"
        row["decade"] = f"{row['released'][:3]}0 - {row['released'][:3]}9"
    return Catalogue(rows)


structures = _load()


@site.get("/")
def home(request: Request) -> Response:
    newest = structures.sort("released", descending=True).rows[:5]
    return site.render("home.html", request, newest=newest)


@site.get("/search")
def search(request: Request) -> Response:
    query = _query(request.query_params.get("request", ""))
    found = structures.search(query.words.replace('"', " "), *SEARCHED)
    wanted = {REFINEMENTS[name][1]: values for name, values in query.chosen.items()}
    narrowed = found.where(**wanted)
    _, key = SORTS[query.sort]
    if key:
        narrowed = narrowed.sort(key, descending=query.sort.endswith("desc"))
    page = narrowed.page(query.start // query.rows + 1, query.rows)
    counts = {
        name: sorted(found.counts(key)[:8]) if name.startswith("rcsb_e") else found.counts(key)[:8]
        for name, (_, key) in REFINEMENTS.items()
    }
    labels = {name: label for name, (label, _) in REFINEMENTS.items()}
    sorts = {name: label for name, (label, _) in SORTS.items()}
    return site.render(
        "search.html",
        request,
        query=query,
        page=page,
        counts=counts,
        labels=labels,
        sorts=sorts,
        sizes={size: f"{size} per page" for size in SIZES},
    )


def _query(text: str) -> Query:
    """What a request asks for; what it gets wrong counts as not said."""
    try:
        asked = json.loads(text) if text else {}
    except ValueError:
        asked = {}
    query = Query()
    if not isinstance(asked, dict):
        return query
    for service, parameters in _terminals(asked.get("query")):
        value = parameters.get("value", "")
        if service == "full_text":
            query.words = str(value)
        elif parameters.get("attribute") in REFINEMENTS:
            query.chosen.setdefault(parameters["attribute"], []).append(str(value))
    options = asked.get("request_options") or {}
    pager = options.get("paginate") or {}
    query.start = _number(pager.get("start"), 0)
    query.rows = _number(pager.get("rows"), 25) or 25
    for one in options.get("sort") or []:
        name = f"{one.get('sort_by')} {one.get('direction')}"
        query.sort = name if name in SORTS else query.sort
    return query


def _terminals(node: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The leaves of a query's tree: which service, and what it is asked."""
    if not isinstance(node, dict):
        return
    if node.get("type") == "terminal":
        yield str(node.get("service")), node.get("parameters") or {}
    for one in node.get("nodes") or []:
        yield from _terminals(one)


def _number(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and 0 <= value < 10_000 else otherwise


@site.get("/structure/{id}")
@site.get("/sequence/{id}")
@site.get("/experimental/{id}")
def structure(request: Request) -> Response:
    tab, name = request.url.path.strip("/").split("/")
    if name != name.upper():
        return RedirectResponse(f"/{tab}/{name.upper()}", 301)
    row = structures.one(id=name)
    if row is None:
        return site.render("missing.html", request, status=404)
    return site.render("structure.html", request, row=row, tab=tab, tabs=TABS)


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
