"""Marriott: pages about hotels, the loyalty program, and the credit cards that go with it."""

from typing import Any

from pytest_webbench.world.kit import Edition, Handbook, RedirectResponse, Request, Response, Site

CARDS = {
    "boundless": ("Marriott Bonvoy Boundless® Credit Card from Chase", "chase"),
    "bold": ("Marriott Bonvoy Bold® Credit Card from Chase", "chase"),
    "bountiful": ("Marriott Bonvoy Bountiful® Credit Card from Chase", "chase"),
    "brilliant": ("Marriott Bonvoy Brilliant® American Express® Card", "amex"),
    "bevy": ("Marriott Bonvoy Bevy® American Express® Card", "amex"),
    "business": ("Marriott Bonvoy Business® American Express® Card", "amex"),
}

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    """Offers, fees, and the order in which cards are shown."""
    draw = edition.draw("cards")
    offers = {
        key: {
            "name": name,
            "bank": bank,
            "points": draw.randrange(6, 41) * 5000,
            "spend": draw.randrange(2, 13) * 500,
            "fee": draw.randrange(10, 70) * 10 - 1,
            "nights": draw.randrange(1, 5),
        }
        for key, (name, bank) in CARDS.items()
    }
    return {
        "cards": offers,
        "order": draw.sample(list(CARDS), len(CARDS)),
        "percent": draw.randrange(10, 45),
    }


book = Handbook(site, facts=facts)
book.search_at("/search/findHotels.mi", "search.html")
book.sitemap_at("/sitemap.mi", "sitemap.html")
book.missing("missing.html")


@site.get("/")
def start(_request: Request) -> Response:
    return RedirectResponse("/default.mi", 302)


@site.get("/credit-cards")
@site.get("/credit-cards/")
def without_ending(_request: Request) -> Response:
    return RedirectResponse("/credit-cards.mi", 301)
