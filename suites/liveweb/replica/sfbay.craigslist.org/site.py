"""Double of craigslist for the San Francisco Bay Area: sections, searches, postings."""

from __future__ import annotations

from datetime import timedelta

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Listing,
    Order,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    edition_of,
    number_in,
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
SECTIONS: dict[str, Row] = CONTENT["sections"]
AREAS: dict[str, str] = CONTENT["areas"]
CONDITIONS: dict[str, str] = CONTENT["conditions"]
SORTS: dict[str, str] = CONTENT["sorts"]
CATEGORIES = {
    code: label for section in SECTIONS.values() for code, label in section["categories"].items()
}
SECTION_OF = {code: name for name, one in SECTIONS.items() for code in one["categories"]}
LISTING = Listing(
    facets=("area", "condition"),
    ranges=("price", "bedrooms", "bathrooms"),
    orders={
        "date": Order("number", descending=True),
        "priceasc": Order("price"),
        "pricedsc": Order("price", descending=True),
    },
    size=60,
)


@by_edition
def postings(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for kind in CONTENT["postings"]:
        draw = edition.draw(kind["name"])
        for _ in range(draw.randint(*kind["number"])):
            row = _posting(kind, edition, len(rows))
            rows += [row | {"copy": copy} for copy in range(draw.choice(kind.get("copies", [1])))]
    order = edition.draw("order").sample(range(len(rows)), len(rows))
    numbered = [_numbered(row, number, edition) for row, number in zip(rows, order, strict=True)]
    return Catalogue(sorted(numbered, key=lambda row: -row["number"]))


def _posting(kind: Row, edition: Edition, number: int) -> Row:
    draw = edition.draw(f"{kind['name']} {number}")
    area = draw.choice(list(AREAS))
    words = {name: draw.choice(values) for name, values in CONTENT["words"].items()}
    beds = draw.randint(0, 4)
    low, high = kind.get("price", (0, 0))
    housing = kind["category"] in ("apa", "sub", "rea")
    return {
        "category": kind["category"],
        "title": draw.choice(kind["titles"]).format(**words, beds=beds or "studio"),
        "body": draw.choice(kind["bodies"]).format(**words),
        "area": area,
        "place": draw.choice(CONTENT["places"][area]),
        "price": draw.randrange(low, high, 5) if high else 0,
        "condition": draw.choice(list(CONDITIONS)) if kind.get("used") else "",
        "bedrooms": beds if housing else None,
        "bathrooms": draw.choice([1, 1, 1.5, 2, 2, 2.5]) if housing else None,
        "pictures": draw.choice([0, 1, 1, 1]),
    }


def _numbered(row: Row, number: int, edition: Edition) -> Row:
    posted = edition.now - timedelta(minutes=37 * (400 - number) + 5)
    address = f"/{row['area']}/{row['category']}/d/{slugify(row['title'])}"
    identity = 7_800_000_000 + edition.number * 1_000_000 + number * 977
    return row | {
        "number": number,
        "posted": posted,
        "id": identity,
        "href": f"{address}/{identity}.html",
    }


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, sections=SECTIONS, areas=AREAS)


@site.get("/search")
def moved(request: Request) -> Response:
    return RedirectResponse("/search/sss")


@site.get("/search/{category}")
@site.get("/search/{area}/{category}")
def search(request: Request) -> Response:
    category, area = request.path_params["category"], request.path_params.get("area", "")
    named = {one["code"]: name for name, one in SECTIONS.items()} | CATEGORIES
    if category not in named or (area and area not in AREAS):
        return missing(request)
    params = request.query_params
    found = Catalogue([row for row in postings(request) if _is_in(row, category)])
    if params.get("bundleDuplicates") == "1":
        found = found.keep(lambda row: not row.get("copy"))
    if params.get("hasPic") == "1":
        found = found.keep(lambda row: row["pictures"] > 0)
    if params.get("postedToday") == "1":
        today = edition_of(request).now.date()
        found = found.keep(lambda row: row["posted"].date() == today)
    fields = ("title",) if params.get("srchType") == "T" else ("title", "body")
    found = found.search(params.get("query", "").replace('"', ""), *fields)
    shown = LISTING.show(found, _wanted(request, area))
    section = SECTION_OF.get(category) or named[category]
    return site.render(
        "search.html",
        request,
        page=shown.page,
        category=category,
        area=area,
        title=named[category],
        section=section,
        sections=SECTIONS,
        areas=AREAS,
        conditions=CONDITIONS,
        sorts=SORTS,
        links=[(n, with_params(request, page=n)) for n in range(1, shown.page.pages + 1)],
    )


def _is_in(row: Row, category: str) -> bool:
    section = SECTIONS[SECTION_OF[row["category"]]]
    return category in (row["category"], section["code"])


def _wanted(request: Request, area: str) -> Wanted:
    params = request.query_params

    def bound(name: str) -> float | None:
        return number_in(params[name]) if params.get(name, "").strip() else None

    ranges = ("price", "bedrooms", "bathrooms")
    return Wanted(
        chosen={"area": [area] if area else [], "condition": params.getlist("condition")},
        bounds={name: (bound(f"min_{name}"), bound(f"max_{name}")) for name in ranges},
        order=params.get("sort", "date"),
        page=params.get("page"),
    )


@site.get("/{area}/{category}/d/{slug}/{name}")
def posting(request: Request) -> Response:
    row = postings(request).one(href=request.url.path)
    if row is None:
        return missing(request)
    return site.render(
        "posting.html",
        request,
        row=row,
        areas=AREAS,
        named=CATEGORIES[row["category"]],
        condition=CONDITIONS.get(row["condition"], ""),
    )


@site.get("/about/{page}")
def about(request: Request) -> Response:
    text = CONTENT["about"].get(request.path_params["page"])
    if text is None:
        return missing(request)
    return site.render("about.html", request, text=text, about=CONTENT["about"])


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
