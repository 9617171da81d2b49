"""Double of Thumbtack: services by keyword and ZIP code, and professionals with filters."""

from __future__ import annotations

from urllib.parse import urlencode

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    slugify,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
SERVICES = Catalogue([{"key": key, **row} for key, row in CONTENT["services"].items()])


@by_edition
def pros(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for service in SERVICES:
        draw = edition.draw(service["key"])
        for number in range(draw.randint(14, 20)):
            name = f"{draw.choice(CONTENT['names'])} {draw.choice(service['firms'])}"
            skills = [
                option
                for options in service["filters"].values()
                for option in options["options"]
                if draw.random() < 0.7
            ]
            rows.append(
                {
                    "id": str(draw.randrange(10**17, 10**18)),
                    "name": name,
                    "service": service["key"],
                    "skills": skills,
                    "rating": round(draw.uniform(4.0, 5.0), 1),
                    "reviews": draw.randrange(1, 400),
                    "price": draw.randrange(30, 190),
                    "hired": draw.randrange(2, 600),
                    "order": number,
                }
            )
    return Catalogue(rows)


def _chosen(request: Request) -> tuple[Row, str] | None:
    params = request.query_params
    service = SERVICES.one(key=params.get("keyword_pk") or "none")
    code = params.get("zip_code", "")
    if service is None or not (code.isdecimal() and len(code) == 5):
        return None
    return service, code


def _matching(request: Request, service: Row) -> Catalogue:
    wanted = request.query_params.getlist("has")
    found = pros(request).where(service=service["key"])
    return found.keep(lambda row: all(skill in row["skills"] for skill in wanted))


def _common() -> Row:
    return {"services": SERVICES, "topics": CONTENT["topics"]}


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, **_common())


@site.get("/search")
def search(request: Request) -> Response:
    """Where the search form leads to: the service that fits best."""
    params = request.query_params
    words, code = params.get("query", ""), params.get("zip_code", "")
    found = SERVICES.one(key=params.get("keyword_pk") or "none") or next(
        iter(SERVICES.search(words.rstrip("s"), "label", "title", "words")), None
    )
    if found is None or not code.strip():
        return site.render("nothing.html", request, words=words, **_common())
    query = urlencode({"keyword_pk": found["key"], "zip_code": code, "ir_referrer": "HOME_SEARCH"})
    return RedirectResponse(f"/instant-results/?{query}")


@site.get("/suggest")
def suggest(request: Request) -> Response:
    found = SERVICES.search(request.query_params.get("q", ""), "label", "title", "words")
    options = [{"label": row["label"], "fill": {"keyword_pk": row["key"]}} for row in found]
    return JSONResponse(options[:6])


@site.get("/instant-results")
@site.get("/instant-results/")
def results(request: Request) -> Response:
    chosen = _chosen(request)
    if chosen is None:
        return RedirectResponse("/")
    service, code = chosen
    found = _matching(request, service)
    values = {"service": service, "zip": code, "pros": found, "city": _city(code)}
    return site.render("results.html", request, **values, **_common())


@site.get("/instant-results/list", delay=0.15)
def matching(request: Request) -> Response:
    chosen = _chosen(request)
    if chosen is None:
        return missing(request)
    found = _matching(request, chosen[0])
    return site.render("pros.html", request, pros=found, service=chosen[0], zip=chosen[1])


def _city(code: str) -> str:
    known: dict[str, str] = CONTENT["cities"]
    return known.get(code[:3], "your area")


@site.get("/pro/{name}/{identity}")
def pro(request: Request) -> Response:
    row = pros(request).one(id=request.path_params["identity"])
    if row is None or slugify(row["name"]) != request.path_params["name"]:
        return missing(request)
    service = SERVICES.one(key=row["service"])
    return site.render("pro.html", request, row=row, service=service, **_common())


@site.get("/k/{name}/near-me")
def landing(request: Request) -> Response:
    service = next((row for row in SERVICES if row["slug"] == request.path_params["name"]), None)
    if service is None:
        return missing(request)
    best = pros(request).where(service=service["key"]).sort("rating", descending=True)
    values = {"service": service, "pros": best.page(1, 5).items}
    return site.render("landing.html", request, **values, **_common())


@site.get("/help/{topic}")
def topic(request: Request) -> Response:
    text = CONTENT["topics"].get(request.path_params["topic"])
    if text is None:
        return missing(request)
    return site.render("topic.html", request, text=text, **_common())


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common())


site.not_found(missing)
