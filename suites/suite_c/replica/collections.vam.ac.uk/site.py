"""Replica of the V&A's "Explore the Collections".

Search, filters in a drawer, sort, pages of results, item pages.
"""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    slugify,
)

site = Site(__file__)
PAGE_SIZES = (15, 30, 50)
ORDERS = {
    "": "Relevance",
    "date asc": "Date: oldest first",
    "date desc": "Date: newest first",
    "title asc": "Title: A to Z",
}
FACETS = {
    "id_category": ("Object type", "type", "THES", 48855),
    "id_technique": ("Technique", "techniques", "AAT", 53242),
    "id_maker": ("Person or organisation", "maker", "A", 4821),
    "id_place": ("Place of origin", "place", "x", 28816),
}
items = Catalogue(
    [
        {**row, "slug": slugify(f"{row['title']} {row['type']} {row['maker']}")}
        for row in site.data("items")
    ]
)
TERMS = {
    parameter: {
        f"{prefix}{start + 137 * place}": name
        for place, name in enumerate(sorted(name for name, _ in items.counts(field)))
    }
    for parameter, (_, field, prefix, start) in FACETS.items()
}


@site.get("/")
def front(request: Request) -> Response:
    return site.render("home.html", request, count=len(items), some=items.rows[:6])


@site.get("/search")
def search_without_slash(request: Request) -> Response:
    return RedirectResponse(f"/search/?{request.url.query}", 301)


@site.get("/search/")
def search(request: Request) -> Response:
    params = request.query_params
    found = items.search(
        params.get("q", "").replace('"', " "), "title", "type", "maker", "place", "techniques"
    )
    if params.get("images_exist"):
        found = found.where(image=True)
    found = _within_years(found, params.get("year_made_from", ""), params.get("year_made_to", ""))
    chosen = {
        parameter: [one for one in params.getlist(parameter) if one in TERMS[parameter]]
        for parameter in FACETS
    }
    facets = [
        _facet(_narrow(found, chosen, without=parameter), parameter, chosen[parameter])
        for parameter in FACETS
    ]
    found = _narrow(found, chosen)
    order = f"{params.get('order_by', '')} {params.get('order_sort', 'asc')}"
    if order in ORDERS:
        found = found.sort(
            "year" if "date" in order else "title", descending=order.endswith("desc")
        )
    size = next(
        (size for size in PAGE_SIZES if params.get("page_size") == str(size)), PAGE_SIZES[0]
    )
    page = found.page(params.get("page"), size)
    return site.render(
        "search.html",
        request,
        page=page,
        facets=facets,
        orders=ORDERS,
        order=order,
        sizes=PAGE_SIZES,
        active=_active(chosen),
    )


@site.get("/item/O{number:int}")
@site.get("/item/O{number:int}/")
@site.get("/item/O{number:int}/{slug}")
def item_short(request: Request) -> Response:
    row = items.one(number=request.path_params["number"])
    if row is None:
        return missing(request)
    return RedirectResponse(f"/item/O{row['number']}/{row['slug']}/", 301)


@site.get("/item/O{number:int}/{slug}/")
def item(request: Request) -> Response:
    row = items.one(number=request.path_params["number"])
    if row is None:
        return missing(request)
    alike = items.where(type=row["type"], maker=row["maker"]).keep(lambda other: other is not row)
    return site.render("item.html", request, item=row, alike=alike.rows[:4])


def _within_years(found: Catalogue, first: str, last: str) -> Catalogue:
    low = int(first) if first.isdigit() else 0
    high = int(last) if last.isdigit() else 9999
    return found.keep(lambda row: low <= row["year"] <= high)


def _narrow(found: Catalogue, chosen: dict[str, list[str]], without: str = "") -> Catalogue:
    wanted = {
        FACETS[name][1]: [TERMS[name][one] for one in ids]
        for name, ids in chosen.items()
        if name != without
    }
    return found.where(**wanted)


def _facet(found: Catalogue, parameter: str, chosen: list[str]) -> Row:
    """A filter's heading and its terms with how many records have each."""
    title, field, _, _ = FACETS[parameter]
    counts = dict(found.counts(field))
    terms = [
        (one, name, counts.get(name, 0))
        for one, name in TERMS[parameter].items()
        if name in counts or one in chosen
    ]
    return {"title": title, "parameter": parameter, "terms": terms, "chosen": chosen}


def _active(chosen: dict[str, list[str]]) -> list[tuple[str, str, list[str]]]:
    """Chosen terms: parameter, name, and what the parameter is without it."""
    return [
        (parameter, TERMS[parameter][one], [other for other in ids if other != one])
        for parameter, ids in chosen.items()
        for one in ids
    ]


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
