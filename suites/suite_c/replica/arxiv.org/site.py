"""Replica of arXiv: simple and advanced search, lists by archive, abstract pages."""

from __future__ import annotations

import calendar
import re
from datetime import date
from typing import NamedTuple

from starlette.datastructures import QueryParams

from pytest_webbench.world.kit import Catalogue, Request, Response, Row, Site, with_params

site = Site(__file__)
ARCHIVES: dict[str, str] = site.data("archives")
SUBJECTS = {
    "computer_science": ("Computer Science (cs)", "cs"),
    "economics": ("Economics (econ)", "econ"),
    "eess": ("Electrical Engineering and Systems Science (eess)", "eess"),
    "mathematics": ("Mathematics (math)", "math"),
    "physics": ("Physics", ""),
    "q_biology": ("Quantitative Biology (q-bio)", "q-bio"),
    "q_finance": ("Quantitative Finance (q-fin)", "q-fin"),
    "statistics": ("Statistics (stat)", "stat"),
}
PHYSICS = [
    "astro-ph",
    "cond-mat",
    "gr-qc",
    "hep-ex",
    "hep-lat",
    "hep-ph",
    "hep-th",
    "math-ph",
    "nlin",
    "nucl-ex",
    "nucl-th",
    "physics",
    "quant-ph",
]
FIELDS = {
    "title": "Title",
    "author": "Author(s)",
    "abstract": "Abstract",
    "comments": "Comments",
    "journal_ref": "Journal reference",
    "paper_id": "arXiv identifier",
    "all": "All fields",
}
DATES = {
    "all_dates": "All dates",
    "past_12": "Past 12 months",
    "specific_year": "Specific year",
    "date_range": "Date range",
}
DATE_TYPES = {
    "submitted_date": ("Submission date (most recent)", "latest"),
    "submitted_date_first": ("Submission date (original)", "first"),
    "announced_date_first": ("Announcement date", "announced"),
}
ORDERS = {
    "-announced_date_first": ("Announcement date (newest first)", "announced", True),
    "announced_date_first": ("Announcement date (oldest first)", "announced", False),
    "-submitted_date": ("Submission date (newest first)", "latest", True),
    "submitted_date": ("Submission date (oldest first)", "latest", False),
    "": ("Relevance", "", False),
}
SIZES = ["25", "50", "100", "200"]
TODAY = date(2024, 7, 1)


class Term(NamedTuple):
    """One line of the advanced form."""

    operator: str
    words: str
    field: str


def _complete(row: Row) -> Row:
    versions = row["versions"]
    return row | {
        "paper_id": row["id"],
        "author": ", ".join(row["authors"]),
        "first": versions[0],
        "latest": versions[-1],
        "announced": versions[0],
        "archives": [category.split(".")[0] for category in row["categories"]],
    }


papers = Catalogue([_complete(row) for row in site.data("papers")])


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, archives=ARCHIVES, physics=PHYSICS)


@site.get("/list/{archive}/recent")
def recent(request: Request) -> Response:
    archive = request.path_params["archive"]
    if archive not in ARCHIVES:
        return missing(request)
    found = papers.where(archives=archive).sort("announced", descending=True)
    return site.render("list.html", request, name=ARCHIVES[archive], papers=found)


@site.get("/search")
@site.get("/search/")
def simple(request: Request) -> Response:
    params = request.query_params
    words, field = params.get("query", "").strip(), params.get("searchtype", "all")
    found = Catalogue([row for row in papers if words and _has_words(row, words, field)])
    return _results(request, found, asked=bool(words), title="Search", errors=[])


@site.get("/search/advanced")
def advanced(request: Request) -> Response:
    params = request.query_params
    terms = _terms(params)
    errors = _errors(params) if "advanced" in params else []
    if "advanced" not in params or errors:
        return site.render("advanced.html", request, terms=terms, errors=errors, **_choices())
    found = Catalogue([row for row in papers if _fits(row, params, terms)])
    return _results(request, found, asked=True, title="Advanced Search", errors=errors)


def _choices() -> Row:
    return {
        "subjects": SUBJECTS,
        "physics": PHYSICS,
        "fields": FIELDS,
        "dates": DATES,
        "date_types": DATE_TYPES,
        "sizes": SIZES,
        "orders": ORDERS,
    }


def _results(
    request: Request, found: Catalogue, *, asked: bool, title: str, errors: list[str]
) -> Response:
    params = request.query_params
    order = params.get("order", "-announced_date_first")
    _, name, descending = ORDERS.get(order, ORDERS["-announced_date_first"])
    size = int(params.get("size", "50")) if params.get("size") in SIZES else 50
    start = int(params["start"]) if re.fullmatch(r"[0-9]{1,6}", params.get("start", "")) else 0
    page = (found.sort(name, descending=descending) if name else found).page(
        start // size + 1, size
    )
    links = [
        (number, with_params(request, start=(number - 1) * size or None))
        for number in page.around(5)
    ]
    return site.render(
        "results.html",
        request,
        page=page,
        asked=asked,
        heading=title,
        order=order,
        size=str(size),
        links=links,
        refine=with_params(request, advanced=None, start=None),
        **_choices(),
    )


def _terms(params: QueryParams) -> list[Term]:
    numbers = sorted(
        {int(found[1]) for key in params if (found := re.fullmatch(r"terms-(\d{1,3})-term", key))}
    )
    return [
        Term(
            params.get(f"terms-{number}-operator", "AND"),
            params.get(f"terms-{number}-term", "").strip(),
            params.get(f"terms-{number}-field", "title"),
        )
        for number in numbers
    ] or [Term("AND", "", "title")]


def _fits(row: Row, params: QueryParams, terms: list[Term]) -> bool:
    return _fits_terms(row, terms) and _fits_subject(row, params) and _fits_date(row, params)


def _fits_terms(row: Row, terms: list[Term]) -> bool:
    verdict = True
    for number, term in enumerate(term for term in terms if term.words):
        hit = _has_words(row, term.words, term.field)
        if term.operator == "NOT":
            verdict = verdict and not hit
        elif number == 0:
            verdict = hit
        else:
            verdict = (verdict or hit) if term.operator == "OR" else (verdict and hit)
    return verdict


def _has_words(row: Row, words: str, field: str) -> bool:
    fields = (
        [name for name in FIELDS if name != "all"]
        if field not in FIELDS or field == "all"
        else [field]
    )
    text = _plain(" ".join(row[name] for name in fields))
    parts = re.findall(r'"([^"]+)"|([^\s"]+)', words)
    return all(_plain(phrase or word) in text for phrase, word in parts)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[-–,;]", " ", text).casefold().split())


def _fits_subject(row: Row, params: QueryParams) -> bool:
    wanted: set[str] = set()
    for name, (_, archive) in SUBJECTS.items():
        if params.get(f"classification-{name}"):
            chosen = params.get("classification-physics_archives", "all")
            if archive:
                wanted.add(archive)
            elif chosen == "all":
                wanted.update(PHYSICS)
            else:
                wanted.add(chosen)
    primary_only = params.get("classification-include_cross_list") == "exclude"
    return not wanted or bool(
        wanted & set(row["archives"][:1] if primary_only else row["archives"])
    )


def _fits_date(row: Row, params: QueryParams) -> bool:
    _, field = DATE_TYPES.get(params.get("date-date_type", ""), DATE_TYPES["submitted_date"])
    first, last = _bounds(params)
    return bool(first.isoformat() <= row[field] <= last.isoformat())


def _bounds(params: QueryParams) -> tuple[date, date]:
    kind = params.get("date-filter_by", "all_dates")
    texts = (
        (params.get("date-from_date", ""), params.get("date-to_date", ""))
        if kind == "date_range"
        else ("", "")
    )
    if kind == "specific_year":
        texts = (params.get("date-year", ""),) * 2
    if kind == "past_12":
        texts = (TODAY.replace(year=TODAY.year - 1).isoformat(), "")
    first, last = _span(texts[0]), _span(texts[1])
    return first[0] if first else date.min, last[1] if last else date.max


def _span(text: str) -> tuple[date, date] | None:
    """First and last day of a year, a month or a day; None if the text is none of these."""
    found = re.fullmatch(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?", text.strip())
    if not found:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    try:
        first = date(year or 1, month or 1, day or 1)
    except ValueError:
        return None
    end = first.replace(month=month or 12)
    return first, end if day else end.replace(day=calendar.monthrange(end.year, end.month)[1])


def _errors(params: QueryParams) -> list[str]:
    kind = params.get("date-filter_by", "all_dates")
    if kind == "specific_year" and not _span(params.get("date-year", "")):
        return ["Please enter a year of four digits."]
    if kind != "date_range":
        return []
    given = [
        text
        for text in (params.get("date-from_date", ""), params.get("date-to_date", ""))
        if text.strip()
    ]
    if not given:
        return ["Please enter a start date, an end date or both."]
    if not all(map(_span, given)):
        return ["Dates have to look like 2012, 2012-02 or 2012-02-01."]
    first, last = _bounds(params)
    return ["The end date must not be before the start date."] if last < first else []


@site.get("/abs/{paper:path}")
def abstract(request: Request) -> Response:
    row = _paper(request)
    if row is None:
        return missing(request)
    return site.render("abs.html", request, paper=row, archives=ARCHIVES)


@site.get("/pdf/{paper:path}")
def pdf(request: Request) -> Response:
    row = _paper(request)
    if row is None:
        return missing(request)
    return site.render("pdf.html", request, paper=row)


def _paper(request: Request) -> Row | None:
    return papers.one(id=re.sub(r"v\d+$", "", request.path_params["paper"].rstrip("/")))


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
