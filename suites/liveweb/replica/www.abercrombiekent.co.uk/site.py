"""Abercrombie & Kent in Britain: journeys, and the ships and hotels in which one stays."""

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    JSONResponse,
    Request,
    Response,
    Row,
    Site,
)

KINDS = ("Motor yacht", "Paddle steamer", "Hotel ship", "Nile schooner", "Expedition ship")
GUESTS = (32, 36, 44, 48, 52, 58, 62, 64, 68, 72, 82, 84, 88)
"""None of them is what the ships really carry."""

site = Site(__file__)
STAYS: dict[str, Row] = site.data("stays")
TOURS: dict[str, Row] = site.data("tours")


def facts(edition: Edition) -> Row:
    """What kind of ship each one is and how many it carries; no two on a tour are alike."""
    draw = edition.draw("ships")
    ships = [key for key, one in STAYS.items() if one["ship"]]
    kinds = draw.sample(KINDS, len(ships))
    guests = draw.sample(GUESTS, len(ships))
    sizes = {
        key: {"kind": kind, "guests": count, "cabins": count // 2, "crew": count + 11}
        for key, kind, count in zip(ships, kinds, guests, strict=True)
    }
    hotels = {key: {"rooms": draw.randrange(60, 300)} for key in STAYS if key not in ships}
    prices = {key: draw.randrange(35, 99) * 100 for key in TOURS}
    return {"sizes": {**sizes, **hotels}, "prices": prices, "stays": STAYS, "tours": TOURS}


def pages() -> dict[str, Row]:
    """The pages of tours, ships and hotels, as the content file would hold them."""
    made: dict[str, Row] = {}
    for key, tour in TOURS.items():
        made[f"/destinations/{tour['place']}/{key}"] = {
            "title": tour["title"],
            "summary": tour["summary"],
            "template": "tour.html",
            "fields": {**tour, "key": key},
        }
    for key, stay in STAYS.items():
        folder = "ships" if stay["ship"] else "hotels"
        made[f"/{folder}/{key}"] = {
            "title": stay["name"],
            "summary": stay["text"],
            "template": "stay.html",
            "fields": {**stay, "key": key},
        }
    return made


book = Handbook(site, facts=facts, more=pages())
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()


@site.get("/suggest")
def suggest(request: Request) -> Response:
    found = book.search(request.query_params.get("q", ""), request)[:6]
    return JSONResponse([{"label": page.title, "href": page.path} for page in found])
