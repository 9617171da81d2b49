"""Double of CarMax: cars by makes, models and colors in the path, with a place and filters."""

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
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
PLACES: dict[str, list[str]] = CONTENT["places"]
SORTS: dict[str, str] = CONTENT["sorts"]
FACETS = {"make": "Make", "model": "Model", "color": "Exterior Color", "body": "Body Type"}
LISTING = Listing(
    search=("title", "color", "body"),
    facets=tuple(FACETS),
    ranges=("year", "price"),
    orders={
        "lowest-price": Order("price"),
        "highest-price": Order("price", descending=True),
        "lowest-mileage": Order("miles"),
        "newest": Order("year", descending=True),
    },
    size=24,
)
VALUES: dict[str, dict[str, str]] = {
    "make": {slugify(make): make for make in CONTENT["cars"]},
    "model": {slugify(m): m for models in CONTENT["cars"].values() for m in models},
    "color": {slugify(color): color for color in CONTENT["colors"]},
    "body": {slugify(body): body for body in CONTENT["bodies"]},
}


@by_edition
def cars(edition: Edition) -> Catalogue:
    rows = []
    for make, models in CONTENT["cars"].items():
        for model, body in models.items():
            draw = edition.draw(f"{make} {model}")
            for number in range(draw.randint(5, 11)):
                year = draw.randint(2013, 2025)
                city = draw.choice(list(PLACES.values()))[0]
                trim, color = draw.choice(CONTENT["trims"]), draw.choice(CONTENT["colors"])
                rows.append(
                    {
                        "stock": str(draw.randrange(25_000_000, 28_999_999)),
                        "title": f"{year} {make} {model} {trim}",
                        "year": year,
                        "make": make,
                        "model": model,
                        "body": body,
                        # There is always a red one to be found.
                        "color": color if number else "Red",
                        "price": draw.randrange(11, 48) * 1000 + 998,
                        "miles": draw.randrange(4, 110) * 1000,
                        "store": city,
                    }
                )
    order = edition.draw("order")
    return Catalogue(order.sample(rows, len(rows)))


def _zip(request: Request) -> str:
    given = request.query_params.get("zip") or request.session.get("zip", "")
    return given if given.isdecimal() and len(given) == 5 else CONTENT["home"]


def _common(request: Request) -> Row:
    code = _zip(request)
    city = PLACES.get(code, [""])[0]
    return {"zip": code, "city": city, "makes": VALUES["make"], "topics": CONTENT["topics"]}


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, picks=cars(request).page(1, 6), **_common(request))


@site.get("/cars")
@site.get("/cars/")
@site.get("/cars/{segments:path}")
def listing(request: Request) -> Response:
    given = [one for one in request.path_params.get("segments", "").split("/") if one]
    chosen, unknown = _chosen(given)
    if unknown:
        return missing(request)
    params = request.query_params
    low, _, high = params.get("year", "").partition("-")
    wanted = Wanted(
        query=params.get("search", ""),
        chosen=chosen,
        bounds={"year": (_year(low), _year(high)), "price": (None, _year(params.get("price", "")))},
        order=params.get("sort", ""),
        page=params.get("page"),
    )
    shown = LISTING.show(_nearest_first(request), wanted)
    boxes = {
        name: [(one, slugify(one.value), _toggled(request, given, one.value)) for one in values]
        for name, values in shown.facets.items()
    }
    if not chosen.get("make"):
        boxes["model"] = []
    return site.render(
        "list.html",
        request,
        page=shown.page,
        boxes=boxes,
        labels=FACETS,
        years=(low, high),
        sorts=SORTS,
        order=params.get("sort", ""),
        links=[(n, with_params(request, page=n)) for n in range(1, shown.page.pages + 1)],
        without_years=with_params(request, year=None),
        **_common(request),
    )


def _chosen(given: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    chosen: dict[str, list[str]] = {}
    unknown = []
    for one in given:
        name = next((name for name, values in VALUES.items() if one in values), "")
        if name:
            chosen.setdefault(name, []).append(VALUES[name][one])
        elif one != "all":
            unknown.append(one)
    return chosen, unknown


def _year(text: str) -> float | None:
    return float(text) if text.isdecimal() and len(text) < 8 else None


def _toggled(request: Request, given: list[str], value: str) -> str:
    slug = slugify(value)
    left = [one for one in given if one not in (slug, "all")]
    after = left if slug in given else [*left, slug]
    query = with_params(request, page=None).partition("?")[2]
    return f"/cars/{'/'.join(after) or 'all'}{'?' if query else ''}{query}"


def _nearest_first(request: Request) -> Catalogue:
    city = _common(request)["city"]
    rows = [row | {"far": row["store"] != city} for row in cars(request)]
    return Catalogue(sorted(rows, key=lambda row: bool(row["far"])))


@site.post("/location")
async def location(request: Request) -> Response:
    form = await request.form()
    request.session["zip"] = str(form.get("zip", ""))
    back = str(form.get("back", "/cars/all"))
    return RedirectResponse(back if back.startswith("/") else "/cars/all", status_code=303)


@site.get("/suggest")
def suggest(request: Request) -> Response:
    typed = slugify(request.query_params.get("q", ""))
    found = [(slug, label) for slug, label in VALUES["make"].items() if slug.startswith(typed)]
    return JSONResponse([{"label": label, "href": f"/cars/{slug}"} for slug, label in found])


@site.get("/search")
def search(request: Request) -> Response:
    words = request.query_params.get("search", "")
    return RedirectResponse(f"/cars/all?search={words}")


@site.get("/car/{stock}")
def car(request: Request) -> Response:
    row = cars(request).one(stock=request.path_params["stock"])
    if row is None:
        return missing(request)
    similar = cars(request).where(model=row["model"]).page(1, 6).items
    return site.render("car.html", request, row=row, similar=similar, **_common(request))


@site.get("/compare")
def compare(request: Request) -> Response:
    stocks = request.query_params.get("ids", "").split(",")
    rows = [row for row in cars(request) if row["stock"] in stocks]
    return site.render("compare.html", request, rows=rows, **_common(request))


@site.get("/topics/{topic}")
def topic(request: Request) -> Response:
    text = CONTENT["topics"].get(request.path_params["topic"])
    if text is None:
        return missing(request)
    return site.render("topic.html", request, text=text, **_common(request))


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common(request))


site.not_found(missing)
