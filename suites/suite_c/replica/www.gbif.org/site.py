"""Replica of GBIF (site of 2026).

One page for occurrences, with filter popovers and views in its address.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

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
occurrences = Catalogue(site.data("occurrences"))
taxa = Catalogue(site.data("taxa"))
countries = Catalogue(site.data("countries"))
FORMER_VIEWS = ("gallery", "map", "charts")
BASES = {
    "HUMAN_OBSERVATION": "Human observation",
    "MACHINE_OBSERVATION": "Machine observation",
    "MATERIAL_SAMPLE": "Material sample",
    "PRESERVED_SPECIMEN": "Preserved specimen",
}
PER_PAGE = 20
SUGGESTIONS = 8
DELAY = 0.15

for occurrence in occurrences:
    occurrence["basis_label"] = BASES[occurrence["basis"]]


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request)


@site.get("/occurrence")
def bare(request: Request) -> Response:
    return RedirectResponse("/occurrence/search", 302)


@site.get("/occurrence/{number:int}")
def detail(request: Request) -> Response:
    row = occurrences.one(key=request.path_params["number"])
    if row is None:
        return site.render("missing.html", request, status=404)
    return site.render("occurrence.html", request, row=row)


@site.get("/occurrence/search")
def shell(request: Request) -> Response:
    return site.render("app.html", request, bases=BASES)


@site.get("/occurrence/{view}")
def former_view(request: Request) -> Response:
    """Views had addresses of their own until 2026."""
    view = request.path_params["view"]
    if view not in FORMER_VIEWS:
        return missing(request)
    pairs = [*request.query_params.multi_items(), ("view", view)]
    return RedirectResponse(f"/occurrence/search?{urlencode(pairs)}", 302)


@site.get("/api/occurrence/search")
async def search(request: Request) -> Response:
    await asyncio.sleep(DELAY)
    params = request.query_params
    found = occurrences.keep(lambda row: _fits(row, params))
    with_image = found.where(image=True)
    page = found.page(int(_number(params.get("offset", ""), 0)) // PER_PAGE + 1, PER_PAGE)
    answer: Row = {
        "count": page.total,
        "results": page.items,
        "offset": (page.number - 1) * PER_PAGE,
        "limit": PER_PAGE,
    }
    answer["images"] = with_image.rows
    answer["points"] = [[row["lon"], row["lat"]] for row in found]
    answer["years"] = sorted(Counter(row["year"] for row in found).items())
    answer["bases"] = found.counts("basis_label")
    answer["labels"] = _labels(params)
    return JSONResponse(answer)


def _fits(row: Row, params: QueryParams) -> bool:
    wanted_taxa = params.getlist("taxonKey")
    years = [year.partition(",") for year in params.getlist("year")]
    return (
        (not wanted_taxa or any(key in wanted_taxa for key in row["lineage"]))
        and row["country"] in (_countries(params) or [row["country"]])
        and row["basis"] in (params.getlist("basisOfRecord") or [row["basis"]])
        and (not years or any(_in_years(row["year"], *year) for year in years))
    )


def _countries(params: QueryParams) -> list[str]:
    """Links from outside say ``countryCode``; the filter itself writes ``country``."""
    return [*params.getlist("country"), *params.getlist("countryCode")]


def _in_years(year: int, first: str, comma: str, last: str) -> bool:
    """Whether a year lies within ``2012``, ``2012,2015`` or ``2012,*``."""
    return _number(first, 0) <= year <= (_number(last, math.inf) if comma else _number(first, 0))


def _number(text: str, otherwise: float) -> float:
    return int(text) if text.isdigit() else otherwise


def _labels(params: QueryParams) -> dict[str, str]:
    """Names of the taxa and countries that the filters hold."""
    names = {
        f"taxonKey={row['key']}": row["name"]
        for row in taxa
        if row["key"] in params.getlist("taxonKey")
    }
    return names | {
        f"country={row['code']}": row["name"]
        for row in countries
        if row["code"] in _countries(params)
    }


@site.get("/api/species/suggest")
async def suggest_taxon(request: Request) -> Response:
    await asyncio.sleep(DELAY)
    found = taxa.search(request.query_params.get("q", ""), "name").rows[:SUGGESTIONS]
    return JSONResponse(
        [{"value": row["key"], "label": row["name"], "note": row["rank"]} for row in found]
    )


@site.get("/api/country/suggest")
async def suggest_country(request: Request) -> Response:
    await asyncio.sleep(DELAY)
    found = countries.search(request.query_params.get("q", ""), "name").rows[:SUGGESTIONS]
    return JSONResponse(
        [{"value": row["code"], "label": row["name"], "note": row["code"]} for row in found]
    )


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
