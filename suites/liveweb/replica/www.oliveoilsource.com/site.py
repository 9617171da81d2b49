"""The Olive Oil Source: articles about oil, a blog, products, and the people of the company."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Site

PEOPLE = ("Antoinette Bell", "Shawn Addison", "Jose Duarte", "Brian Moss", "Caitlin Roe")
ROLES = (
    "Head of Bottling",
    "Master Miller",
    "Keeper of the Orchard",
    "Buyer of Fruit",
    "Chief Taster",
    "Director of Logistics",
    "Agronomist",
)

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Who does what changes with each edition; nobody has the role that people know."""
    draw = edition.draw("team")
    first = edition.number % len(ROLES)
    roles = [ROLES[(first + place) % len(ROLES)] for place in range(len(PEOPLE))]
    return {
        "team": list(zip(PEOPLE, roles, strict=True)),
        "year": draw.randrange(2015, 2026),
        "clients": draw.randrange(12, 60),
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")
