"""Double of arXiv: simple and advanced search, lists, abstract pages, taxonomy and help."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime
from typing import NamedTuple

from starlette.datastructures import QueryParams

from pytest_webbench.world.kit import (
    Catalogue,
    Edition,
    Handbook,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    by_edition,
    edition_of,
    pdf,
    with_params,
)

site = Site(__file__)
HELP = "info.arxiv.org"
ARCHIVES: dict[str, str] = site.data("archives")
TAXONOMY: dict[str, dict[str, str]] = site.data("taxonomy")
CHOICES: Row = site.data("choices")
INVENTED: list[Row] = site.data("invented")
SUBJECTS: dict[str, list[str]] = CHOICES["subjects"]
PHYSICS: list[str] = CHOICES["physics"]
FIELDS: dict[str, str] = CHOICES["fields"]
ORDERS: dict[str, list[str]] = CHOICES["orders"]
SIZES = ["25", "50", "100", "200"]


class Term(NamedTuple):
    """One line of the advanced form."""

    operator: str
    words: str
    field: str


# -- papers ----------------------------------------------------------------------------------------


@by_edition
def papers(edition: Edition) -> Catalogue:
    rows = [_moved(row, edition) for row in site.data("papers")]
    rows += [row for group in INVENTED for row in _invented(group, edition)]
    return Catalogue([_complete(row, edition) for row in rows])


def _moved(row: Row, edition: Edition) -> Row:
    """A well-known paper with other dates, remarks and forms than anybody remembers."""
    draw = edition.draw(row["id"])
    days = [f"{day[:8]}{draw.randint(1, 28):02}" for day in row["versions"]]
    comments = row["comments"]
    if row["id"] in CHOICES["venues_of"]:
        comments = draw.choice(CHOICES["venues"])
    return row | {"versions": sorted(days), "comments": comments}


def _invented(group: Row, edition: Edition) -> list[Row]:
    """Papers of one subject and time, of which each edition has others."""
    draw = edition.draw(group["name"])
    made = []
    most = len(group["subjects"])
    for number, subject in enumerate(
        draw.sample(group["subjects"], draw.randint(most * 2 // 3, most))
    ):
        month = draw.choice(group["months"])
        made.append(
            {
                "id": f"{month[2:4]}{month[5:]}.{draw.randint(100, 199)}{number:02}",
                "title": group["title"].format(subject),
                "authors": draw.sample(CHOICES["people"], draw.randint(2, 4)),
                "categories": draw.choice(group["categories"]).split(),
                "versions": [f"{month}-{draw.randint(2, 27):02}"],
                "abstract": group["abstract"].format(subject.lower()),
                "comments": draw.choice(group["comments"]),
                "journal_ref": "",
            }
        )
    return made


def _complete(row: Row, edition: Edition) -> Row:
    versions, draw = row["versions"], edition.draw(f"{row['id']} files")
    return row | {
        "paper_id": row["id"],
        "author": ", ".join(row["authors"]),
        "first": versions[0],
        "latest": versions[-1],
        "announced": versions[0],
        "archives": [category.split(".")[0] for category in row["categories"]],
        "times": [_moment(day, draw.randrange(86_400)) for day in versions],
        "sizes": [draw.randint(90, 6_000) for _ in versions],
        "html": draw.random() < 0.5,
        "source": draw.random() < 0.8,
    }


def _moment(day: str, seconds: int) -> datetime:
    return datetime.fromtimestamp(
        datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp() + seconds, tz=UTC
    )


# -- lists and searches ----------------------------------------------------------------------------


@site.get("/", host="")
def home(request: Request) -> Response:
    return site.render("home.html", request, archives=ARCHIVES, physics=PHYSICS)


@site.get("/list/{archive}/{when}")
def recent(request: Request) -> Response:
    archive = request.path_params["archive"]
    if archive not in ARCHIVES:
        return missing(request)
    found = papers(request).where(archives=archive).sort("announced", descending=True)
    return site.render("list.html", request, name=ARCHIVES[archive], papers=found)


@site.get("/search")
@site.get("/search/")
def simple(request: Request) -> Response:
    params = request.query_params
    words, field = params.get("query", "").strip(), params.get("searchtype", "all")
    found = papers(request).keep(lambda row: bool(words) and _has_words(row, words, field))
    return _results(request, found, advanced=False)


@site.get("/search/advanced")
def advanced(request: Request) -> Response:
    params = request.query_params
    terms = _terms(params)
    errors = _errors(request) if "advanced" in params else []
    if "advanced" not in params or errors:
        return site.render("advanced.html", request, terms=terms, errors=errors, **_choices())
    found = papers(request).keep(lambda row: _fits(row, request, terms))
    return _results(request, found, advanced=True)


def _choices() -> Row:
    return {name: CHOICES[name] for name in CHOICES if name != "people"} | {"sizes": SIZES}


def _results(request: Request, found: Catalogue, *, advanced: bool) -> Response:
    params = request.query_params
    order = params.get("order", "-announced_date_first")
    _, name = ORDERS.get(order, ORDERS["-announced_date_first"])
    size = int(params.get("size", "50")) if params.get("size") in SIZES else 50
    start = int(params["start"]) if re.fullmatch(r"[0-9]{1,6}", params.get("start", "")) else 0
    ordered = found.sort(name, descending=order.startswith("-")) if name else found
    page = ordered.page(start // size + 1, size)
    links = [(number, with_params(request, start=(number - 1) * size)) for number in page.around(5)]
    return site.render(
        "results.html",
        request,
        page=page,
        advanced=advanced,
        asked=advanced or bool(params.get("query", "").strip()),
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


def _fits(row: Row, request: Request, terms: list[Term]) -> bool:
    subject = _fits_subject(row, request.query_params)
    return _fits_terms(row, terms) and subject and _fits_date(row, request)


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
    known = [name for name in FIELDS if name != "all"]
    fields = [field] if field in known else known
    text = _plain(" ".join(row[name] for name in fields))
    parts = re.findall(r'"([^"]+)"|([^\s"]+)', words)
    return all(re.search(rf"\b{re.escape(_plain(a or b))}", text) for a, b in parts)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[-–,;:]", " ", text).casefold().split())


def _fits_subject(row: Row, params: QueryParams) -> bool:
    wanted: set[str] = set()
    physics = params.get("classification-physics_archives", "all")
    for name, (_, archive) in SUBJECTS.items():
        if params.get(f"classification-{name}"):
            wanted |= {archive} if archive else set(PHYSICS if physics == "all" else [physics])
    primary_only = params.get("classification-include_cross_list") == "exclude"
    listed = row["archives"][:1] if primary_only else row["archives"]
    return not wanted or bool(wanted & set(listed))


def _fits_date(row: Row, request: Request) -> bool:
    types = CHOICES["date_types"]
    kind = request.query_params.get("date-date_type", "")
    _, field = types.get(kind, types["submitted_date"])
    first, last = _bounds(request)
    return bool(first.isoformat() <= row[field] <= last.isoformat())


def _bounds(request: Request) -> tuple[date, date]:
    params = request.query_params
    kind = params.get("date-filter_by", "all_dates")
    texts = ("", "")
    if kind == "date_range":
        texts = (params.get("date-from_date", ""), params.get("date-to_date", ""))
    if kind == "specific_year":
        texts = (params.get("date-year", ""),) * 2
    if kind == "past_12":
        now = edition_of(request).now.date()
        texts = (now.replace(year=now.year - 1).isoformat(), "")
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


def _errors(request: Request) -> list[str]:
    params = request.query_params
    kind = params.get("date-filter_by", "all_dates")
    if kind == "specific_year" and not _span(params.get("date-year", "")):
        return ["Please enter a year of four digits."]
    if kind != "date_range":
        return []
    given = [params.get(f"date-{end}_date", "") for end in ("from", "to")]
    if not any(text.strip() for text in given):
        return ["Must select start and/or end date(s)."]
    if not all(_span(text) for text in given if text.strip()):
        return ["Dates have to look like 2012, 2012-02 or 2012-02-01."]
    first, last = _bounds(request)
    return ["End date must be later than start date."] if last < first else []


@site.get("/help")
@site.get("/help/{page:path}")
def moved_help(request: Request) -> Response:
    name = request.path_params.get("page", "").removesuffix(".html").strip("/") or "index"
    return RedirectResponse(f"https://{HELP}/help/{name}.html", status_code=301)


# -- single papers ---------------------------------------------------------------------------------


@site.get("/abs/{paper:path}")
def abstract(request: Request) -> Response:
    asked = re.fullmatch(r"(.+?)(?:v(\d+))?/?", request.path_params["paper"])
    row = _paper(request)
    if row is None or asked is None:
        return missing(request)
    number = int(asked[2] or len(row["versions"]))
    if not 1 <= number <= len(row["versions"]):
        return missing(request)
    forms = _forms(row, asked[1] + (f"v{asked[2]}" if asked[2] else ""), number)
    values = {"paper": row, "version": number, "forms": forms, "archives": ARCHIVES}
    return site.render("abs.html", request, shown=request.path_params["paper"], **values)


def _forms(row: Row, asked: str, number: int) -> list[tuple[str, str, str]]:
    """Address, label and hook of each full text."""
    forms = [(f"/pdf/{asked}", "View PDF", "download-pdf")]
    if row["html"]:
        forms.append((f"/html/{row['id']}v{number}", "HTML (experimental)", "latexml"))
    if row["source"] and number == len(row["versions"]):
        forms.append((f"/src/{asked}", "TeX Source", "download-eprint"))
    return [*forms, (f"/format/{asked}", "Other Formats", "download-format")]


@site.get("/pdf/{paper:path}")
def pdf_file(request: Request) -> Response:
    row = _paper(request)
    if row is None:
        return missing(request)
    return pdf([row["title"], row["author"], "", row["abstract"]], name=f"{row['id']}.pdf")


@site.get("/{form:str}/{paper:path}")
def full_text(request: Request) -> Response:
    row, form = _paper(request), request.path_params["form"]
    if row is None or form not in ("html", "src", "format") or (form == "html" and not row["html"]):
        return missing(request)
    return site.render("full.html", request, paper=row, form=form)


def _paper(request: Request) -> Row | None:
    name = re.sub(r"v\d+$", "", request.path_params["paper"].rstrip("/"))
    return papers(request).one(id=name)


# -- taxonomy and help -----------------------------------------------------------------------------


@site.get("/category_taxonomy")
def taxonomy(request: Request) -> Response:
    edition = edition_of(request)
    groups = {name: dict(listed) for name, listed in TAXONOMY.items()}
    for name, spare in CHOICES["spare_categories"].items():
        groups[name].update(edition.draw(name).sample(sorted(spare.items()), 2))
    ordered = {name: dict(sorted(listed.items())) for name, listed in sorted(groups.items())}
    return site.render("taxonomy.html", request, groups=ordered)


def help_facts(edition: Edition) -> Row:
    draw = edition.draw("help")
    archive, code, name = draw.choice(CHOICES["short_codes"])
    other, long_name, dropped = draw.choice(CHOICES["long_names"])
    return {
        "archive": archive,
        "code": code,
        "name": name,
        "other": other,
        "long_name": long_name,
        "dropped": dropped,
        "person": draw.choice(CHOICES["subscribers"]),
    }


book = Handbook(site, facts=help_facts, host=HELP)
book.search_at("/search.html", "help_search.html")


@site.get("/", host=HELP)
@site.get("/help", host=HELP)
@site.get("/help/", host=HELP)
def help_start(_request: Request) -> Response:
    return RedirectResponse("/help/index.html")


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
