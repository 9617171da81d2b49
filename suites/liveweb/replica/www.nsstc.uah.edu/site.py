"""National Space Science and Technology Center: research, data, and partners in the building."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Site

NAMES = (
    "Southern Storm Laboratory",
    "Institute for Remote Sensing",
    "Office of River Forecasts",
    "Tennessee Valley Observatory",
    "Center for Satellite Archives",
    "Bureau of Solar Weather",
    "Coastal Climate Consortium",
    "Society for Space Physics",
    "Rocket Plume Group",
    "Lunar Samples Office",
)
SPONSORS = ("Huntsville Chamber", "Cramer Foundation", "Redstone Fund", "Valley Bank")

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Partners are others in each edition, and none of those that people know."""
    draw = edition.draw("partners")
    return {
        "partners": draw.sample(NAMES, 5),
        "sponsors": draw.sample(SPONSORS, 3),
        "people": draw.randrange(180, 420),
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")
