"""What sites of the local world are built from: a `Site` whose pages know a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..._text import sanitize, sanitize_deep
from ...evidence.bodies import Body, read_body
from ...evidence.models import ServedRequest
from ...evidence.redact import redact_fields
from ..kit.site import Site
from .state import Row
from .stay import Stay

STAY: Final = "webbench.stay"
"""Key of an ASGI scope under which the world tells which episode asks."""


class Asked(NamedTuple):
    """A request, as the log of an episode notes it."""

    site: str
    request: Request
    body: Body
    may_change: bool

    def noted(self, number: int, status: int, changed: tuple[str, ...]) -> ServedRequest:
        """The line of the log."""
        query: dict[str, list[str]] = {}
        for name, value in self.request.query_params.multi_items():
            query.setdefault(name, []).append(value)
        return ServedRequest(
            number=number,
            site=self.site,
            method=self.request.method,
            path=sanitize(self.request.url.path),
            query=sanitize_deep(query),
            form=redact_fields(sanitize_deep(self.body.form)),
            body=redact_fields(sanitize_deep(self.body.body)),
            status=status,
            changed=changed,
        )


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to a site, and the world in which it is made."""

    request: Request
    site: str
    sent: Mapping[str, list[str]]
    """Fields of the form that was sent."""
    json: Any
    """What was sent as JSON."""
    _stay: Stay

    @property
    def now(self) -> datetime:
        """By the clock of the world, in UTC."""
        return self._stay.now

    @property
    def user(self) -> int | None:
        """Who is signed in here; None if nobody is."""
        return self._stay.user(self.site)

    def sign_in(self, user: int | None) -> None:
        """Let somebody be signed in here, or nobody."""
        self._stay.sign_in(self.site, user)

    def part(self, name: str) -> str:
        """A part of the path, such as ``slug`` in ``/book/{slug}``."""
        return str(self.request.path_params[name])

    def asked(self, name: str) -> str:
        """A parameter of the address; empty if it has none of this name."""
        return self.request.query_params.get(name, "").strip()

    def field(self, name: str) -> str:
        """A field of the form that was sent; empty if it has none of this name."""
        return (self.sent.get(name) or [""])[0].strip()

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """What SQL gives."""
        return [dict(row) for row in self._stay.state.connection.execute(sql, values)]

    def row(self, sql: str, *values: Any) -> Row | None:
        """The first row that SQL gives; None if there is none."""
        return next(iter(self.rows(sql, *values)), None)

    def insert(self, table: str, **values: Any) -> int:
        """Adds a row; its number."""
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        sql = f"insert into {table} ({names}) values ({marks})"
        return int(self._stay.state.connection.execute(sql, [*values.values()]).lastrowid or 0)

    def run(self, sql: str, *values: Any) -> int:
        """Changes rows; how many."""
        return self._stay.state.connection.execute(sql, values).rowcount

    def consequence(self, why: str) -> AbstractContextManager[None]:
        """What is written within is what the site does thereupon, such as stock and receipts.

        Tasks judge what the agent has asked for; they are not to list what follows from it.
        """
        return self._stay.state.consequence(why)

    def notice(self, text: str) -> None:
        """Tell this on the next page of the site."""
        self._stay.notice(self.site, text)

    def notices(self) -> list[str]:
        """What is to be told on this page."""
        return self._stay.notices(self.site)

    def see(self, path: str) -> Response:
        """Leads on to another page, as is right after something was sent."""
        return RedirectResponse(path, status_code=303)


Answer: TypeAlias = Callable[[Visit], Response]


class LocalSite(Site):
    """A site at ``http://<folder>.localhost/``, whose rows are in the episode's database.

    Beside ``site.py`` lie ``schema.sql``, with tables called ``<folder>_...``, and ``seed.py``,
    whose function ``fill(db, edition)`` writes the rows that a world begins with.

        site = LocalSite(__file__)

        @site.page("/")
        def home(visit: Visit) -> Response:
            return site.show("home.html", visit, notes=visit.rows("select * from notes_notes"))

        @site.action("/add")
        def add(visit: Visit) -> Response:
            visit.insert("notes_notes", text=visit.field("text"))
            return visit.see("/")
    """

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.name = Path(file).resolve().parent.name
        self.hosts = (f"{self.name}.localhost",)

    def page(self, path: str) -> Callable[[Answer], Answer]:
        """Registers what answers GET at a path. It may read only."""
        return self._register(path, "GET")

    def action(self, path: str) -> Callable[[Answer], Answer]:
        """Registers what answers POST at a path, and may change rows."""
        return self._register(path, "POST")

    def show(self, template: str, visit: Visit, *, status: int = 200, **values: Any) -> Response:
        """A page made from a file in ``templates/``, which also sees ``visit``."""
        return self.render(template, visit.request, status=status, visit=visit, **values)

    def _register(self, path: str, method: str) -> Callable[[Answer], Answer]:
        def register(answer: Answer) -> Answer:
            self.get(path, methods=[method])(self._endpoint(answer, may_change=method == "POST"))
            return answer

        return register

    def _endpoint(
        self, answer: Answer, *, may_change: bool
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            stay: Stay = request.scope[STAY]
            kind = request.headers.get("content-type", "")
            body = read_body(kind, await request.body())
            asked = Asked(self.name, request, body, may_change)
            visit = Visit(request, self.name, body.form or {}, body.body, stay)
            response = await run_in_threadpool(stay.serve, asked, lambda: answer(visit))
            # A page that is gone back to is asked for again, as it is by then.
            response.headers["cache-control"] = "no-store"
            return response

        return endpoint
