"""Double of CNHC's site, a register of complementary healthcare, with fees of its own."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)


def fees(edition: Edition) -> Row:
    """Fees in pounds, none of them that of the real register, and no two alike."""
    draw = edition.draw("fees")
    first, renew, verify = draw.sample([52, 58, 61, 66, 74, 77, 83, 91], 3)
    return {"first": first, "renew": renew, "verify": verify, "more": draw.randrange(12, 30)}


book = Handbook(site, facts=fees)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()
