"""Double of Backcountry: lists of gear with filters in one parameter, and product pages."""

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
    Shown,
    Site,
    Wanted,
    by_edition,
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
LISTS: dict[str, str] = CONTENT["lists"]
FACETS = {"brand": "Brand", "features": "Features", "price": "Price", "rating": "Rating"}
PRICES = {"0-99.99": "$0 to $99.99", "100-199.99": "$100.00 to $199.99", "200-": "$200.00 and more"}
RATINGS = {"4": "4 stars and more", "3": "3 stars and more"}
ORDERS = {
    "": "Featured",
    "-discountpercent": "Biggest discount",
    "price": "Price: low to high",
    "-rating": "Rating",
}
LISTING = Listing(
    search=("name", "brand"),
    facets=("brand", "features", "price", "rating"),
    orders={
        "-discountpercent": Order("discount", descending=True),
        "price": Order("cost"),
        "-rating": Order("stars", descending=True),
    },
    size=20,
)


@by_edition
def products(edition: Edition) -> Catalogue:
    rows = []
    for place, names in CONTENT["products"].items():
        draw = edition.draw(place)
        discounts = draw.sample(range(5, 61), len(names))
        for (brand, name), discount in zip(names, discounts, strict=True):
            cost = draw.randrange(70, 260) + 0.95
            stars = draw.randrange(28, 50) / 10
            rows.append(_product(place, brand, name, cost, stars, discount))
    _arrange(rows, edition)
    return Catalogue([_with_facets(row) for row in edition.draw("shelf").sample(rows, len(rows))])


def _product(place: str, brand: str, name: str, cost: float, stars: float, discount: int) -> Row:
    whose = place.partition("-")[0]
    return {
        "slug": slugify(f"{brand} {name} {whose}"),
        "list": place,
        "brand": brand,
        "name": name,
        "cost": cost,
        "stars": stars,
        "discount": discount,
        "features": ["GORE-TEX"] if "GTX" in name else ["Breathable"],
    }


def _arrange(rows: list[Row], edition: Edition) -> None:
    """Sees to shoes that fit all filters, and to greater discounts on shoes that miss one each."""
    draw = edition.draw("arranged")
    shoes = [row for row in rows if row["list"] == CONTENT["wanted"]]
    by_name = {row["name"]: row for row in shoes}
    fitting = [
        row for row in shoes if "GTX" in row["name"] and row["name"] not in CONTENT["missing"]
    ]
    for row, discount in zip(fitting, draw.sample(range(18, 46), len(fitting)), strict=True):
        row["discount"] = discount
        row["cost"] = draw.randrange(100, 199) + 0.95
        row["stars"] = draw.randrange(40, 50) / 10
    for (name, facts), discount in zip(CONTENT["missing"].items(), (49, 53, 57, 55), strict=True):
        by_name[name].update(facts, discount=discount)


def _with_facets(row: Row) -> Row:
    price = "0-99.99" if row["cost"] < 100 else "100-199.99" if row["cost"] < 200 else "200-"
    rating = [least for least in RATINGS if row["stars"] >= float(least)]
    return {
        **row,
        "price": price,
        "rating": rating,
        "before": row["cost"] / (1 - row["discount"] / 100),
    }


def _page(template: str, request: Request, *, status: int = 200, **more: object) -> Response:
    return site.render(
        template, request, status=status, lists=LISTS, topics=CONTENT["topics"], **more
    )


@site.get("/")
def home(request: Request) -> Response:
    return _page("home.html", request, picks=products(request).page(1, 8).items)


@site.get("/search")
def search(request: Request) -> Response:
    words = request.query_params.get("q", "")
    return _list(request, products(request), f"Results for {words}", words)


def _list(request: Request, rows: Catalogue, label: str, query: str = "") -> Response:
    params = request.query_params
    pairs = _pairs(params.get("p", ""))
    chosen = {name: [v for facet, v in pairs if facet == name] for name in FACETS}
    order = params.get("sort", "")
    shown = LISTING.show(rows, Wanted(query, chosen, {}, order, params.get("page")))
    orders = [
        (text, with_params(request, sort=key or None, page=None), key == order)
        for key, text in ORDERS.items()
    ]
    return _page(
        "list.html",
        request,
        label=label,
        page=shown.page,
        boxes=_boxes(request, shown, pairs),
        orders=orders,
    )


def _pairs(text: str) -> list[tuple[str, str]]:
    """``brand:Altra|features:GORE-TEX`` as pairs; spaces may be escaped."""
    parts = [one.partition(":") for one in text.replace("\\ ", " ").split("|") if ":" in one]
    return [(name, value) for name, _, value in parts]


def _boxes(request: Request, shown: Shown, pairs: list[tuple[str, str]]) -> list[Row]:
    labels = {**PRICES, **RATINGS}
    boxes = []
    for name, values in shown.facets.items():
        choices = []
        for one in sorted(values, key=lambda value: value.value):
            pair = (name, one.value)
            after = [old for old in pairs if old != pair] if one.chosen else [*pairs, pair]
            text = "|".join(f"{facet}:{value}" for facet, value in after)
            href = with_params(request, p=text or None, page=None)
            choices.append((labels.get(one.value, one.value), one, href))
        boxes.append({"label": FACETS[name], "choices": choices})
    return boxes


@site.get("/pages/{topic}")
def topic(request: Request) -> Response:
    found = CONTENT["topics"].get(request.path_params["topic"])
    return _page("topic.html", request, topic=found) if found else missing(request)


@site.get("/suggest")
def suggest(request: Request) -> Response:
    found = products(request).search(request.query_params.get("q", ""), "name", "brand")
    return JSONResponse(
        [{"label": f"{row['brand']} {row['name']}", "href": f"/{row['slug']}"} for row in found][:6]
    )


@site.get("/{slug}")
def page(request: Request) -> Response:
    """A list or a product: both are right below the home page."""
    slug = request.path_params["slug"]
    if slug in LISTS:
        return _list(request, products(request).where(list=slug), LISTS[slug])
    row = products(request).one(slug=slug)
    return _page("product.html", request, row=row) if row else missing(request)


def missing(request: Request) -> Response:
    return _page("missing.html", request, status=404)


site.not_found(missing)
