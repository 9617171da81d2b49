"""Double of OhioMeansJobs: the state's portal, and its job search on a host of its own."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    Listing,
    Order,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    with_params,
)

site = Site(__file__)
JOBS = "jobs.ohiomeansjobs.applygovt.com"
CHOICES: Row = site.data("choices")
FACETS: dict[str, Row] = CHOICES["facets"]
LISTING = Listing(
    search=("title", "employer", "text"),
    facets=tuple(FACETS),
    orders={"date": Order("age"), "title": Order("title")},
    size=20,
)


@by_edition
def jobs(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for kind, titles in CHOICES["titles"].items():
        draw = edition.draw(kind)
        for _ in range(draw.randint(26, 36)):
            rows.append(
                {
                    "id": str(draw.randrange(10**8, 10**9)),
                    "title": draw.choice(titles),
                    "text": CHOICES["texts"][kind],
                    "employer": draw.choice(CHOICES["employers"]),
                    "place": draw.choice(CHOICES["places"]),
                    "age": draw.randint(0, 30),
                    **{name: draw.choice(list(one["values"])) for name, one in FACETS.items()},
                }
            )
    order = edition.draw("order")
    return Catalogue(order.sample(rows, len(rows)))


@site.get("/Search.aspx", host=JOBS)
def search(request: Request) -> Response:
    params = request.query_params
    wanted = Wanted(
        query=params.get("q", "").removesuffix(" jobs").removesuffix(" job"),
        chosen={name: params.getlist(name) for name in FACETS},
        order=params.get("sort", ""),
        page=params.get("pg"),
    )
    shown = LISTING.show(jobs(request), wanted)
    links = {
        name: [(one, _chosen(request, name, one.value, chosen=one.chosen)) for one in values]
        for name, values in shown.facets.items()
    }
    pages = [(n, with_params(request, pg=n)) for n in range(1, shown.page.pages + 1)]
    return site.render(
        "search.html", request, page=shown.page, links=links, pages=pages, facets=FACETS
    )


def _chosen(request: Request, name: str, value: str, *, chosen: bool) -> str:
    return with_params(request, **{name: None if chosen else value, "pg": 1})


@site.get("/job/{identity}", host=JOBS)
def job(request: Request) -> Response:
    row = jobs(request).one(id=request.path_params["identity"])
    if row is None:
        return missing(request)
    return site.render("job.html", request, row=row, facets=FACETS)


@site.get("/", host=JOBS)
def start(_request: Request) -> Response:
    return RedirectResponse("/Search.aspx?pg=1&sid=68&rad=20&rad_units=miles")


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
book = Handbook(site, facts=lambda edition: {"jobs": edition.draw("jobs").randrange(80, 190)})
book.search_at("/wps/portal/search", "found.html")
