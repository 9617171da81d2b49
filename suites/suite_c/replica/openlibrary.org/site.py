"""Replica of Open Library.

Search with facets and sort menu, works with a table of editions, editions, authors.
"""

from __future__ import annotations

from typing import NamedTuple

from starlette.datastructures import QueryParams

from pytest_webbench.world.kit import (
    Catalogue,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    with_params,
)

site = Site(__file__)
AUTHORS: dict[str, str] = site.data("authors")
LANGUAGES = {
    "dut": "Dutch",
    "eng": "English",
    "est": "Estonian",
    "fin": "Finnish",
    "fre": "French",
    "ger": "German",
    "ita": "Italian",
    "jpn": "Japanese",
    "pol": "Polish",
    "por": "Portuguese",
    "spa": "Spanish",
    "swe": "Swedish",
}
PUBLISHERS = {
    "eng": [
        "Penguin Classics",
        "Oxford University Press",
        "Signet",
        "Berkley",
        "Dover",
        "Collins",
        "Puffin",
    ],
    "fre": ["Hachette", "Gallimard", "Le Livre de Poche"],
    "ger": ["Insel", "Fischer", "Reclam"],
    "spa": ["Alianza", "Anaya", "Espasa"],
    "ita": ["Mondadori", "Rizzoli", "Einaudi"],
    "por": ["Zahar", "L&PM"],
    "jpn": ["Shinchosha", "Hayakawa"],
    "pol": ["Algo", "Iskry"],
    "dut": ["Prisma"],
    "swe": ["Bonniers"],
    "est": ["Eesti Raamat"],
    "fin": ["WSOY", "Otava"],
}
FORMATS = ["Paperback", "Hardcover", "E-book", "Paperback", "Audio CD"]
FACETS = {
    "has_fulltext": ("Readable Only", "has_fulltext"),
    "language": ("Language", "language"),
    "author_key": ("Author", "author_key"),
    "subject_facet": ("Subjects", "subjects"),
    "first_publish_year": ("First published", "published"),
}
SORTS = {
    "": ("Relevance", "", False),
    "editions": ("Most Editions", "count", True),
    "old": ("First Published", "year", False),
    "new": ("Most Recent", "year", True),
    "title": ("Title", "title", False),
}
SHOWN, PER_PAGE, NEWEST_YEAR = 5, 10, 2016


class Entry(NamedTuple):
    """A facet's value: its label, how many hits have it, where choosing or dropping it leads."""

    label: str
    hits: int
    href: str


def _complete(row: Row) -> Row:
    return row | {
        "olid": f"OL{row['id']}W",
        "slug": _slug(row["title"]),
        "author": AUTHORS[row["author_key"]],
        "has_fulltext": "false" if row["ebook"] == "none" else "true",
        "published": str(row["year"]),
        "count": row["copies"] + len(row["known"]),
    }


def _slug(title: str) -> str:
    return "_".join("".join(char if char.isalnum() else " " for char in title).split())


works = Catalogue([_complete(row) for row in site.data("works")])


@site.get("/")
def home(request: Request) -> Response:
    classics = works.where(ebook="public").sort("count", descending=True).rows[:6]
    return site.render(
        "home.html", request, classics=classics, recent=works.sort("year", descending=True).rows[:6]
    )


@site.get("/search")
def search(request: Request) -> Response:
    params = request.query_params
    order = params.get("sort", "") if params.get("sort", "") in SORTS else ""
    found = _found(params)
    _, name, descending = SORTS[order]
    page = (found.sort(name, descending=descending) if name else found).page(
        params.get("page"), PER_PAGE
    )
    return site.render(
        "search.html",
        request,
        page=page,
        asked=_is_asked(params),
        order=order,
        sorts=SORTS,
        shown=SHOWN,
        facets=_facets(request, found),
        chosen=_chosen(request),
        heading=_heading(params),
    )


def _is_asked(params: QueryParams) -> bool:
    return bool(params.get("q", "").strip()) or any(params.get(name) for name in FACETS)


def _found(params: QueryParams) -> Catalogue:
    if not _is_asked(params):
        return Catalogue()
    found = works.search(params.get("q", "").replace('"', " "), "title", "author", "subjects")
    for name, (_, field) in FACETS.items():
        for value in params.getlist(name):
            found = found.where(**{field: value})
    return found


def _facets(request: Request, found: Catalogue) -> list[tuple[str, str, list[Entry]]]:
    groups = []
    for name, (label, field) in FACETS.items():
        chosen = [value for value in request.query_params.getlist(name) if value]
        if name == "has_fulltext":
            continue
        entries = [
            Entry(
                _label(name, value),
                count,
                with_params(request, page=None, **{name: [*chosen, value]}),
            )
            for value, count in found.counts(field)
            if value not in chosen
        ]
        if entries:
            groups.append((name, label, entries))
    return groups


def _chosen(request: Request) -> list[Entry]:
    return [
        Entry(_label(name, value), 0, _without(request, name, value))
        for name in FACETS
        for value in request.query_params.getlist(name)
        if value
    ]


def _without(request: Request, name: str, value: str) -> str:
    kept = [one for one in request.query_params.getlist(name) if one != value]
    return with_params(request, page=None, **{name: kept})


def _label(name: str, value: str) -> str:
    if name == "has_fulltext":
        return "Readable Only" if value == "true" else value
    return LANGUAGES.get(value, value) if name == "language" else AUTHORS.get(value, value)


def _heading(params: QueryParams) -> str:
    words = [
        params.get("q", "").strip(),
        "Readable Only" if params.get("has_fulltext") == "true" else "",
    ]
    words += [_label("language", value) for value in params.getlist("language")]
    return ", ".join(word for word in words if word)


@site.get("/works/{olid}")
@site.get("/works/{olid}/{slug}")
def work(request: Request) -> Response:
    row = works.one(olid=request.path_params["olid"])
    if row is None:
        return missing(request)
    if "slug" not in request.path_params:
        return RedirectResponse(f"/works/{row['olid']}/{row['slug']}", 301)
    return site.render("work.html", request, work=row, editions=_editions(row), languages=LANGUAGES)


@site.get("/books/{olid}")
@site.get("/books/{olid}/{slug}")
def edition(request: Request) -> Response:
    olid = request.path_params["olid"]
    row = works.one(olid=f"{olid[:-3]}W")
    found = [one for one in _editions(row) if one["olid"] == olid] if row else []
    if row is None or not found:
        return missing(request)
    return site.render("edition.html", request, work=row, edition=found[0], languages=LANGUAGES)


def _editions(row: Row) -> list[Row]:
    """The work's editions, newest first: those in the data, and plausible others."""
    listed = {language for _, _, language, _ in row["known"]}
    languages = [language for language in row["language"] if language not in listed] or ["eng"]
    made = [_made(row, number, languages) for number in range(row["copies"])]
    rows = [(number, *values) for number, values in enumerate(made)]
    rows += [(50 + number, *values) for number, values in enumerate(row["known"])]
    editions = [_edition(row, *values) for values in rows]
    return sorted(editions, key=lambda one: (-one["year"], one["olid"]))


def _made(row: Row, number: int, languages: list[str]) -> tuple[int, str, str, str]:
    language = (
        "eng" if number % 2 == 0 and "eng" in languages else languages[number // 2 % len(languages)]
    )
    publishers = PUBLISHERS[language]
    year = row["year"] + number * 11 % (NEWEST_YEAR - row["year"])
    return year, publishers[number // 2 % len(publishers)], language, FORMATS[number % len(FORMATS)]


def _edition(row: Row, number: int, year: int, publisher: str, language: str, form: str) -> Row:
    title = row["titles"].get(language, row["title"])
    return {
        "olid": f"OL{row['id'] * 100 + number}M",
        "slug": _slug(title),
        "title": title,
        "year": year,
        "publisher": publisher,
        "language": language,
        "format": form,
        "read": row["ebook"] if number % 3 == 0 else "none",
    }


@site.get("/authors/{key}")
@site.get("/authors/{key}/{slug}")
def author(request: Request) -> Response:
    key = request.path_params["key"]
    if key not in AUTHORS:
        return missing(request)
    return site.render(
        "author.html", request, name=AUTHORS[key], works=works.where(author_key=key).sort("year")
    )


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
