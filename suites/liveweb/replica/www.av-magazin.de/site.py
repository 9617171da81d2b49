"""AV-Magazin: news and tests of televisions and loudspeakers, in German."""

from datetime import timedelta

from pytest_webbench.world.kit import Edition, Handbook, Row, Site

FIRST_PAGE = 310
FIRSTS = ("Clear", "Open", "Pure", "Silent", "Swift", "Broad", "Solid", "Prime")
SECONDS = ("Bridge", "Span", "Reach", "Flow", "Beam", "Path", "Relay", "Wave")

site = Site(__file__)
ARTICLES: dict[str, Row] = site.data("articles")


def facts(edition: Edition) -> Row:
    """Names of wireless boxes, figures and days; no name is one that a maker really uses."""
    draw = edition.draw("names")
    at = edition.number % len(FIRSTS)
    firsts = FIRSTS[at:] + FIRSTS[:at]
    names = [" ".join(pair) for pair in zip(firsts, draw.sample(SECONDS, 6), strict=False)]
    boxes = dict(zip(("m5", "m4", "m3", "frame", "bar", "beamer"), names, strict=True))
    days = {key: edition.now - timedelta(days=draw.randrange(1, 300)) for key in ARTICLES}
    return {"box": boxes, "hertz": draw.choice((100, 120, 165)), "days": days, "paths": PATHS}


def path_of(number: int, title: str) -> str:
    words = "".join(one if one.isalnum() else " " for one in title.partition(":")[0]).split()
    return f"/{'-'.join(words)}.{number}.0.html"


PATHS = {
    key: path_of(FIRST_PAGE + 7 * place, one["title"])
    for place, (key, one) in enumerate(ARTICLES.items())
}
PAGES: dict[str, Row] = {
    PATHS[key]: {**one, "template": "article.html", "fields": {"key": key}}
    for key, one in ARTICLES.items()
}
book = Handbook(site, facts=facts, more=PAGES)
book.search_at("/Suche.12.0.html", "search.html")
book.sitemap_at("/Sitemap.13.0.html")
book.missing("missing.html")
