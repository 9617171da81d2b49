"""Double of CAASPP's site; its tests have other parts than the real ones."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

site = Site(__file__)
FIRST = ("multistage test", "fixed form test", "paper and pencil test", "two-step test")
SECOND = ("speaking tasks", "classroom projects", "writing portfolio", "group tasks")


def parts(edition: Edition) -> Row:
    draw = edition.draw("parts")
    first, science = draw.sample(FIRST, 2)
    return {"first": first, "second": draw.choice(SECOND), "science": science}


book = Handbook(site, facts=parts)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()
