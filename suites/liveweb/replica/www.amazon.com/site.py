"""Double of Amazon: searches with filters, product pages and a guest's cart."""

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
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
SORTS: dict[str, str] = CONTENT["sorts"]
LISTING = Listing(
    search=("title", "kind"),
    facets=("brand", "stars"),
    ranges=("price",),
    orders={
        "price-asc-rank": Order("price"),
        "price-desc-rank": Order("price", descending=True),
        "review-rank": Order("rating", descending=True),
    },
    size=16,
)


@by_edition
def products(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for kind in CONTENT["products"]:
        draw = edition.draw(kind["name"])
        for number in range(draw.randint(*kind["number"])):
            rows.append(_product(kind, number, edition))
    order = edition.draw("order")
    return Catalogue(order.sample(rows, len(rows)))


def _product(kind: Row, number: int, edition: Edition) -> Row:
    draw = edition.draw(f"{kind['name']} {number}")
    words = {key: draw.choice(values) for key, values in kind["words"].items()}
    brand = draw.choice(CONTENT["brands"])
    title = f"{brand} {kind['title'].format(**words)}"
    price = draw.randrange(*kind["price"]) + draw.choice([0.99, 0.95, 0.49])
    bullets = [draw.choice(options).format(**words) for options in kind["bullets"]]
    rating = round(draw.uniform(3.3, 4.9), 1)
    return {
        "asin": "B0" + "".join(draw.choice("0123456789BCDFGHJKLMNPQRSTVWXYZ") for _ in range(8)),
        "title": title,
        "kind": kind["name"],
        "brand": brand,
        "price": price,
        "list_price": price + draw.choice([0, 0, 15, 30]),
        "bullets": [one for one in bullets if one],
        "details": {"Brand": brand, **{k: v.format(**words) for k, v in kind["details"].items()}},
        "rating": rating,
        "stars": "4 Stars & Up" if rating >= 4 else "",
        "ratings": draw.randrange(4, 30_000),
    }


def _common(request: Request) -> Row:
    count = sum(request.session.get("cart", {}).values())
    return {"departments": CONTENT["departments"], "count": count, "help": CONTENT["help"]}


@site.get("/")
def home(request: Request) -> Response:
    picks = products(request).page(1, 12).items
    return site.render("home.html", request, picks=picks, **_common(request))


@site.get("/s")
def search(request: Request) -> Response:
    params = request.query_params

    def bound(name: str) -> float | None:
        return number_in(params[name]) if params.get(name, "").strip() else None

    wanted = Wanted(
        query=params.get("k", ""),
        chosen={name: params.getlist(name) for name in ("brand", "stars")},
        bounds={"price": (bound("low-price"), bound("high-price"))},
        order=params.get("s", ""),
        page=params.get("page"),
    )
    shown = LISTING.show(products(request), wanted)
    return site.render(
        "list.html",
        request,
        page=shown.page,
        facets=shown.facets,
        sorts=SORTS,
        links=[(n, with_params(request, page=n)) for n in range(1, shown.page.pages + 1)],
        **_common(request),
    )


@site.get("/suggest")
def suggest(request: Request) -> Response:
    typed = request.query_params.get("q", "").casefold()
    found = [one for one in CONTENT["suggestions"] if one.startswith(typed)]
    return JSONResponse([{"label": one, "href": f"/s?k={one.replace(' ', '+')}"} for one in found])


@site.get("/dp/{asin}")
@site.get("/dp/{asin}/{rest:path}")
@site.get("/{slug}/dp/{asin}")
@site.get("/{slug}/dp/{asin}/{rest:path}")
def product(request: Request) -> Response:
    row = products(request).one(asin=request.path_params["asin"])
    if row is None:
        return missing(request)
    similar = [one for one in products(request).where(kind=row["kind"]) if one != row][:5]
    return site.render("product.html", request, row=row, similar=similar, **_common(request))


@site.post("/cart/add")
async def add(request: Request) -> Response:
    form = await request.form()
    asin = str(form.get("asin", ""))
    kept = dict(request.session.get("cart", {}))
    if products(request).one(asin=asin):
        request.session["cart"] = kept | {asin: kept.get(asin, 0) + 1}
    return RedirectResponse("/gp/cart/view.html", status_code=303)


@site.get("/gp/cart/view.html")
def cart(request: Request) -> Response:
    kept = request.session.get("cart", {})
    items = [(row, kept[row["asin"]]) for row in products(request) if row["asin"] in kept]
    return site.render("cart.html", request, items=items, **_common(request))


@site.get("/gp/help/{topic}")
def topic(request: Request) -> Response:
    text = CONTENT["help"].get(request.path_params["topic"])
    if text is None:
        return missing(request)
    return site.render("topic.html", request, text=text, **_common(request))


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common(request))


site.not_found(missing)
