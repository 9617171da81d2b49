"""Double of GOV.UK: guides in parts, browse pages, search, and two smart answers."""

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
flows: dict[str, Row] = site.data("flows")
guides: dict[str, Row] = site.data("guides")
supports: list[Row] = site.data("supports")
HEADINGS = (
    "You need a visa to work {job}",
    "You’ll need a visa to work {job}",
    "You must get a visa before you work {job}",
)


def guide_pages() -> dict[str, Row]:
    """The parts of each guide; its first part has the guide's own address."""
    pages: dict[str, Row] = {}
    for path, guide in guides.items():
        paths = [path, *(f"{path}/{part['slug']}" for part in guide["parts"][1:])]
        contents = list(zip([part["title"] for part in guide["parts"]], paths, strict=True))
        for (title, at), part in zip(contents, guide["parts"], strict=True):
            pages[at] = {
                "title": f"{guide['title']}: {title}",
                "label": guide["title"] if at == path else title,
                "under": guide["under"],
                "summary": guide["summary"] if at == path else "",
                "template": "guide.html",
                "fields": {"guide": guide["title"], "part": title, "contents": contents},
                "body": part["body"],
            }
    return pages


def amounts(edition: Edition) -> Row:
    draw = edition.draw("amounts")
    return {"eldest": f"{draw.randrange(2600, 3300) / 100:.2f}", "age": draw.choice([66, 67])}


book = Handbook(site, more=guide_pages(), facts=amounts)
book.search_at("/search/all", parameter="keywords")
book.missing()


@site.get("/{guide}/{part}")
def first_part(request: Request) -> Response:
    """The first part's own address, and the page for printing."""
    path, part = f"/{request.path_params['guide']}", request.path_params["part"]
    guide = guides.get(path)
    if guide and part == guide["parts"][0]["slug"]:
        return RedirectResponse(path, 302)
    if guide and part == "print":
        pages = [page for page in book if page.fields.get("guide") == guide["title"]]
        html = [(page.fields["part"], book.html(page, request)) for page in pages]
        return book.render("print.html", request, guide=guide["title"], parts=html)
    if path[1:] in flows and part == "y":
        return _flow(request, path[1:], [])
    return book.render("handbook-missing.html", request, status=404)


@site.get("/{flow}/y/{answers:path}")
def answered(request: Request) -> Response:
    if request.path_params["flow"] not in flows:
        return book.render("handbook-missing.html", request, status=404)
    return _flow(request, request.path_params["flow"], request.path_params["answers"].split("/"))


def _flow(request: Request, name: str, answers: list[str]) -> Response:
    """The next question after some answers, or the outcome; a form leads to the longer address."""
    flow = flows[name]
    key, given = flow["first"], []
    for answer in answers:
        question = flow["questions"].get(key)
        if question is None or answer not in question["options"]:
            return book.render("handbook-missing.html", request, status=404)
        given.append({"question": question["title"], "answer": question["options"][answer]})
        key = question["next"].get(answer, question["next"].get("else"))
    base = "/".join(["", name, "y", *answers])
    if key not in flow["questions"]:
        return _outcome(request, name, answers, given)
    question = flow["questions"][key]
    said = request.query_params.get("response", "")
    if said in question["options"]:
        return RedirectResponse(f"{base}/{said}", 302)
    values = {"name": name, "flow": flow, "question": question, "base": base}
    error = "next" in request.query_params
    given = [{**one, "at": "/".join(base.split("/")[: 3 + i])} for i, one in enumerate(given)]
    return book.render("question.html", request, given=given, error=error, **values)


def _outcome(request: Request, name: str, answers: list[str], given: list[Row]) -> Response:
    values: dict[str, Any] = {"name": name, "flow": flows[name], "given": given}
    values["given"] = [
        {**one, "at": "/".join(["", name, "y", *answers[:i]])} for i, one in enumerate(given)
    ]
    if name == "check-uk-visa":
        return book.render("visa.html", request, heading=_visa(request, answers), **values)
    found = [row for row in offered(request) if all(_fits(row, answers))]
    return book.render("benefits.html", request, found=found, **values)


def _visa(request: Request, answers: list[str]) -> str:
    job = flows["check-uk-visa"]["jobs"].get(answers[-1])
    if answers[1] != "no":
        return "You do not need a visa or an electronic travel authorisation"
    return wording(request).format(job=job) if job else "You will not need a visa to come to the UK"


@by_edition
def wording(edition: Edition) -> str:
    return edition.draw("visa").choice(HEADINGS)


@by_edition
def offered(edition: Edition) -> list[Row]:
    """The kinds of support that there are in this edition, in its order."""
    draw = edition.draw("supports")
    return draw.sample(supports, len(supports) * 4 // 5)


def _fits(row: Row, answers: list[str]) -> list[bool]:
    """Whether each condition of a support holds: nation, age, work, and savings."""
    has = {"nation": answers[0], "pension": answers[1], "work": answers[2]}
    has |= {"disability": answers[3], "savings": answers[-1]}
    has["children"] = "no" if "under_18" not in answers and "yes" not in answers[5:6] else "yes"
    return [has[key] in wanted for key, wanted in row["if"].items()]
