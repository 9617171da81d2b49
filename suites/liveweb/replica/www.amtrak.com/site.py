"""Amtrak: pages about planning, tickets, identification and routes."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, RedirectResponse, Request, Response, Site

IDENTIFICATION = "/planning-booking/tickets-id-safety-security/passenger-identification"
ISSUER = "issued by a government authority"

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Which papers count, and what things cost."""
    draw = edition.draw("rules")
    single = draw.choice(("One card with a photo and a chip", "Two pieces of photo identification"))
    several = draw.choice(("Three", "Four", "Five"))
    least = draw.choice(("two of which are", "three of which are"))
    return {
        "first": f"{single} {ISSUER}",
        "second": f"{several} pieces of identification, at least {least} {ISSUER}",
        "minor": draw.choice(("One piece of photo identification", "A passport")),
        "border": draw.choice(("Two", "Three")),
        "minutes": draw.randrange(15, 90),
        "fee": draw.randrange(9, 40),
    }


book = Handbook(site, facts=facts)
book.search_at("/search", "search.html")
book.sitemap_at("/sitemap", "sitemap.html")
book.missing("missing.html")


@site.get("/passenger-identification")
def short(_request: Request) -> Response:
    return RedirectResponse(IDENTIFICATION, 301)
