"""Scorpions: news, tour, band and discography."""

from datetime import timedelta
from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    Request,
    Response,
    Site,
    by_edition,
    slugify,
)

KINDS = ("Studio albums", "Live albums", "Reissues")
CITIES = ("Hannover", "Lisbon", "Riga", "Lyon", "Athens", "Krakow", "Oslo", "Turin")

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("tour")
    days = [edition.now + timedelta(days=draw.randrange(20, 200)) for _ in range(6)]
    return {
        "tour": [
            (f"{day:%d %B %Y}", city)
            for day, city in zip(sorted(days), draw.sample(CITIES, 6), strict=True)
        ],
        "weeks": draw.randrange(5, 40),
        "shows": draw.randrange(1990, 1996),
    }


@by_edition
def albums(edition: Edition) -> Catalogue:
    """All albums; each came out some years before or after the year that people know."""
    shift = edition.draw("years").choice((-5, -4, -3, -2)) - edition.number
    return Catalogue(
        [
            {
                **row,
                "slug": slugify(row["title"]),
                "year": row["year"] + shift,
                "minutes": edition.draw(row["title"]).randrange(33, 62),
            }
            for row in site.data("albums")
        ]
    )


book = Handbook(site, facts=facts)
book.sitemap_at("/sitemap/", "sitemap.html")
book.missing("missing.html")


@site.get("/discography/")
@site.get("/discography")
def discography(request: Request) -> Response:
    kinds = [(kind, list(albums(request).where(kind=kind))) for kind in KINDS]
    return book.render("discography.html", request, kinds=kinds)


@site.get("/discography/{slug}/")
@site.get("/discography/{slug}")
def album(request: Request) -> Response:
    found = albums(request).one(slug=request.path_params["slug"])
    if found is None:
        return book.render("missing.html", request, status=404)
    others = [row for row in albums(request) if row is not found][:8]
    return book.render("album.html", request, album=found, others=others)


@site.get("/search/")
def search(request: Request) -> Response:
    """Pages and albums with all of the words."""
    query = request.query_params.get("q", "")
    pages = [(page.path, page.title, page.summary) for page in book.search(query, request)]
    found = albums(request).search(query, "title", "kind") if query.strip() else Catalogue()
    pages += [(f"/discography/{row['slug']}/", row["title"], row["kind"]) for row in found]
    return book.render("search.html", request, query=query, pages=pages)
