"""Double of AssistExpo: software for agricultural shows, its modules, help and customers."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)
KINDS = (
    "Village fairs and ploughing shows",
    "4-H and junior shows",
    "County fair shows",
    "Provincial shows with several species",
    "National breed shows",
    "Horse and pony shows",
    "Poultry and rabbit shows",
    "International championship shows",
)
NOT_YET = ("Dog shows", "Flower shows", "Antique tractor shows")


def facts(edition: Edition) -> Row:
    """The kinds of shows that the software is for, those that it is not, and figures."""
    draw = edition.draw("kinds")
    count = draw.randrange(4, 7)
    return {
        "kinds": draw.sample(KINDS, count),
        "planned": draw.sample(NOT_YET, 2),
        "shows": 60 + draw.randrange(200),
        "price": 190 + 10 * draw.randrange(30),
    }


book = Handbook(site, facts=facts)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()
