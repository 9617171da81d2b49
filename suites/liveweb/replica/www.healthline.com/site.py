"""Double of Healthline: topics, and articles on drugs whose doses differ from the real ones."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)
DRUGS = ("vivitrol", "sublocade", "suboxone", "naltrexone", "brixadi")


def facts(edition: Edition) -> Row:
    """Doses, intervals and prices, no two alike."""
    draw = edition.draw("doses")
    doses = draw.sample([240, 270, 310, 340, 360, 410, 430], len(DRUGS))
    weeks = draw.sample([3, 5, 6, 7, 8], len(DRUGS))
    drawn = zip(DRUGS, doses, weeks, strict=True)
    return {"pill": draw.choice([20, 30, 60])} | {
        name: {"dose": dose, "weeks": week, "price": dose * 5} for name, dose, week in drawn
    }


book = Handbook(site, facts=facts)
book.search_at("/search", parameter="q1")
book.sitemap_at("/sitemap")
book.missing()
