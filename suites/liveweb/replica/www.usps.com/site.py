"""Double of USPS: pages about mail, and the search for PO boxes near a place."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    nearest,
)

site = Site(__file__)
BOXES = "poboxes.usps.com"
DATA = site.data("offices")
OFFICES: list[Row] = DATA["offices"]
PLACES: dict[str, Row] = {row["zip"]: row for row in [*OFFICES, *DATA["places"]]}
SIZES = (1, 2, 3, 4, 5)
REACH = 45
"""Miles within which boxes are looked for."""


def facts(edition: Edition) -> Row:
    """What boxes of each size cost for six months, and for a letter."""
    draw = edition.draw("prices")
    price, prices = draw.randrange(28, 60), []
    for size in SIZES:
        prices.append({"size": size, "price": price})
        price += draw.randrange(14, 60)
    return {"boxes": prices, "stamp": draw.randrange(74, 99), "fee": draw.randrange(11, 30)}


book = Handbook(site, facts=facts)
book.search_at("/search/results.htm")
book.sitemap_at("/sitemap.htm")
book.missing()


@by_edition
def offices(edition: Edition) -> list[Row]:
    """Offices with the sizes that they have free and those that are all taken.

    The nearest ones to each place that people look for have no box of size 4, so that whoever
    takes the first of the unfiltered list is wrong.
    """
    draw = edition.draw("boxes")
    rows = []
    for office in OFFICES:
        free = sorted(draw.sample(SIZES, draw.randrange(2, 5)))
        if office["zip"] in DATA["without"]:
            free = [size for size in free if size != 4] or [1]
        taken = sorted(set(draw.sample(SIZES, 2)) - set(free))
        number = draw.randrange(100, 990)
        rows.append(
            {**office, "free": free, "taken": taken, "address": f"{number} {office['street']}"}
        )
    return rows


def near(request: Request, text: str) -> list[Row]:
    """Offices near the place that was typed (a ZIP code or a town), the nearest first."""
    wanted = text.strip().casefold()
    place = PLACES.get(wanted) or next(
        (row for row in PLACES.values() if wanted.split(",")[0] == row["city"].casefold()), None
    )
    if place is None:
        return []
    return [row for row in nearest(offices(request), place) if row["miles"] <= REACH]


@site.get("/", host=BOXES)
def boxes(request: Request) -> Response:
    return site.render("boxes.html", request, prices=facts_of(request)["boxes"])


def facts_of(request: Request) -> Row:
    """What the edition has drawn, for pages that are not in the content file."""
    return dict(book.facts(request))


@site.get("/findBox.html", host=BOXES)
def find(request: Request) -> Response:
    return site.render(
        "find.html", request, query=request.query_params.get("q", ""), sizes=SIZES, reach=REACH
    )


@site.get("/findBox/locations", host=BOXES, delay=0.2)
def locations(request: Request) -> Response:
    query = request.query_params
    sizes = {int(size) for size in query.get("sizes", "").split(",") if size.isdecimal()}
    found = near(request, query.get("q", ""))
    fitting = [row for row in found if not sizes or sizes & set(row["free"])]
    return JSONResponse({"locations": fitting, "known": bool(found)})


@site.get("/location/{zip}.html", host=BOXES)
def location(request: Request) -> Response:
    rows = {row["zip"]: row for row in offices(request)}
    row = rows.get(request.path_params["zip"])
    if row is None:
        return Response("Not found", status_code=404)
    return site.render("location.html", request, office=row, prices=facts_of(request)["boxes"])
