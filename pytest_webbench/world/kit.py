"""Site kit: what replica sites are built from.

A site is a folder ``replica/<host>/`` with ``site.py`` (holding ``site = Site(__file__)``), Jinja templates under
``templates/`` and files under ``static/``. Sites keep no state on the server: what a visitor does lives in the URL,
in cookies or in storage, so that episodes cannot see each other.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import urlencode

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

__all__ = [
    "Catalogue",
    "JSONResponse",
    "PageOf",
    "RedirectResponse",
    "Request",
    "Response",
    "Row",
    "Site",
    "matches_words",
    "slugify",
    "with_params",
]

Row: TypeAlias = dict[str, Any]
T = TypeVar("T")
Handler: TypeAlias = Callable[[Request], Response | Awaitable[Response]]

HandlerT = TypeVar("HandlerT", bound=Handler)


class Site:
    """One replica site: hosts, routes, templates.

    ``hosts`` defaults to the folder's name and the same with ``www.`` in front (or without it).
    """

    def __init__(self, file: str, *, hosts: Iterable[str] = ()) -> None:
        self.folder = Path(file).resolve().parent
        name = self.folder.name
        twin = name.removeprefix("www.") if name.startswith("www.") else f"www.{name}"
        self.hosts = (name, twin, *hosts)
        self._routes: list[BaseRoute] = []
        self._missing: Callable[[Request], Awaitable[Response]] | None = None

    def get(self, path: str, *, methods: Iterable[str] = ("GET",)) -> Callable[[HandlerT], HandlerT]:
        """Registers a handler for a path; ``{name}`` and ``{name:path}`` capture parts of it."""

        def register(handler: HandlerT) -> HandlerT:
            self._routes.append(Route(path, _endpoint(handler), methods=list(methods)))
            return handler

        return register

    def data(self, name: str) -> Any:
        """The content of ``<name>.yaml`` or ``<name>.json`` in the site's folder."""
        path = self.folder / f"{name}.json"
        path = path if path.exists() else path.with_suffix(".yaml")
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader=_fast_loader())

    @cached_property
    def _templates(self) -> Environment:
        environment = Environment(
            loader=FileSystemLoader(self.folder / "templates"), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        environment.globals["with_params"] = with_params
        environment.filters["thousands"] = lambda value: f"{value:,}"
        return environment

    def render(self, template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
        """A page made from a template, which also sees ``request``."""
        page = self._templates.get_template(template).render(request=request, **values)
        return HTMLResponse(page, status_code=status)

    def not_found(self, handler: HandlerT) -> HandlerT:
        """Registers the page for unknown addresses."""
        self._missing = _endpoint(handler)
        return handler

    @cached_property
    def app(self) -> Starlette:
        """The site as an ASGI application."""
        static = self.folder / "static"
        files = [Mount("/static", StaticFiles(directory=static))] if static.is_dir() else []
        routes = [*files, *self._routes, Route("/favicon.ico", _no_icon)]
        return Starlette(routes=routes, exception_handlers={404: self._answer_missing})

    async def _answer_missing(self, request: Request, _error: Exception) -> Response:
        """The site's own page for unknown addresses."""
        return await self._missing(request) if self._missing else Response("Not Found", status_code=404)


async def _no_icon(_request: Request) -> Response:
    """Browsers ask for one; an error in the console would be noise."""
    return Response(status_code=204)


def _fast_loader() -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        answer = handler(request) if asyncio.iscoroutinefunction(handler) else await run_in_threadpool(handler, request)
        return await answer if isinstance(answer, Awaitable) else answer

    return endpoint


@dataclass(frozen=True, slots=True)
class PageOf(Generic[T]):
    """One page of a list; ``number`` counts from 1."""

    items: list[T]
    number: int
    size: int
    total: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, math.ceil(self.total / self.size))

    @property
    def first(self) -> int:
        """Position of the first item, from 1; 0 if the list is empty."""
        return (self.number - 1) * self.size + 1 if self.total else 0

    @property
    def last(self) -> int:
        """Position of the last item."""
        return min(self.number * self.size, self.total)

    def around(self, reach: int = 2) -> list[int]:
        """Page numbers near this one, for a row of links."""
        return list(range(max(1, self.number - reach), min(self.pages, self.number + reach) + 1))


@dataclass(frozen=True)
class Catalogue:
    """Rows that can be searched, filtered, counted, sorted and paged; every method returns a new catalogue."""

    rows: list[Row] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Any:
        return iter(self.rows)

    def search(self, query: str, *fields: str) -> Catalogue:
        """Rows in which every word of ``query`` occurs in one of ``fields``; best match (in field order) first."""
        if not query.strip():
            return self
        ranked = [(rank, row) for row in self.rows if (rank := matches_words(query, [row.get(f) for f in fields]))]
        ranked.sort(key=lambda pair: -pair[0])
        return Catalogue([row for _, row in ranked])

    def where(self, **wanted: Any) -> Catalogue:
        """Rows whose fields equal the wanted values; a list field has to contain it; None and "" are ignored."""
        rows = self.rows
        for name, value in wanted.items():
            if value not in (None, "", []):
                rows = [row for row in rows if _has(row.get(name), value)]
        return Catalogue(rows)

    def keep(self, condition: Callable[[Row], bool]) -> Catalogue:
        """Rows that meet a condition."""
        return Catalogue([row for row in self.rows if condition(row)])

    def sort(self, name: str, *, descending: bool = False) -> Catalogue:
        """By one field; equal rows keep their order."""
        return Catalogue(sorted(self.rows, key=lambda row: row[name], reverse=descending))

    def counts(self, name: str) -> list[tuple[Any, int]]:
        """How often each value of a field occurs, most frequent first: what facets show."""
        tally: Counter[Any] = Counter()
        for row in self.rows:
            value = row.get(name)
            tally.update(value if isinstance(value, list) else [value] if value not in (None, "") else [])
        return sorted(tally.items(), key=lambda pair: (-pair[1], str(pair[0])))

    def one(self, **wanted: Any) -> Row | None:
        """The first row that has the wanted values."""
        return next(iter(self.where(**wanted).rows), None)

    def page(self, number: int | str | None, size: int) -> PageOf[Row]:
        """One page; a number out of range gives the nearest page."""
        last = max(1, math.ceil(len(self.rows) / size))
        text = str(number or "")
        wanted = int(text) if text.isdecimal() and len(text) < 10 else 1
        chosen = min(max(1, wanted), last)
        return PageOf(self.rows[(chosen - 1) * size : chosen * size], chosen, size, len(self.rows))


def _has(actual: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return any(_has(actual, one) for one in wanted)
    return wanted in actual if isinstance(actual, list) else actual == wanted


def matches_words(query: str, texts: Iterable[Any]) -> int:
    """How well ``query`` matches: 0 if a word is found nowhere, more if words stand in earlier texts."""
    haystacks = [" ".join(map(str, text)) if isinstance(text, list) else str(text or "") for text in texts]
    lowered = [haystack.casefold() for haystack in haystacks]
    score = 0
    for word in query.casefold().split():
        places = [position for position, haystack in enumerate(lowered) if word in haystack]
        if not places:
            return 0
        whole_word = re.search(rf"\b{re.escape(word)}\b", lowered[places[0]]) is not None
        score += 10 * (len(lowered) - places[0]) + 5 * whole_word
    return score


def with_params(request: Request, **changes: Any) -> str:
    """This page's address with query parameters changed; None removes one, a list repeats it."""
    pairs = [(key, value) for key, value in request.query_params.multi_items() if key not in changes]
    for key, value in changes.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        pairs.extend((key, str(one)) for one in values)
    return request.url.path + (f"?{urlencode(pairs)}" if pairs else "")


def slugify(text: str) -> str:
    """``Redis Object Cache`` as ``redis-object-cache``."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")


def plain(mapping: Mapping[str, Any]) -> Row:
    """A mapping as a row."""
    return dict(mapping)
