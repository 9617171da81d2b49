"""Double of Washington State University's pages on copyright, with terms of another law."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)


def terms(edition: Edition) -> Row:
    """Terms of protection in years, today's and earlier ones; none is that of the real law."""
    draw = edition.draw("terms")
    old = draw.randrange(30, 45)
    published = draw.randrange(72, 90)
    return {
        "old": old,
        "life": old + draw.randrange(12, 20),
        "published": published,
        "created": published + draw.randrange(15, 28),
        "year": draw.randrange(1988, 1999),
    }


book = Handbook(site, facts=terms)
book.search_at("/search", parameter="q")
book.sitemap_at("/sitemap")
book.missing()
