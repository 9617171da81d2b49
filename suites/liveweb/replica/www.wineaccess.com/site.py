"""Double of Wine Access: a shop of wines by kind, region, food and critics' scores."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    Listing,
    Order,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    number_in,
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
KINDS: dict[str, str] = CONTENT["kinds"]
REGIONS: dict[str, str] = CONTENT["regions"]
FOODS: dict[str, str] = CONTENT["foods"]
FACETS = {"category__in": ("kind", "Type", KINDS), "region_slug": ("region", "Region", REGIONS)}
FACETS["food_pairings"] = ("food", "Food Pairing", FOODS)
PRICES = {"0,40": "Under $40", "40,80": "$40 to $80", "80,": "$80 and more"}
ORDERS = {
    "": "Featured",
    "price": "Price: low to high",
    "-price": "Price: high to low",
    "-expert_rating": "Critic score",
    "-user_rating": "Member rating",
}
LISTING = Listing(
    search=("name", "kind_label", "region_label"),
    facets=("kind", "region", "food"),
    ranges=("price",),
    orders={
        "price": Order("price"),
        "-price": Order("price", descending=True),
        "-expert_rating": Order("score", descending=True),
        "-user_rating": Order("members", descending=True),
    },
    size=12,
)


@by_edition
def wines(edition: Edition) -> Catalogue:
    rows = []
    for maker, grape, kind, region in CONTENT["wines"]:
        draw = edition.draw(f"{maker} {grape}")
        name = f"{2023 - draw.randrange(5)} {maker} {grape} {REGIONS[region]}"
        rows.append(
            {
                "id": f"{slugify(name)}_{_code(draw.getrandbits(128))}",
                "maker": maker,
                "name": name,
                "kind": kind,
                "kind_label": KINDS[kind],
                "region": region,
                "region_label": REGIONS[region],
                "food": draw.sample(list(FOODS), 2),
                "price": draw.randrange(16, 95) - 0.01,
                "members": round(draw.uniform(3.4, 4.9), 1),
            }
        )
    _score(rows, edition)
    return Catalogue(edition.draw("shelf").sample(rows, len(rows)))


def _code(bits: int) -> str:
    text = f"{bits:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _score(rows: list[Row], edition: Edition) -> None:
    """Critics' scores in tenths, no two alike, and what makes a wine fit or miss a filter.

    The best wines miss one filter each, so that leaving out any of them leads to another wine.
    """
    draw = edition.draw("scores")
    scores = sorted(draw.sample(range(875, 985), len(rows)), reverse=True)
    mixed = draw.sample(rows, len(rows))
    best_first = sorted(mixed, key=lambda row: row["maker"] not in CONTENT["missing"])
    for row, score in zip(best_first, scores, strict=True):
        row["score"] = score / 10
        row.update(CONTENT["missing"].get(row["maker"], {}))
    still = [row for row in mixed if row["region"] == "oregon" and row["kind"] in CONTENT["still"]]
    fitting = [row for row in still if row["maker"] not in CONTENT["missing"]]
    for row, price in zip(fitting[:4], (38.99, 24.99, 31.99, 35.99), strict=True):
        row["price"] = price
        row["food"] = [draw.choice(["fish", "dessert"]), "cheese"]


@site.get("/")
def home(request: Request) -> Response:
    return _page("home.html", request, picks=wines(request).page(1, 6).items)


def _page(template: str, request: Request, *, status: int = 200, **more: object) -> Response:
    common = {"kinds": KINDS, "regions": REGIONS, "foods": FOODS, "topics": CONTENT["topics"]}
    return site.render(template, request, status=status, **common, **more)


@site.get("/store")
@site.get("/store/")
def store(_request: Request) -> Response:
    return RedirectResponse("/store/search/")


@site.get("/store/regions/{region}/")
def region(request: Request) -> Response:
    return _short(request, "region_slug", request.path_params["region"], REGIONS)


@site.get("/store/search/")
def search(request: Request) -> Response:
    return _results(request, request.query_params.get("q", ""))


@site.get("/store/search/{words}/")
def words(request: Request) -> Response:
    return _results(request, request.path_params["words"])


@site.get("/store/{kind}/")
def kind(request: Request) -> Response:
    return _short(request, "category__in", request.path_params["kind"], KINDS)


def _short(request: Request, name: str, value: str, known: dict[str, str]) -> Response:
    if value not in known:
        return missing(request)
    return RedirectResponse(f"/store/search/?{name}={value}")


def _results(request: Request, query: str) -> Response:
    given = request.query_params
    chosen = {
        field: [one for one in given.get(name, "").split(",") if one]
        for name, (field, _, _) in FACETS.items()
    }
    low, _, high = given.get("price", "").partition(",")
    bounds = (number_in(low) if low else None, number_in(high) - 0.005 if high else None)
    order = given.get("ordering", "")
    wanted = Wanted(query, chosen, {"price": bounds}, order, given.get("page"))
    shown = LISTING.show(wines(request), wanted)
    boxes = [
        (label, [(known[one.value], one, _toggled(request, name, one.value)) for one in values])
        for (name, (_, label, known)), values in zip(
            FACETS.items(), shown.facets.values(), strict=True
        )
    ]
    prices = [
        (label, given.get("price") == key, _priced(request, key)) for key, label in PRICES.items()
    ]
    orders = [
        (label, with_params(request, ordering=key or None, page=None), key == order)
        for key, label in ORDERS.items()
    ]
    return _page("list.html", request, page=shown.page, boxes=boxes, prices=prices, orders=orders)


def _toggled(request: Request, name: str, value: str) -> str:
    chosen = [one for one in request.query_params.get(name, "").split(",") if one]
    after = [one for one in chosen if one != value] if value in chosen else [*chosen, value]
    return with_params(request, **{name: ",".join(after) or None, "page": None})


def _priced(request: Request, key: str) -> str:
    chosen = request.query_params.get("price") == key
    return with_params(request, price=None if chosen else key, page=None)


@site.get("/catalog/{code}/")
def wine(request: Request) -> Response:
    code = request.path_params["code"].rpartition("_")[2]
    row = next((one for one in wines(request) if one["id"].endswith(f"_{code}")), None)
    if row is None:
        return missing(request)
    like = [one for one in wines(request) if one["region"] == row["region"] and one != row]
    return _page("wine.html", request, row=row, like=like[:5])


@site.get("/pages/{topic}/")
def topic(request: Request) -> Response:
    found = CONTENT["topics"].get(request.path_params["topic"])
    return _page("topic.html", request, topic=found) if found else missing(request)


@site.get("/suggest")
def suggest(request: Request) -> Response:
    found = wines(request).search(request.query_params.get("q", ""), "name")
    return JSONResponse(
        [{"label": row["name"], "href": f"/catalog/{row['id']}/"} for row in found][:6]
    )


def missing(request: Request) -> Response:
    return _page("missing.html", request, status=404)


site.not_found(missing)
