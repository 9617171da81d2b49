"""Double of LandWatch: land by state, county, type and price, all in the path."""

from __future__ import annotations

import re

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    FacetValue,
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
)

site = Site(__file__)
CONTENT: Row = site.data("content")
STATES: dict[str, Row] = CONTENT["states"]
TYPES: dict[str, str] = CONTENT["types"]
PRICES: list[int] = CONTENT["prices"]
LISTING = Listing(
    facets=("type", "county"),
    ranges=("price", "acres"),
    orders={"price": Order("price"), "newest": Order("age")},
    size=15,
)


@by_edition
def lots(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for state, one in STATES.items():
        draw = edition.draw(state)
        for _ in range(draw.randint(45, 60)):
            kind = draw.choice(list(TYPES))
            county = draw.choice(one["counties"])
            rows.append(
                {
                    "id": str(draw.randrange(410_000_000, 429_999_999)),
                    "state": state,
                    "county": slugify(county) + "-county",
                    "place": f"{county} County, {one['code']}",
                    "type": kind,
                    "acres": round(draw.uniform(0.2, 60), 1),
                    "price": draw.choice([18, 24, 39, 45, 55, 59, 65, 90, 150, 320, 600]) * 1000,
                    "beds": draw.randint(1, 4) if kind == "homes" else 0,
                    "age": draw.randint(1, 90),
                }
            )
    return Catalogue(rows)


def _common() -> Row:
    return {"states": STATES, "types": TYPES, "help": CONTENT["help"]}


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, **_common())


@site.get("/suggest")
def suggest(request: Request) -> Response:
    typed = slugify(request.query_params.get("q", ""))
    found = [(key, one) for key, one in STATES.items() if key.startswith(typed)]
    return JSONResponse(
        [{"label": one["name"], "href": f"/{key}-land-for-sale"} for key, one in found]
    )


@site.get("/search")
def search(request: Request) -> Response:
    words = slugify(request.query_params.get("q", ""))
    state = next((key for key in STATES if key in words), "")
    return RedirectResponse(f"/{state}-land-for-sale" if state else "/")


@site.get("/property/{identity}")
def lot(request: Request) -> Response:
    row = lots(request).one(id=request.path_params["identity"])
    if row is None:
        return missing(request)
    return site.render("lot.html", request, row=row, **_common())


@site.get("/help/{topic}")
def topic(request: Request) -> Response:
    text = CONTENT["help"].get(request.path_params["topic"])
    if text is None:
        return missing(request)
    return site.render("topic.html", request, text=text, **_common())


@site.get("/{state}-land-for-sale")
@site.get("/{state}-land-for-sale/{rest:path}")
def listing(request: Request) -> Response:
    state = request.path_params["state"]
    parts = [one for one in request.path_params.get("rest", "").split("/") if one]
    asked = _asked(parts)
    if state not in STATES or asked is None:
        return missing(request)
    shown = LISTING.show(lots(request).where(state=state), asked)
    base = f"/{state}-land-for-sale"
    kept = [one for one in parts if not one.startswith("page-")]
    links = {
        name: [(one, _path(base, kept, one.value, values)) for one in values]
        for name, values in shown.facets.items()
    }
    pages = [
        (n, "/".join([base, *kept, *([f"page-{n}"] if n > 1 else [])]))
        for n in range(1, shown.page.pages + 1)
    ]
    return site.render(
        "list.html",
        request,
        page=shown.page,
        state=state,
        links=links,
        pages=pages,
        base=base,
        kept=kept,
        prices=PRICES,
        bounds=asked.bounds.get("price", (None, None)),
        **_common(),
    )


def _path(base: str, kept: list[str], value: str, values: list[FacetValue]) -> str:
    """The list with one value of a facet chosen instead of another, or left out again."""
    family = {one.value for one in values}
    left = [one for one in kept if one not in family]
    return "/".join([base, *([] if value in kept else [value]), *left])


def _asked(parts: list[str]) -> Wanted | None:
    chosen: dict[str, list[str]] = {}
    low = high = None
    page = "1"
    counties = {f"{slugify(c)}-county" for one in STATES.values() for c in one["counties"]}
    for part in parts:
        number = re.search(r"\d+$", part)
        between = re.fullmatch(r"price-(\d{1,9})-(\d{1,9})", part)
        if part in TYPES:
            chosen.setdefault("type", []).append(part)
        elif part in counties:
            chosen.setdefault("county", []).append(part)
        elif between:
            low, high = float(between[1]), float(between[2])
        elif number and part.startswith("price-under-"):
            high = float(number[0][:9])
        elif number and part.startswith("price-over-"):
            low = float(number[0][:9])
        elif number and part.startswith("page-"):
            page = number[0]
        else:
            return None
    return Wanted(chosen=chosen, bounds={"price": (low, high)}, page=page)


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common())


site.not_found(missing)
