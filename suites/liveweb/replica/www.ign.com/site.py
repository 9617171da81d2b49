"""IGN: news, reviews, and the guides to games with their walkthroughs."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Site

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Scores, numbers, and how fresh each guide is."""
    draw = edition.draw("guides")
    return {
        "days": [draw.randrange(2, 60) for _ in range(5)],
        "numbers": [draw.randrange(20, 400) for _ in range(5)],
        "scores": [draw.randrange(6, 11) for _ in range(5)],
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")
