"""Double of Best Buy: departments, searches with coded facets, product pages and a guest's cart."""

from __future__ import annotations

import re

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
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
DEPARTMENTS: dict[str, Row] = CONTENT["departments"]
FACETS: dict[str, list[str]] = CONTENT["facets"]
RESOLUTIONS: list[str] = CONTENT["resolutions"]
SORTS: dict[str, str] = CONTENT["sorts"]
LISTING = Listing(
    search=("name", "department"),
    facets=tuple(FACETS),
    orders={
        "Price-Low-To-High": Order("price"),
        "Price-High-To-Low": Order("price", descending=True),
        "Customer-Rating": Order("rating", descending=True),
    },
    size=18,
)


@by_edition
def products(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for kind in CONTENT["products"]:
        for name in _names(kind, edition):
            rows.append(_product(kind, name, edition))
    order = edition.draw("order")
    return Catalogue(order.sample(rows, len(rows)))


def _names(kind: Row, edition: Edition) -> list[str]:
    if "names" in kind:
        return list(kind["names"])
    draw = edition.draw(kind["title"])
    wanted = {
        kind["title"].format(**{key: draw.choice(values) for key, values in kind["words"].items()})
        for _ in range(kind["number"])
    }
    return sorted(wanted)


def _product(kind: Row, name: str, edition: Edition) -> Row:
    draw = edition.draw(name)
    low, high = kind.get("price", (0, 0))
    price = draw.randrange(low, high) + 0.99 if high else float(re.findall(r"\$(\d+)", name)[0])
    brand = name.partition(" - ")[0]
    code = "".join(draw.choice("23456789BCDFGHJKLMNPQRSTVWXZ") for _ in range(8))
    return {
        "id": f"J{code}",
        "sku": str(draw.randrange(6_100_000, 6_699_999)),
        "name": name,
        "department": kind["department"],
        "price": price,
        "was": price + draw.choice([0, 0, 0, 20, 50]) if high else price,
        "rating": round(draw.uniform(3.4, 4.9), 1),
        "reviews": draw.randrange(3, 2400),
        "brand_facet": brand,
        "verticalresolution_facet": next((one for one in RESOLUTIONS if one[:2] in name), ""),
        "parent_tvscreensizeplus_facet": _size(name) if kind["department"] == "tvs" else "",
        "currentoffers_facet": draw.choice(["", "", "On Sale", "Clearance"]),
        "href": f"/product/{slugify(name)}/J{code}",
    }


def _size(name: str) -> str:
    inches = int(re.findall(r'(\d+)"', name)[0])
    for label, (low, high) in CONTENT["sizes"].items():
        if low <= inches <= high:
            return str(label)
    return ""


@site.get("/")
def home(request: Request) -> Response:
    picks = products(request).page(1, 8).items
    return site.render("home.html", request, picks=picks, **_common(request))


@site.get("/site/searchpage.jsp")
def search(request: Request) -> Response:
    query = request.query_params.get("st", "")
    if code := _category(query) or _category(request.query_params.get("browsedCategory", "")):
        return _list(request, DEPARTMENTS[code]["name"], code, "")
    return _list(request, query, "", query)


def _category(text: str) -> str:
    """The department that a code such as ``categoryid$abcat0101000`` means."""
    code = text.removeprefix("categoryid$")
    return next((name for name, one in DEPARTMENTS.items() if one["code"] == code), "")


@site.get("/site/{name}/{code}.c")
def department(request: Request) -> Response:
    name = _category(request.path_params["code"])
    if not name:
        return missing(request)
    return _list(request, DEPARTMENTS[name]["name"], name, "")


def _list(request: Request, heading: str, department: str, query: str) -> Response:
    params = request.query_params
    found = products(request).where(department=department or None)
    chosen = _facets(params.get("qp", ""))
    order = params.get("sp", "Best-Match")
    wanted = Wanted(query=query, chosen=chosen, order=order, page=params.get("cp"))
    shown = LISTING.show(found, wanted)
    boxes = {
        label: [(one, _toggled(request, key, label, one.value)) for one in shown.facets[key]]
        for key, (label, *_) in FACETS.items()
    }
    return site.render(
        "list.html",
        request,
        heading=heading,
        page=shown.page,
        boxes={label: values for label, values in boxes.items() if values},
        order=order,
        orders={
            key: (label, with_params(request, sp=key, cp=None)) for key, label in SORTS.items()
        },
        links=[(n, with_params(request, cp=n)) for n in range(1, shown.page.pages + 1)],
        clear=with_params(request, qp=None, cp=None),
        chosen=chosen,
        **_common(request),
    )


def _facets(coded: str) -> dict[str, list[str]]:
    """``brand_facet=Brand~LG^brand_facet=Brand~Sony`` as values by facet."""
    chosen: dict[str, list[str]] = {}
    for part in coded.split("^"):
        key, _, rest = part.partition("=")
        if key in FACETS and "~" in rest:
            chosen.setdefault(key, []).append(rest.partition("~")[2])
    return chosen


def _toggled(request: Request, key: str, label: str, value: str) -> str:
    part = f"{key}={label}~{value}"
    parts = [one for one in request.query_params.get("qp", "").split("^") if one]
    after = [one for one in parts if one != part] if part in parts else [*parts, part]
    return with_params(request, qp="^".join(after) or None, cp=None)


@site.get("/suggest")
def suggest(request: Request) -> Response:
    typed = request.query_params.get("q", "")
    found = products(request).search(typed, "name").page(1, 6).items
    return JSONResponse([{"label": row["name"], "href": row["href"]} for row in found])


@site.get("/product/{slug}/{identity}")
@site.get("/product/{slug}/{identity}/sku/{sku}")
def product(request: Request) -> Response:
    row = products(request).one(id=request.path_params["identity"])
    if row is None:
        return missing(request)
    similar = [one for one in products(request).where(department=row["department"]) if one != row]
    return site.render("product.html", request, row=row, similar=similar[:6], **_common(request))


# -- cart ------------------------------------------------------------------------------------------


def _cart(request: Request) -> list[tuple[Row, int]]:
    kept: dict[str, int] = request.session.get("cart", {})
    rows = {row["sku"]: row for row in products(request)}
    return [(rows[sku], number) for sku, number in kept.items() if sku in rows]


@site.get("/cart")
def cart(request: Request) -> Response:
    items = _cart(request)
    total = sum(row["price"] * number for row, number in items)
    return site.render("cart.html", request, items=items, total=total, **_common(request))


@site.get("/cart/json")
def cart_json(request: Request) -> Response:
    skus = [row["sku"] for row, number in _cart(request) for _ in range(number)]
    return JSONResponse({"cart": {"orderSkus": skus}})


@site.post("/cart/change")
async def change(request: Request) -> Response:
    form = await request.form()
    sku, number = str(form.get("sku", "")), str(form.get("quantity", "+1"))
    kept = dict(request.session.get("cart", {}))
    kept[sku] = kept.get(sku, 0) + 1 if number == "+1" else int(number) if number.isdecimal() else 0
    request.session["cart"] = {one: count for one, count in kept.items() if 0 < count < 100}
    to = "/cart" if number != "+1" else f"/cart/added/{sku}"
    return RedirectResponse(to, status_code=303)


@site.get("/cart/added/{sku}")
def added(request: Request) -> Response:
    row = products(request).one(sku=request.path_params["sku"])
    return (
        site.render("added.html", request, row=row, **_common(request)) if row else missing(request)
    )


# -- other pages -----------------------------------------------------------------------------------


def _common(request: Request) -> Row:
    count = sum(number for _, number in _cart(request))
    return {"departments": DEPARTMENTS, "count": count, "help": CONTENT["help"]}


@site.get("/site/help-topics/{topic}")
def topic(request: Request) -> Response:
    text = CONTENT["help"].get(request.path_params["topic"])
    if text is None:
        return missing(request)
    return site.render("topic.html", request, text=text, **_common(request))


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common(request))


site.not_found(missing)
