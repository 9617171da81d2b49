"""Handbooks: sites of pages that are read, from one content file.

``content.yaml`` maps the path of each page to what it holds:

    /:
      title: Harbour Council
    /housing/grants:
      title: Grants for repairs
      label: Grants                       # in menus and breadcrumbs; else the title
      menu: true                          # one of the main menu's links
      under: /housing                     # its parent; else the nearest page above it in the path
      related: [/housing/loans]
      summary: What you can get.          # found by search, and shown there
      template: grant.html                # else the layout, page.html
      fields: {fee: 40}                   # anything else that the template needs
      body: |
        A grant pays **{{ facts.share }} %** of the costs.

        | size | most |
        |------|------|
        | S    | £400 |

Bodies are Markdown with tables; before that, they are Jinja templates that see ``facts``, what the
site draws from its edition, ``page`` and ``now``. The site's own template decides how all of it
looks:

    site = Site(__file__)
    book = Handbook(site, facts=lambda edition: {"share": edition.draw("share").randrange(20, 60)})
    book.search_at("/search")
    book.sitemap_at("/sitemap")
    book.missing()

Its ``page.html`` may begin with ``{% extends "handbook.html" %}``, the kit's plain page of menu,
breadcrumbs, body, pages below and related ones, and replace any of its blocks (``header``,
``crumbs``, ``main``, ``below``, ``related``, ``footer`` ...). Search results, sitemap and the page
for unknown addresses extend the site's ``page.html`` in turn (or another ``layout``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from .catalogue import matches_words, page_of
from .editions import Edition, edition_of
from .site import Site

Facts = Mapping[str, Any]
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": True}).enable("table")
_BODIES: Final = Environment(
    autoescape=False,  # what it makes is Markdown, by the site's author
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_KNOWN: Final = frozenset(
    ("title", "label", "menu", "under", "related", "summary", "template", "fields", "body")
)


@dataclass(frozen=True)
class HandbookPage:
    """One page as its content file tells it."""

    path: str
    title: str
    label: str
    menu: bool = False
    under: str | None = None
    related: tuple[str, ...] = ()
    summary: str = ""
    template: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""


class Handbook:
    """Pages from the content file ``name`` of a site, each served at its path.

    ``more`` are further pages, as the content file would hold them: those that code makes of data.
    ``layout`` is the template of pages that name none, and what search and sitemap extend.
    ``facts`` draws from an edition what bodies and templates show. Templates see ``page`` (a
    `HandbookPage`), ``html`` (its body), ``facts``, ``book`` (this object) and ``now``.
    """

    search_path = ""
    """Where `search_at` has put the search; the parameter of its words is ``search_parameter``."""
    search_parameter = "q"
    sitemap_path = ""

    def __init__(
        self,
        site: Site,
        name: str = "content",
        *,
        facts: Callable[[Edition], Facts] = lambda _edition: {},
        more: Mapping[str, Any] | None = None,
        layout: str = "page.html",
        host: str = "",
    ) -> None:
        self.layout = layout
        self._site, self._host = site, host
        self._facts = cache(facts)
        self._html = cache(self._made)
        content = {**site.data(name), **(more or {})}
        self.pages = {path: _page(path, given) for path, given in content.items()}
        self._require_known_paths()
        for page in self.pages.values():
            site.get(page.path, host=host)(lambda request, page=page: self.show(page, request))

    def show(self, page: HandbookPage, request: Request, **more: Any) -> Response:
        """A page made from its template; ``more`` are further values for it."""
        html = self.html(page, request)
        return self.render(page.template or self.layout, request, page=page, html=html, **more)

    def html(self, page: HandbookPage, request: Request) -> Markup:
        """A page's body, for a page that shows several."""
        return self._html(page.path, edition_of(request))

    def render(
        self, template: str, request: Request, *, status: int = 200, **more: Any
    ) -> Response:
        """A page that is not in the content file but belongs to the same site."""
        edition = edition_of(request)
        values = {"facts": self._facts(edition), "book": self, "now": edition.now, **more}
        return self._site.render(template, request, status=status, **values)

    def facts(self, request: Request) -> Facts:
        """What the edition of a request has drawn."""
        return self._facts(edition_of(request))

    def _made(self, path: str, edition: Edition) -> Markup:
        page = self.pages[path]
        values = {"facts": self._facts(edition), "page": page, "now": edition.now}
        return Markup(_MARKDOWN.render(_BODIES.from_string(page.body).render(values)))

    # -- how pages belong together -----------------------------------------------------------------

    @cached_property
    def menu(self) -> list[HandbookPage]:
        """The pages of the main menu, in the order of the content file."""
        return [page for page in self.pages.values() if page.menu]

    def parent(self, page: HandbookPage) -> HandbookPage | None:
        """The page above; None for the top one."""
        if page.under is not None:
            return self.pages[page.under]
        above = page.path.rstrip("/")
        while above:
            above = above.rpartition("/")[0]
            for path in (above, f"{above}/"):
                if path in self.pages and path != page.path:
                    return self.pages[path]
        return None

    def trail(self, page: HandbookPage) -> list[HandbookPage]:
        """The pages above, from the top one to the nearest: what breadcrumbs show."""
        found: list[HandbookPage] = []
        above = self.parent(page)
        while above is not None and above not in found:
            found.insert(0, above)
            above = self.parent(above)
        return found

    def children(self, page: HandbookPage) -> list[HandbookPage]:
        """The pages right below."""
        return [one for one in self.pages.values() if self.parent(one) is page]

    def related(self, page: HandbookPage) -> list[HandbookPage]:
        """The pages that it names as related."""
        return [self.pages[path] for path in page.related]

    def search(self, query: str, request: Request) -> list[HandbookPage]:
        """Pages that hold every word, the best match first; titles count most."""
        edition = edition_of(request)
        ranked = [
            (matches_words(query, [page.title, page.summary, self._text(page, edition)]), page)
            for page in self.pages.values()
        ]
        hits = [pair for pair in ranked if pair[0]] if query.strip() else []
        return [page for _, page in sorted(hits, key=lambda pair: -pair[0])]

    def _text(self, page: HandbookPage, edition: Edition) -> str:
        return self._html(page.path, edition).striptags()

    def __iter__(self) -> Iterator[HandbookPage]:
        return iter(self.pages.values())

    # -- pages that every such site has ------------------------------------------------------------

    def search_at(
        self,
        path: str,
        template: str = "handbook-search.html",
        *,
        parameter: str = "q",
        size: int = 10,
    ) -> None:
        """Serves a search; the template sees ``query`` and ``hits``, a `PageOf` pages."""
        self.search_path, self.search_parameter = path, parameter

        def search(request: Request) -> Response:
            query = request.query_params.get(parameter, "")
            found = self.search(query, request)
            hits = page_of(found, request.query_params.get("page"), size)
            return self.render(template, request, query=query, hits=hits)

        self._site.get(path, host=self._host)(search)

    def sitemap_at(self, path: str, template: str = "handbook-sitemap.html") -> None:
        """Serves a page that lists all others."""
        self.sitemap_path = path
        self._site.get(path, host=self._host)(lambda request: self.render(template, request))

    def missing(self, template: str = "handbook-missing.html") -> None:
        """Answers unknown addresses of the site, with status 404."""
        self._site.not_found(lambda request: self.render(template, request, status=404))

    def _require_known_paths(self) -> None:
        for page in self.pages.values():
            named = [*page.related, *([page.under] if page.under is not None else [])]
            unknown = [path for path in named if path not in self.pages]
            if unknown:
                raise ValueError(f"{page.path}: there is no page {', '.join(unknown)}")


def _page(path: str, given: Mapping[str, Any]) -> HandbookPage:
    unknown = sorted(set(given) - _KNOWN)
    if unknown or "title" not in given:
        wrong = f"unknown {', '.join(unknown)}" if unknown else "no title"
        raise ValueError(f"{path}: {wrong}; a page has {', '.join(sorted(_KNOWN))}")
    values = {"label": given["title"], **given, "related": tuple(given.get("related", ()))}
    return HandbookPage(path=path, **values)
