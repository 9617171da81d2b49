"""Aquascape: articles about ponds, fish and plants, and products for them."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Site

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("ponds")
    return {
        "minutes": draw.randrange(3, 12),
        "price": draw.randrange(30, 400),
        "sizes": [draw.randrange(12, 36) for _ in range(13)],
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")
