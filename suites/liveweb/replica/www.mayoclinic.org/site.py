"""Double of Mayo Clinic's health library and symptom checker, and of its college's site."""

from __future__ import annotations

from typing import Any

from pytest_webbench.world.kit import (
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
)

site = Site(__file__)
COLLEGE = "college.mayo.edu"
CHECKER = "itt-20009075"
PARTS = {
    "symptoms-causes": ("Symptoms & causes", "syc", 0),
    "diagnosis-treatment": ("Diagnosis & treatment", "drc", 5),
    "doctors-departments": ("Doctors & departments", "ddc", 7),
}
CAMPUSES = ("Arizona", "Florida", "Minnesota", "Wisconsin")
conditions: list[Row] = site.data("conditions")
symptoms: dict[str, Row] = site.data("symptoms")
programs: list[Row] = site.data("programs")


def path_of(row: Row, part: str) -> str:
    _, kind, offset = PARTS[part]
    return f"/diseases-conditions/{row['slug']}/{part}/{kind}-{row['number'] + offset}"


def condition_pages() -> dict[str, Row]:
    """Each condition's three pages, of which only the first is found by its bare name."""
    pages: dict[str, Row] = {}
    for row in conditions:
        tabs = {PARTS[part][0]: path_of(row, part) for part in PARTS}
        for part, path in zip(PARTS, tabs.values(), strict=True):
            pages[path] = {
                "title": row["name"],
                "label": f"{row['name']}: {PARTS[part][0]}",
                "under": "/diseases-conditions",
                "summary": row["summary"] if part == "symptoms-causes" else PARTS[part][0],
                "template": "condition.html",
                "fields": {"part": part, "tabs": tabs, "row": row},
            }
    return pages


def places(edition: Edition) -> list[Row]:
    """The college's programs, each at a campus; Florida has several internships and more."""
    draw = edition.draw("campuses")
    rows = [{**row, "place": draw.choice(CAMPUSES)} for row in programs]
    own = [row for row in rows if row["table"] == "rotation" and "Internship" in row["name"]]
    for row in draw.sample(own, 4):
        row["place"] = "Florida"
    for row in draw.sample([row for row in rows if "Externship" in row["name"]], 1):
        row["place"] = "Florida"
    return rows


# Before the handbook, which would show the page without its letters.
@site.get("/diseases-conditions/index")
@site.get("/diseases-conditions")
def index(request: Request) -> Response:
    letter = request.query_params.get("letter", "").upper()
    found = [row for row in conditions if row["name"].startswith(letter or "\0")]
    letters = sorted({row["name"][0] for row in conditions})
    rows = [(row["name"], path_of(row, "symptoms-causes")) for row in found]
    page = book.pages["/diseases-conditions"]
    return book.render("index.html", request, page=page, letter=letter, letters=letters, rows=rows)


book = Handbook(site, more=condition_pages())
book.search_at("/search/search-results")
book.sitemap_at("/sitemap")
book.missing()
college = Handbook(
    site,
    "college",
    facts=lambda edition: {"programs": places(edition)},
    layout="college.html",
    host=COLLEGE,
)
college.search_at("/search")


@site.get("/diseases-conditions/{slug}")
@site.get("/diseases-conditions/{slug}/{part}")
def short(request: Request) -> Response:
    """Addresses without a number lead to the whole one, as on the real site."""
    part = request.path_params.get("part", "symptoms-causes")
    found = [row for row in conditions if row["slug"] == request.path_params["slug"]]
    if not found or part not in PARTS:
        return book.render("handbook-missing.html", request, status=404)
    return RedirectResponse(path_of(found[0], part), 301)


@by_edition
def causes(edition: Edition) -> dict[str, list[Row]]:
    """Per symptom its possible causes, with the factors that speak for each."""
    return {slug: _causes(edition, slug, symptom) for slug, symptom in symptoms.items()}


def _causes(edition: Edition, slug: str, symptom: Row) -> list[Row]:
    draw = edition.draw(f"causes of {slug}")
    factors = [f"{group} {one}" for group, ones in symptom["factors"].items() for one in ones]
    names = draw.sample(symptom["causes"], len(symptom["causes"]))
    rows: list[Row] = [{"name": name, "factors": set(draw.sample(factors, 4))} for name in names]
    for place, factor in enumerate(factors):  # so that each factor leads to something
        rows[place % len(rows)]["factors"].add(factor)
    return rows


@site.get("/symptom-checker/select-symptom/" + CHECKER)
def select_symptom(request: Request) -> Response:
    groups: dict[str, Any] = {"adult": {}, "child": {}}
    for slug, symptom in symptoms.items():
        groups[symptom["who"]][slug] = symptom["name"]
    return book.render("symptoms.html", request, groups=groups, checker=CHECKER)


@site.get("/symptom-checker/{slug}/related-factors/" + CHECKER)
def factors(request: Request) -> Response:
    return _checker(request, "step2", [])


@site.post("/symptom-checker/{slug}/related-factors/" + CHECKER)
async def possible_causes(request: Request) -> Response:
    form = await request.form()
    chosen = [str(one) for one in form.getlist("factor")]
    return _checker(request, "step3" if chosen else "step2", chosen)


def _checker(request: Request, step: str, chosen: list[str]) -> Response:
    slug = request.path_params["slug"]
    if slug not in symptoms:
        return book.render("handbook-missing.html", request, status=404)
    rows = [
        {"name": row["name"], "matches": sorted(row["factors"] & set(chosen))}
        for row in causes(request)[slug]
    ]
    found = sorted((row for row in rows if row["matches"]), key=lambda row: -len(row["matches"]))
    values = {"symptom": symptoms[slug], "step": step, "chosen": chosen, "found": found}
    asked = request.method == "POST"
    return book.render("checker.html", request, checker=CHECKER, asked=asked, **values)
