"""Replica of the RCSB Protein Data Bank: search, refinements applied by a button, menus, structure pages with tabs."""

from __future__ import annotations

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
SEARCHED = ("id", "title", "keywords", "authors", "organism")
REFINEMENTS = {
    "organism": "Scientific Name of Source Organism",
    "method": "Experimental Method",
    "resolution": "Refinement Resolution (Å)",
    "decade": "Release Date",
}
SORTS = {
    "score": ("Score", "", False),
    "release_date_desc": ("Release Date: Newest to Oldest", "released", True),
    "release_date_asc": ("Release Date: Oldest to Newest", "released", False),
    "resolution_asc": ("Resolution: Best to Worst", "resolution", False),
    "id_asc": ("PDB ID: A to Z", "id", False),
}
SIZES = {size: f"{size} per page" for size in ("10", "25", "50", "100")}
TABS = {"structure": "Structure Summary", "sequence": "Sequence", "experimental": "Experiment"}


def _load() -> Catalogue:
    rows: list[Row] = site.data("structures")
    for row in rows:
        low = row["resolution"] // 0.5 * 0.5
        row["bin"] = f"{low} - {low + 0.5}"
        row["decade"] = f"{row['released'][:3]}0 - {row['released'][:3]}9"
    return Catalogue(rows)


structures = _load()
FIELDS = {"organism": "organism", "method": "method", "resolution": "bin", "decade": "decade"}


@site.get("/")
def home(request: Request) -> Response:
    newest = structures.sort("released", descending=True).rows[:5]
    return site.render("home.html", request, newest=newest)


@site.get("/search")
def search(request: Request) -> Response:
    params = request.query_params
    query = params.get("q", "").strip()
    found = structures.search(query, *SEARCHED)
    chosen = {name: params.getlist(name) for name in REFINEMENTS}
    narrowed = found.where(**{FIELDS[name]: values for name, values in chosen.items()})
    sort = params.get("sort") if params.get("sort") in SORTS else "score"
    _, field, descending = SORTS[str(sort)]
    ordered = narrowed.sort(field, descending=descending) if field else narrowed
    size = params.get("rows") if params.get("rows") in SIZES else "25"
    page = ordered.page(params.get("page"), int(str(size)))
    counts = {name: found.counts(FIELDS[name])[:8] for name in REFINEMENTS}
    for name in ("resolution", "decade"):
        counts[name].sort()
    labels = {key: label for key, (label, _, _) in SORTS.items()}
    choices: Row = {"refinements": REFINEMENTS, "counts": counts, "sorts": labels, "sizes": SIZES}
    return site.render("search.html", request, query=query, chosen=chosen, sort=sort, size=size, page=page, **choices)


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
