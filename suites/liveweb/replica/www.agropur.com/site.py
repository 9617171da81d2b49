"""Double of Agropur: the cooperative, its brands, careers and contacts."""

from __future__ import annotations

from random import Random

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
)

site = Site(__file__)
AREAS = ("450", "514", "438", "579", "418")


def _number(draw: Random, area: str) -> str:
    return f"{area} {draw.randrange(220, 990)}-{draw.randrange(1000, 9999)}"


def facts(edition: Edition) -> Row:
    """Telephone numbers of offices and departments, all different."""
    draw = edition.draw("telephones")
    main, press = draw.sample(AREAS, 2)
    return {
        "office": _number(draw, main),
        "fax": _number(draw, main),
        "press": _number(draw, press),
        "members": _number(draw, main),
        "free": _number(draw, "844"),
        "natrel": _number(draw, "800"),
        "oka": _number(draw, "877"),
        "states": _number(draw, "715"),
        "plants": 18 + draw.randrange(12),
        "members_count": 2500 + draw.randrange(900),
    }


book = Handbook(site, facts=facts)
book.search_at("/en/search")
book.sitemap_at("/en/sitemap")
book.missing()


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/en")
