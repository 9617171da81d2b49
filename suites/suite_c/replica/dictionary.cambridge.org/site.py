"""Replica of the Cambridge Dictionary.

Consent kept in cookies, choice of dictionary, suggestions, entries, thesaurus.
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote, urlencode

from pytest_webbench.world.kit import (
    Catalogue,
    JSONResponse,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    slugify,
)

site = Site(__file__)
entries = Catalogue([{**row, "slug": slugify(row["word"])} for row in site.data("entries")])
articles = Catalogue(site.data("articles"))
SLOW = 0.2
ESSENTIAL_TITLE = "meaning in the Essential {} English Dictionary"
DICTIONARIES: dict[str, Row] = {
    slug: {"label": label, "key": key, "title": title}
    for slug, label, key, title in [
        ("english", "English", "en", "English meaning"),
        (
            "essential-british-english",
            "Essential British English",
            "gb",
            ESSENTIAL_TITLE.format("British"),
        ),
        (
            "essential-american-english",
            "Essential American English",
            "us",
            ESSENTIAL_TITLE.format("American"),
        ),
        ("english-french", "English–French", "fr", "translate English to French"),
        ("english-spanish", "English–Spanish", "es", "translate English to Spanish"),
    ]
}
ESSENTIAL = ("gb", "us")


@site.get("/")
@site.get("/dictionary/{dictionary}/")
def home(request: Request) -> Response:
    slug = request.path_params.get("dictionary", "english")
    if slug not in DICTIONARIES:
        return _missing(request)
    return _page("home.html", request, slug, words=entries.rows[1::3])


@site.get("/dictionary/{dictionary}/{word}")
def entry(request: Request) -> Response:
    slug = request.path_params["dictionary"]
    row = entries.one(slug=request.path_params["word"])
    if row is None or slug not in DICTIONARIES:
        return _missing(request)
    key = DICTIONARIES[slug]["key"]
    blocks = [
        {**block, "senses": [_sense(sense, key) for sense in _senses(block, key)]}
        for block in row["blocks"]
    ]
    return _page("entry.html", request, slug, entry=row, blocks=blocks, key=key, near=_near(row))


@site.get("/search/direct/")
def search(request: Request) -> Response:
    slug = request.query_params.get("datasetsearch", "english")
    word = " ".join(request.query_params.get("q", "").split())
    if slug not in DICTIONARIES or not word:
        return RedirectResponse("/", 302)
    if entries.one(slug=slugify(word)):
        return RedirectResponse(f"/dictionary/{slug}/{slugify(word)}", 302)
    return RedirectResponse(f"/spellcheck/{slug}/?{urlencode({'q': word})}", 302)


@site.get("/spellcheck/{dictionary}/")
def spellcheck(request: Request) -> Response:
    slug, word = request.path_params["dictionary"], request.query_params.get("q", "")
    if slug not in DICTIONARIES:
        return _missing(request)
    return _page("spellcheck.html", request, slug, word=word, near=_beginning(word[:2]))


@site.get("/autocomplete/amp")
async def autocomplete(request: Request) -> Response:
    await asyncio.sleep(SLOW)
    slug = request.query_params.get("dataset", "english")
    found = _beginning(request.query_params.get("q", "").strip()) if slug in DICTIONARIES else []
    return JSONResponse(
        [{"word": row["word"], "url": f"/dictionary/{slug}/{quote(row['slug'])}"} for row in found]
    )


@site.get("/thesaurus/")
def thesaurus(request: Request) -> Response:
    return _page("thesaurus.html", request, "english", articles=articles.rows)


@site.get("/thesaurus/articles/{article}")
def article(request: Request) -> Response:
    row = articles.one(slug=request.path_params["article"])
    if row is None:
        return _missing(request)
    return _page("article.html", request, "english", article=row)


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return _page("missing.html", request, "english", status=404)


def _page(
    template: str, request: Request, slug: str, *, status: int = 200, **values: Any
) -> Response:
    chosen = {"slug": slug, **DICTIONARIES[slug]}
    return site.render(
        template, request, status=status, dictionaries=DICTIONARIES, dictionary=chosen, **values
    )


def _senses(block: Row, key: str) -> list[Row]:
    """All senses; the essential dictionaries leave out those without examples there."""
    with_own = [sense for sense in block["senses"] if key in sense.get("more", {})]
    return with_own or block["senses"][:1] if key in ESSENTIAL else block["senses"]


def _sense(sense: Row, key: str) -> Row:
    """A sense in one dictionary: its translation, further examples as (sentence, translation)."""
    pairs = [line.partition(" | ") for line in sense.get("more", {}).get(key, [])]
    more = [(sentence, translation) for sentence, _, translation in pairs]
    return {
        "article": None,
        **sense,
        "examples": sense.get("own", {}).get(key) or sense["examples"],
        "translation": sense[key] if key in ("es", "fr") else "",
        "more": more,
    }


def _beginning(text: str) -> list[Row]:
    """Headwords that begin with a text, shortest first."""
    found = [row for row in entries if text and row["word"].startswith(text.casefold())]
    return sorted(found, key=lambda row: (len(row["word"]), row["word"]))[:10]


def _near(row: Row) -> list[Row]:
    words = sorted(entries, key=lambda other: other["word"])
    place = words.index(row)
    return words[max(0, place - 4) : place + 5]
