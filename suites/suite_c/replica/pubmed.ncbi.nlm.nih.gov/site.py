"""Replica of PubMed.

Search, sidebar filters, a dialog that adds filters to the sidebar, sort order, article pages.
"""

from __future__ import annotations

from pytest_webbench.world.kit import Catalogue, RedirectResponse, Request, Response, Row, Site

site = Site(__file__)
groups: list[Row] = [{"single": False, **group} for group in site.data("filters")]
for group in groups:
    group["filters"] = [{"extra": False, **one} for one in group["filters"]]
filters: dict[str, Row] = {one["code"]: one for group in groups for one in group["filters"]}
SORTS = {
    "": "Best match",
    "date": "Most recent",
    "pubdate": "Publication date",
    "fauth": "First author",
    "jour": "Journal",
}
SIZES = ("10", "20", "50", "100", "200")
SEARCHED = ("title", "keywords", "abstract", "authors", "journal")


def _load() -> Catalogue:
    rows: list[Row] = site.data("articles")
    for row in rows:
        row["filters"] += [
            code for code, one in filters.items() if "since" in one and row["date"] >= one["since"]
        ]
    return Catalogue(rows)


articles = _load()


@site.get("/")
def search(request: Request) -> Response:
    term = request.query_params.get("term", "").strip()
    if not term:
        return site.render("home.html", request)
    if term.isdigit() and articles.one(pmid=int(term)):
        return RedirectResponse(f"/{term}/", 302)
    active = [code for code in request.query_params.getlist("filter") if code in filters]
    sort = request.query_params.get("sort", "")
    size = request.query_params.get("size", "10")
    found = _sorted(_narrowed(articles.search(term.replace('"', " "), *SEARCHED), active), sort)
    page = found.page(request.query_params.get("page"), int(size) if size in SIZES else 10)
    choices: Row = {"groups": groups, "labels": filters, "sorts": SORTS, "sizes": SIZES}
    return site.render(
        "results.html",
        request,
        term=term,
        active=active,
        sort=sort,
        size=size,
        page=page,
        **choices,
    )


def _narrowed(found: Catalogue, active: list[str]) -> Catalogue:
    """Filters of one group widen each other, those of different groups narrow."""
    for group in groups:
        found = found.where(
            filters=[one["code"] for one in group["filters"] if one["code"] in active]
        )
    return found


def _sorted(found: Catalogue, sort: str) -> Catalogue:
    if sort == "date":
        return found.sort("entered", descending=True)
    if sort == "pubdate":
        return found.sort("date", descending=True)
    if sort in ("fauth", "jour"):
        return found.sort({"fauth": "authors", "jour": "journal"}[sort])
    return found


@site.get("/{pmid:int}/")
def article(request: Request) -> Response:
    row = articles.one(pmid=request.path_params["pmid"])
    if row is None:
        return site.render("missing.html", request, status=404)
    types = [filters[code]["label"] for code in row["filters"] if code.startswith("pubt.")]
    return site.render("article.html", request, article=row, types=types, similar=_similar(row))


@site.get("/{pmid:int}")
def article_without_slash(request: Request) -> Response:
    return RedirectResponse(f"/{request.path_params['pmid']}/", 301)


def _similar(row: Row) -> list[Row]:
    words = set(row["title"].casefold().split())
    others = [other for other in articles if other is not row]
    return sorted(others, key=lambda other: -len(words & set(other["title"].casefold().split())))[
        :5
    ]


@site.not_found
def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)
