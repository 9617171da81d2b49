"""IMDb: a search for titles, their pages, and the pages "Did you know" of each."""

from typing import Any

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    Request,
    Response,
    Row,
    Site,
    by_edition,
)

SUBS = {
    "trivia": "Trivia",
    "goofs": "Goofs",
    "quotes": "Quotes",
    "crazycredits": "Crazy credits",
    "alternateversions": "Alternate versions",
    "fullcredits": "Full cast & crew",
}
LINES = {
    "trivia": ("{0} was planned under another name.", "{1} asked for {2} takes of one scene."),
    "goofs": ("A clock shows {2} minutes past the hour in two scenes that are days apart.",),
    "quotes": ("{3}: Who has left the door open?", "{4}: Nobody. It was never shut."),
    "alternateversions": ("A version for television is {2} minutes shorter.",),
}

site = Site(__file__)


def facts(edition: Edition) -> dict[str, Any]:
    draw = edition.draw("news")
    names = ("Harbor Lights", "The Long Field", "Seven Keys", "North of Here")
    days = sorted(draw.sample(range(1, 29), len(names)))
    return {
        "years": draw.randrange(3, 40),
        "upcoming": [
            (f"{edition.now:%B} {day}", name) for day, name in zip(days, names, strict=True)
        ],
    }


@by_edition
def films(edition: Edition) -> Catalogue:
    """Ratings, votes and ranks are others in each edition."""
    rows: list[Row] = []
    for film in site.data("films"):
        draw = edition.draw(film["id"])
        rows.append(
            {
                **film,
                "rating": round(draw.uniform(5.5, 9.0), 1),
                "votes": draw.randrange(300, 2_000_000),
                "rank": draw.random(),
                "number": draw.randrange(4, 40),
            }
        )
    return Catalogue(rows)


@site.get("/")
@site.get("/chart/top/")
@site.get("/chart/moviemeter/")
def listing(request: Request) -> Response:
    page = book.pages[request.url.path]
    return book.show(page, request, films=films(request))


book = Handbook(site, facts=facts)
book.sitemap_at("/sitemap/", "sitemap.html")
book.missing("missing.html")


def shown(request: Request, template: str, **values: Any) -> Response:
    return book.render(template, request, films=films(request), subs=SUBS, **values)


@site.get("/find/")
@site.get("/find")
def find(request: Request) -> Response:
    query = request.query_params.get("q", "")
    found = films(request).search(query, "title", "year", "director", "cast") if query else []
    return shown(request, "find.html", query=query, found=found)


@site.get("/title/{film}/")
@site.get("/title/{film}")
@site.get("/title/{film}/{kind}/")
@site.get("/title/{film}/{kind}")
def title(request: Request) -> Response:
    """A title, or one of the pages below it."""
    wanted = request.path_params
    film = films(request).one(id=wanted["film"])
    kind = wanted.get("kind")
    if film is None or kind not in (None, *SUBS):
        return book.render("missing.html", request, status=404)
    if kind is None:
        return shown(request, "title.html", film=film)
    return shown(request, "sub.html", film=film, kind=kind, entries=entries(film, kind=kind))


def entries(film: Row, *, kind: str) -> list[str]:
    """What a page below a title lists."""
    if kind == "crazycredits":
        return list(film["crazycredits"])
    if kind == "fullcredits":
        return [f"Directed by {film['director']}", *film["cast"]]
    values = (film["title"], film["director"], film["number"], film["cast"][0], film["cast"][1])
    return [line.format(*values) for line in LINES[kind]]
