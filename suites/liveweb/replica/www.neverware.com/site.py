"""Double of Neverware: what became of its system for old computers, and pages that remain."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)


def facts(edition: Edition) -> Row:
    """What replaces the old product at home and elsewhere; no two names are the same."""
    draw = edition.draw("names")
    home, school, firm, old = draw.sample(
        ("Breeze", "Anew", "Lite", "Again", "Second", "Move", "Nimbus"), 4
    )
    return {
        "home": f"ChromeOS {home}",
        "school": f"ChromeOS {school}",
        "firm": f"ChromeOS {firm}",
        "trial": f"ChromeOS {old}",
        "version": 96 + draw.randrange(30),
        "models": 300 + draw.randrange(300),
    }


book = Handbook(site, facts=facts)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()
