"""Cincinnati USA: sights with their hours, hotels, restaurants and events."""

from random import Random
from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, Site

PLACES = ("zoo", "aquarium", "art", "center", "park", "krohn", "signs", "market")
QUARTERS = (15, 30, 45)

site = Site(__file__)


def hours(draw: Random) -> str:
    """From some time in the morning, which is never a full hour, to some in the afternoon."""
    opens = f"{draw.randrange(8, 12)}:{draw.choice(QUARTERS)} a.m."
    return f"{opens} - {draw.randrange(3, 9)}:{draw.choice(QUARTERS)} p.m."


def facts(edition: Edition) -> dict[str, Any]:
    found: dict[str, Any] = {"lights": f"{edition.draw('lights').randrange(5, 9)} p.m."}
    for place in PLACES:
        draw = edition.draw(place)
        found[place] = {day: hours(draw) for day in ("week", "friday", "saturday", "sunday")}
        found[place]["price"] = draw.randrange(12, 45)
    return found


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")
