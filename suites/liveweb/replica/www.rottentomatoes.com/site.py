"""Double of Rotten Tomatoes: browsing of movies and shows with filters in the path, and pages."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    Listing,
    Order,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
LISTS: dict[str, str] = CONTENT["lists"]
SORTS: dict[str, str] = CONTENT["sorts"]
LISTING = Listing(
    facets=("genres", "affiliates"),
    orders={
        "popular": Order("rank"),
        "newest": Order("date", descending=True),
        "a_z": Order("title"),
        "critic_highest": Order("critics", descending=True),
        "audience_highest": Order("audience", descending=True),
    },
    size=15,
)


@by_edition
def titles(edition: Edition) -> Catalogue:
    rows = []
    for name in LISTS:
        draw = edition.draw(name)
        wanted = draw.sample(
            [f"{one} {two}" for one in CONTENT["first"] for two in CONTENT["second"]], 42
        )
        for rank, title in enumerate(wanted):
            series = name == "tv_series_browse"
            rows.append(
                {
                    "title": title,
                    "list": name,
                    "rank": rank,
                    "genres": draw.sample(list(CONTENT["genres"]), 2),
                    "affiliates": draw.sample(list(CONTENT["affiliates"]), draw.randint(1, 2)),
                    "critics": draw.randint(22, 99),
                    "audience": draw.randint(25, 98),
                    "date": f"2026-{draw.randint(1, 11):02}-{draw.randint(1, 28):02}",
                    "href": f"/{'tv' if series else 'm'}/{slugify(title).replace('-', '_')}",
                }
            )
    return Catalogue(rows)


def _common() -> Row:
    return {"lists": LISTS, "news": CONTENT["news"]}


@site.get("/")
def home(request: Request) -> Response:
    popular = {name: titles(request).where(list=name).sort("rank").page(1, 8) for name in LISTS}
    return site.render("home.html", request, popular=popular, **_common())


@site.get("/browse/{name}")
@site.get("/browse/{name}/")
@site.get("/browse/{name}/{filters}")
def browse(request: Request) -> Response:
    name, coded = request.path_params["name"], request.path_params.get("filters", "")
    if name not in LISTS:
        return missing(request)
    chosen: dict[str, list[str]] = {}
    for part in coded.split("~"):
        key, _, values = part.partition(":")
        chosen[key] = [one for one in values.split(",") if one]
    sort = next(iter(chosen.get("sort", [])), "")
    wanted = Wanted(
        chosen={key: chosen.get(key, []) for key in ("genres", "affiliates")},
        order=sort if sort in SORTS else "popular",
        page=request.query_params.get("page"),
    )
    shown = LISTING.show(titles(request).where(list=name), wanted)
    page = shown.page
    more = with_params(request, page=page.number + 1) if page.number < page.pages else ""
    values = {"page": page, "more": more, "name": name, "chosen": chosen, "sort": sort}
    return site.render("browse.html", request, content=CONTENT, sorts=SORTS, **values, **_common())


@site.get("/search")
def search(request: Request) -> Response:
    words = request.query_params.get("search", "")
    found = titles(request).search(words, "title") if words.strip() else Catalogue()
    return site.render("search.html", request, words=words, found=found, **_common())


@site.get("/suggest")
def suggest(request: Request) -> Response:
    found = titles(request).search(request.query_params.get("q", ""), "title").page(1, 6).items
    return JSONResponse([{"label": row["title"], "href": row["href"]} for row in found])


@site.get("/{kind}/{slug}")
def title(request: Request) -> Response:
    row = titles(request).one(href=request.url.path)
    if row is None:
        return missing(request)
    names = CONTENT["genres"] | CONTENT["affiliates"]
    return site.render("title.html", request, row=row, names=names, **_common())


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common())


site.not_found(missing)
