"""Double of Ohio.gov, of one of its boards, of its administrative code, and of eLicense's front."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Request, Response, Row, Site

site = Site(__file__)
PROFESSIONS = ("occupational-therapy", "physical-therapy", "athletic-training")


def fees(edition: Edition) -> Row:
    draw = edition.draw("fees")
    return {"fees": {name: draw.randrange(60, 180, 5) for name in PROFESSIONS}}


ohio = Handbook(site)
ohio.search_at("/search", parameter="query")
ohio.sitemap_at("/sitemap")
ohio.missing()
board = Handbook(site, "board", facts=fees, layout="board.html", host="otptat.ohio.gov")
board.search_at("/search", parameter="query")
board.sitemap_at("/sitemap")
codes = Handbook(site, "codes", layout="codes.html", host="codes.ohio.gov")
codes.search_at("/search", parameter="q")
codes.sitemap_at("/sitemap")


@site.get("/", host="elicense.ohio.gov")
def elicense(request: Request) -> Response:
    return site.render("elicense.html", request)
