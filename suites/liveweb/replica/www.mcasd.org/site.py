"""Museum of Contemporary Art San Diego: visits, tickets, exhibitions and programs."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Site

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Prices, all different from each other, and hours."""
    draw = edition.draw("admission")
    reduced = draw.randrange(9, 14)
    local = reduced + draw.randrange(4, 8)
    return {
        "reduced": reduced,
        "local": local,
        "general": local + draw.randrange(6, 14),
        "age": draw.choice((18, 20, 21, 23, 27)),
        "opens": draw.randrange(9, 12),
        "closes": draw.randrange(4, 8),
        "month": draw.choice(("January", "March", "May")),
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")
