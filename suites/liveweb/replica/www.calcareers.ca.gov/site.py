"""Double of CalCareers: a job search whose filters stand in the fragment, and postings."""

from __future__ import annotations

from datetime import timedelta

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    JSONResponse,
    Listing,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    Wanted,
    by_edition,
    number_in,
)

site = Site(__file__)
CONTENT: Row = site.data("content")
FILTERS: dict[str, Row] = CONTENT["filters"]
LISTING = Listing(search=("title", "department"), facets=tuple(FILTERS), ranges=("low",), size=25)


@by_edition
def jobs(edition: Edition) -> Catalogue:
    rows: list[Row] = []
    for category, titles in CONTENT["titles"].items():
        draw = edition.draw(category)
        for _ in range(draw.randint(30, 40)):
            low = draw.randrange(26, 92) * 100
            rows.append(
                {
                    "id": str(draw.randrange(400_000, 520_000)),
                    "title": draw.choice(titles),
                    "socmajorcode": category,
                    "locid": draw.choice(CONTENT["often"] or list(FILTERS["locid"]["values"])),
                    "timid": draw.choice(["1", "1", "2", "3"]),
                    "depid": draw.choice(list(FILTERS["depid"]["values"])),
                    "low": low,
                    "high": low + draw.randrange(8, 30) * 100,
                    "closes": f"{edition.now + timedelta(days=draw.randint(2, 40)):%-m/%-d/%Y}",
                }
            )
    for row in rows:
        row["department"] = FILTERS["depid"]["values"][row["depid"]]
        row["names"] = {name: one["values"][row[name]] for name, one in FILTERS.items()}
    return Catalogue(rows)


def _common() -> Row:
    return {"filters": FILTERS, "salaries": CONTENT["salaries"], "info": CONTENT["info"]}


@site.get("/")
@site.get("/CalHRPublic/Landing.aspx")
def home(request: Request) -> Response:
    newest = jobs(request).sort("id", descending=True).page(1, 30).items
    return site.render("home.html", request, newest=newest, **_common())


@site.get("/CalHRPublic/Search/JobSearchResults.aspx")
def results(request: Request) -> Response:
    return site.render("results.html", request, **_common())


@site.get("/CalHRPublic/Search/AdvancedJobSearch.aspx")
def advanced(request: Request) -> Response:
    return site.render("advanced.html", request, **_common())


@site.get("/CalHRPublic/Search/Jobs.json", delay=0.1)
def found(request: Request) -> Response:
    params = request.query_params
    least = number_in(params["minsal"]) if params.get("minsal") else None
    wanted = Wanted(
        query=params.get("kw", ""),
        chosen={name: params.getlist(name) for name in FILTERS},
        bounds={"low": (least, None)},
        page=params.get("page"),
    )
    page = LISTING.show(jobs(request), wanted).page
    return JSONResponse({"total": page.total, "pages": page.pages, "jobs": page.items})


@site.get("/CalHRPublic/Jobs/JobPosting.aspx")
def posting(request: Request) -> Response:
    row = jobs(request).one(id=request.query_params.get("JobControlId") or "none")
    if row is None:
        return missing(request)
    return site.render("posting.html", request, row=row, **_common())


@site.get("/CalHRPublic/GeneralInfo/{page}.aspx")
def info(request: Request) -> Response:
    text = CONTENT["info"].get(request.path_params["page"])
    if text is None:
        return missing(request)
    return site.render("info.html", request, text=text, **_common())


@site.get("/CalHRPublic")
@site.get("/CalHRPublic/")
def moved(request: Request) -> Response:
    return RedirectResponse("/CalHRPublic/Landing.aspx")


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, **_common())


site.not_found(missing)
