"""Double of Coursera: subjects to browse, a search with filters, and pages of courses."""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    Listing,
    Order,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    slugify,
    with_params,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
DOMAINS: dict[str, Row] = CONTENT["domains"]
LISTING = Listing(
    search=("name", "subject", "partner"),
    facets=("domain", "level", "type"),
    orders={"NEW": Order("year", descending=True)},
    size=12,
)


@by_edition
def courses(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for domain, one in DOMAINS.items():
        for subject, topics in one["subjects"].items():
            draw = edition.draw(f"{domain} {subject}")
            for topic in topics:
                for form in draw.sample(CONTENT["forms"], 3):
                    rows.append(_course(domain, subject, form.format(topic), edition))
    order = edition.draw("order")
    return Catalogue(order.sample(rows, len(rows)))


def _course(domain: str, subject: str, name: str, edition: Edition) -> Row:
    draw = edition.draw(name)
    kind = draw.choice(list(CONTENT["types"]))
    return {
        "name": name,
        "domain": DOMAINS[domain]["name"],
        "subject": subject,
        "level": draw.choice(["Beginner", "Intermediate", "Advanced"]),
        "type": kind,
        "partner": draw.choice(CONTENT["partners"]),
        "rating": round(draw.uniform(4.1, 4.9), 1),
        "year": draw.randint(2016, 2026),
        "weeks": draw.randint(2, 30),
        "href": f"/{CONTENT['types'][kind]}/{slugify(name)}",
    }


def _common() -> Row:
    return {"domains": DOMAINS, "slug": slugify}


@site.get("/")
def home(request: Request) -> Response:
    picks = courses(request).where(domain="Computer Science").page(1, 8).items
    return site.render("home.html", request, picks=picks, **_common())


@site.get("/browse")
def browse(request: Request) -> Response:
    return site.render("browse.html", request, **_common())


@site.get("/browse/{domain}")
def domain(request: Request) -> Response:
    one = DOMAINS.get(request.path_params["domain"])
    if one is None:
        return missing(request)
    found = courses(request).where(domain=one["name"]).page(1, 12).items
    values = {"heading": one["name"], "found": found, "key": request.path_params["domain"]}
    return site.render("subject.html", request, subjects=one["subjects"], **values, **_common())


@site.get("/browse/{domain}/{subject}")
def subject(request: Request) -> Response:
    key = request.path_params["domain"]
    names = DOMAINS.get(key, {"subjects": {}})["subjects"]
    name = next((one for one in names if slugify(one) == request.path_params["subject"]), "")
    if not name:
        return missing(request)
    found = courses(request).where(domain=DOMAINS[key]["name"], subject=name)
    values = {"heading": name, "found": list(found), "key": key, "subjects": {}}
    return site.render("subject.html", request, **values, **_common())


@site.get("/search")
@site.get("/courses")
def search(request: Request) -> Response:
    params = request.query_params
    words = params.get("query", "").casefold().replace(" courses", "").replace(" course", "")
    wanted = Wanted(
        query=words,
        chosen={name: params.getlist(name) for name in LISTING.facets},
        order=params.get("sortBy", ""),
        page=params.get("page"),
    )
    shown = LISTING.show(courses(request), wanted)
    links = [(n, with_params(request, page=n)) for n in range(1, shown.page.pages + 1)]
    return site.render("search.html", request, shown=shown, links=links, **_common())


@site.get("/suggest")
def suggest(request: Request) -> Response:
    typed = request.query_params.get("q", "").casefold()
    names = [name for one in DOMAINS.values() for name in one["subjects"]]
    found = [name for name in names if typed in name.casefold()]
    return JSONResponse([{"label": n, "href": f"/search?query={n.lower()}"} for n in found[:6]])


@site.get("/{kind}/{slug}")
def course(request: Request) -> Response:
    row = courses(request).one(href=request.url.path)
    if row is None:
        return missing(request)
    return site.render("course.html", request, row=row, **_common())


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common())


site.not_found(missing)
