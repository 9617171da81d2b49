"""Norway in a Nutshell: round trips by train and boat, and activities on the way."""

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    Listing,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    slugify,
)

SOUGHT = ("Advanced", "Full day")
NEARLY = [
    ("Advanced", "Half day"),
    ("Advanced", "2-3 hours"),
    ("Medium", "Full day"),
    ("Easy", "Full day"),
    ("Medium", "Half day"),
    ("Easy", "2-3 hours"),
    ("Easy", "Half day"),
]
"""Labels that are not what is sought."""
FACETS = ("location", "difficulty", "duration")

site = Site(__file__)
LIST = Listing(search=("name", "text"), facets=FACETS, size=12)


@by_edition
def activities(edition: Edition) -> Catalogue:
    """What can be done, where, how hard it is, and for how much: all but the place moves."""
    draw = edition.draw("activities")
    rows: list[Row] = []
    for location, given in site.data("activities").items():
        labels = _labels(location, len(given), edition)
        for (name, text), (difficulty, duration) in zip(given.items(), labels, strict=True):
            adult = draw.randrange(59, 410) * 10
            rows.append(
                {
                    "name": name,
                    "slug": slugify(name.translate(str.maketrans("åøæÅØÆ", "aoaAOA"))),
                    "text": text,
                    "location": location,
                    "difficulty": difficulty,
                    "duration": duration,
                    "adult": adult,
                    "child": adult * 3 // 40 * 10,
                    "age": draw.randrange(6, 17),
                }
            )
    return Catalogue(draw.sample(rows, len(rows)))


def _labels(location: str, count: int, edition: Edition) -> list[tuple[str, str]]:
    """In each place, one activity has the sought labels, and all others lack one of them."""
    draw = edition.draw(location)
    return draw.sample([SOUGHT, *draw.sample(NEARLY, count - 1)], count)


book = Handbook(site)
book.sitemap_at("/sitemap")
book.missing()


@site.get("/activities")
@site.get("/activities/")
def listed(request: Request) -> Response:
    query = request.query_params
    chosen = {name: [value] for name in FACETS if (value := query.get(name))}
    wanted = Wanted(query=query.get("q", ""), chosen=chosen, page=query.get("page"))
    shown = LIST.show(activities(request), wanted)
    return book.render("activities.html", request, shown=shown, chosen=chosen, query=wanted.query)


@site.get("/activities/{slug}")
@site.get("/activities/{slug}/")
def activity(request: Request) -> Response:
    rows = activities(request)
    row = rows.one(slug=request.path_params["slug"])
    if row is None:
        return book.render("handbook-missing.html", request, status=404)
    near = rows.where(location=row["location"]).keep(lambda one: one is not row)
    return book.render("activity.html", request, activity=row, near=near)
