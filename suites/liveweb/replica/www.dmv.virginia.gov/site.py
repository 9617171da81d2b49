"""Double of the Virginia DMV: pages by topic, safety programs, and customer service centers."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Request, Response, Row, Site

site = Site(__file__)
rows: list[Row] = site.data("centers")


def facts(edition: Edition) -> Row:
    """House numbers, telephones and hours of the centers, in the order of this edition."""
    draw = edition.draw("centers")
    return {"centers": [_drawn(edition, row) for row in draw.sample(rows, len(rows))]}


def _drawn(edition: Edition, row: Row) -> Row:
    draw = edition.draw(row["slug"])
    number = draw.randrange(100, 9900)
    return {
        **row,
        "address": f"{number} {row['street']}, {row['town']}, VA {row['zip']}",
        "phone": f"804-497-{draw.randrange(7000, 7999)}",
        "saturday": draw.choice(["8:00 AM to 12:00 PM", "Closed"]),
    }


book = Handbook(site, facts=facts)
book.search_at("/search")
book.sitemap_at("/sitemap")
book.missing()


@site.get("/locations/{slug}")
def center(request: Request) -> Response:
    for row in book.facts(request)["centers"]:
        if row["slug"] == request.path_params["slug"]:
            return book.render("center.html", request, center=row)
    return book.render("handbook-missing.html", request, status=404)
