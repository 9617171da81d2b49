"""Double of Canada.ca: pages on visiting, studying and working, with periods of its own."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)


def periods(edition: Edition) -> Row:
    """Days for biometrics and numbers of airports, by kind of permit; none are the real ones."""
    draw = edition.draw("periods")
    work, study, visit, extend = draw.sample([14, 21, 25, 35, 40, 45, 50, 60, 75], 4)
    worker, student, visitor = draw.sample([5, 6, 7, 9, 10, 11, 12], 3)
    return {
        "work": {"days": work, "airports": worker},
        "study": {"days": study, "airports": student},
        "visit": {"days": visit, "airports": visitor},
        "extend": {"days": extend},
        "fee": draw.randrange(160, 240, 5),
    }


book = Handbook(site, facts=periods)
book.search_at("/en/sr/srb.html")
book.sitemap_at("/en/sitemap.html")
book.missing()
