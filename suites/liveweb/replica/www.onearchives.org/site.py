"""Double of ONE Archives: collections and visits, and finding aids at the archive of California."""

from __future__ import annotations

from pytest_webbench.world.kit import Edition, Handbook, Request, Response, Row, Site, slugify

site = Site(__file__)
OAC = "oac.cdlib.org"
TITLES: list[str] = site.data("titles")


def facts(edition: Edition) -> Row:
    """Collections with number, dates and size; no two have the same number."""
    draw = edition.draw("collections")
    numbers = draw.sample(range(1, 60), len(TITLES))
    rows = []
    for title, number in zip(TITLES, numbers, strict=True):
        first = draw.randrange(1915, 1950)
        bulk = first + draw.randrange(12, 25)
        rows.append(
            {
                "title": title,
                "ark": f"c8{slugify(title).replace('-', '')[:6]}{number}",
                "number": f"Coll{draw.randrange(2007, 2016)}.{number:03d}",
                "first": first,
                "bulk_from": bulk,
                "bulk_to": bulk + draw.randrange(11, 29),
                "last": 2005 + draw.randrange(12),
                "feet": draw.randrange(4, 240),
            }
        )
    return {"collections": rows, "subject": rows[0], "boxes": 400 + draw.randrange(300)}


book = Handbook(site, facts=facts)
book.search_at("/search/")
book.sitemap_at("/sitemap/")
book.missing()


@site.get("/", host=OAC)
def archive(request: Request) -> Response:
    query = request.query_params.get("query", "").casefold()
    rows = book.facts(request)["collections"]
    found = [row for row in rows if query in row["title"].casefold()]
    return site.render("archive.html", request, rows=found, query=query)


@site.get("/findaid/ark:/13030/{ark}/", host=OAC)
@site.get("/findaid/ark:/13030/{ark}", host=OAC)
def finding_aid(request: Request) -> Response:
    return _aid(request, "aid.html")


@site.get("/findaid/ark:/13030/{ark}/entire_text/", host=OAC)
def entire(request: Request) -> Response:
    return _aid(request, "aid-all.html")


def _aid(request: Request, template: str) -> Response:
    for row in book.facts(request)["collections"]:
        if row["ark"] == request.path_params["ark"]:
            return site.render(template, request, row=row)
    return Response("No such finding aid", status_code=404)
