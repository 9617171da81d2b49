"""Replica of Project Gutenberg.

Quick search, advanced search, author pages, bookshelves, book pages.
"""

from __future__ import annotations

from pytest_webbench.world.kit import (
    Catalogue,
    PageOf,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
)

site = Site(__file__)
AUTHORS: dict[str, str] = site.data("authors")
LANGUAGES = {
    "nl": "Dutch",
    "en": "English",
    "fi": "Finnish",
    "fr": "French",
    "de": "German",
    "it": "Italian",
    "es": "Spanish",
}
CATEGORIES = {"1": "Audio Book, human-read", "4": "Music, Sheet", "8": "Data"}
SORTS = {
    "downloads": ("by popularity", "downloads", True),
    "title": ("alphabetically", "title", False),
    "release_date": ("by release date", "released", True),
}
SHELVES = {
    "best-books": "Best Books Ever Listings",
    "adventure": "Adventure",
    "historical-fiction": "Historical Fiction",
    "science-fiction": "Science Fiction",
    "gothic-fiction": "Gothic Fiction",
    "detective-fiction": "Detective Fiction",
    "childrens-literature": "Children's Literature",
}
FIELDS = {"author": "name", "title": "title", "subject": "subjects"}
PER_PAGE = 10


def _complete(row: Row) -> Row:
    name = AUTHORS[row["author"]]
    surname, _, rest = name.partition(", ")
    forename = "" if rest[:1].isdigit() else rest.split(",")[0]
    return row | {
        "name": name,
        "by": f"{forename} {surname}".strip(),
        "language": LANGUAGES[row["lang"]],
    }


books = Catalogue([_complete(row) for row in site.data("books")])


@site.get("/")
def home(request: Request) -> Response:
    newest = books.sort("released", descending=True).rows[:5]
    popular = books.sort("downloads", descending=True).rows[:8]
    return site.render("home.html", request, newest=newest, popular=popular, shelves=SHELVES)


@site.get("/ebooks/")
def advanced(request: Request) -> Response:
    return site.render("advanced.html", request, **_choices(), shelves=SHELVES)


@site.get("/ebooks/results/")
def results(request: Request) -> Response:
    terms = {
        key: request.query_params.get(key, "").strip() for key in (*FIELDS, "lang", "category")
    }
    given = {key: value for key, value in terms.items() if value}
    if list(given) == ["lang"]:
        return RedirectResponse(f"/browse/languages/{given['lang']}", 302)
    found = books if given else Catalogue()
    for key, value in given.items():
        found = _narrow(found, key, value)
    page = found.sort("id").sort("name").page(request.query_params.get("pageno"), PER_PAGE)
    selected = [
        (*_describe(key, value), len(_narrow(books, key, value))) for key, value in given.items()
    ]
    return site.render("results.html", request, page=page, selected=selected, **_choices())


def _choices() -> Row:
    return {"languages": LANGUAGES, "categories": CATEGORIES}


def _narrow(found: Catalogue, key: str, value: str) -> Catalogue:
    return found.search(value, FIELDS[key]) if key in FIELDS else found.where(**{key: value})


def _describe(key: str, value: str) -> tuple[str, str]:
    if key == "lang":
        return "Language", LANGUAGES.get(value, value)
    return ("Category", CATEGORIES.get(value, value)) if key == "category" else (key.title(), value)


@site.get("/browse/languages/{code}")
def language(request: Request) -> Response:
    code = request.path_params["code"]
    if code not in LANGUAGES:
        return missing(request)
    found = books.where(lang=code)
    return _listing(request, found, f"Books in {LANGUAGES[code]}")


@site.get("/browse/scores/top")
def top(request: Request) -> Response:
    return site.render("top.html", request, rows=books.sort("downloads", descending=True).rows[:25])


@site.get("/ebooks/search/")
def search(request: Request) -> Response:
    query = request.query_params.get("query", "").strip()
    code = next((word[2:] for word in query.split() if word.startswith("l.")), None)
    words = " ".join(word for word in query.split() if not word.startswith("l."))
    found = books.search(words, "title", "name", "subjects").where(lang=code)
    return _listing(request, found, f"Books: {query}" if query else "Books")


@site.get("/ebooks/author/{number}")
def author(request: Request) -> Response:
    name = AUTHORS.get(request.path_params["number"])
    if name is None:
        return missing(request)
    return _listing(request, books.where(author=request.path_params["number"]), f"Books by {name}")


@site.get("/ebooks/bookshelf/")
def bookshelves(request: Request) -> Response:
    return site.render("shelves.html", request, shelves=SHELVES)


@site.get("/ebooks/bookshelf/{shelf}")
def bookshelf(request: Request) -> Response:
    shelf = request.path_params["shelf"]
    if shelf not in SHELVES:
        return missing(request)
    return _listing(request, books.where(shelf=shelf), f"{SHELVES[shelf]} Bookshelf")


def _listing(request: Request, found: Catalogue, heading: str) -> Response:
    order = request.query_params.get("sort_order", "")
    order = order if order in SORTS else "downloads"
    label, name, descending = SORTS[order]
    page = _page_at(
        found.sort(name, descending=descending), request.query_params.get("start_index", "")
    )
    title = f"{heading} (sorted {label})"
    return site.render("list.html", request, title=title, page=page, order=order, sorts=SORTS)


def _page_at(found: Catalogue, start: str) -> PageOf[Row]:
    return found.page((max(_number(start), 1) - 1) // PER_PAGE + 1, PER_PAGE)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


@site.get("/ebooks/{number}.txt.utf-8")
def plain_text(request: Request) -> Response:
    row = _book(request)
    if row is None:
        return missing(request)
    return Response(f"{row['title']}\n\n{row['name']}\n", media_type="text/plain")


@site.get("/ebooks/{number}")
def book(request: Request) -> Response:
    row = _book(request)
    if row is None:
        return missing(request)
    return site.render("book.html", request, book=row, categories=CATEGORIES, shelves=SHELVES)


def _book(request: Request) -> Row | None:
    return books.one(id=_number(request.path_params["number"]))


def missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404)


site.not_found(missing)
