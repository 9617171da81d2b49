"""One replica site: its hosts, routes, templates and files."""

from __future__ import annotations

import asyncio
import json
import secrets
import traceback
from collections.abc import Awaitable, Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from .addresses import with_params

Handler: TypeAlias = Callable[[Request], Response | Awaitable[Response]]
"""Answers a request. One that is not a coroutine runs in a thread of its own, so it may wait."""

HandlerT = TypeVar("HandlerT", bound=Handler)

HOSTS: Final = "hosts.txt"
"""In a site's folder: further hosts at which it answers."""
BEHAVIOURS: Final = "/assets/ui"
"""Where each site serves the kit's scripts."""
_SCRIPTS: Final = Path(__file__).parent / "behaviours"
_LAYOUTS: Final = Path(__file__).parent / "layouts"
"""Templates that sites may extend; one of the same name in the site's folder is taken first."""


class Site:
    """One replica site: its hosts, routes and templates.

    ``file`` is the ``__file__`` of ``site.py``, whose folder is named after the host. The site also
    answers at the same host with ``www.`` (or without it), and at the hosts that a file
    ``hosts.txt`` beside it lists, one a line.
    """

    def __init__(self, file: str) -> None:
        self.folder = Path(file).resolve().parent
        self.hosts = hosts_of(self.folder)
        self._routes: dict[str, list[BaseRoute]] = {}
        self._missing: Callable[[Request], Awaitable[Response]] | None = None
        self.on_broken: Callable[[str], None] = lambda _where: None
        """Told where and why a handler or a template of this site fails."""

    def get(
        self,
        path: str,
        *,
        methods: Iterable[str] = ("GET",),
        host: str = "",
        delay: float = 0,
    ) -> Callable[[HandlerT], HandlerT]:
        """Registers a handler for a path, for GET unless ``methods`` says otherwise.

        ``{name}`` in the path captures one segment and ``{name:path}`` the rest, as
        ``request.path_params["name"]``:

            @site.get("/book/{slug}")
            def book(request: Request) -> Response: ...

        ``host`` limits it to one of the site's hosts, which then answers nothing but what names it.
        ``delay`` is how many seconds the answer takes at least, as slow parts of a page do.
        """
        if host and host not in self.hosts:
            raise ValueError(
                f"{path}: {host!r} is no host of this site, which has {', '.join(self.hosts)}; "
                f"list it in {self.folder / HOSTS}"
            )

        def register(handler: HandlerT) -> HandlerT:
            route = Route(path, _endpoint(handler, delay), methods=list(methods))
            self._routes.setdefault(host, []).append(route)
            return handler

        return register

    def post(
        self, path: str, *, host: str = "", delay: float = 0
    ) -> Callable[[HandlerT], HandlerT]:
        """Registers a handler for what a form sends by POST.

        A coroutine reads it by ``form = await request.form()``. What has to be kept for the
        visitor belongs into ``request.session``, a dict of JSON values in a signed cookie.
        """
        return self.get(path, methods=("POST",), host=host, delay=delay)

    def not_found(self, handler: HandlerT) -> HandlerT:
        """Registers the page for unknown addresses; without one they get a plain "Not Found"."""
        self._missing = _endpoint(handler)
        return handler

    def data(self, name: str) -> Any:
        """The content of ``<name>.json`` or else ``<name>.yaml`` in the site's folder.

        `OSError` if there is neither.
        """
        path = self.folder / f"{name}.json"
        if path.exists():
            return json.loads(path.read_text(encoding="utf-8"))
        return yaml.load(
            path.with_suffix(".yaml").read_text(encoding="utf-8"), Loader=_yaml_loader()
        )

    def render(
        self, template: str, request: Request, *, status: int = 200, **values: Any
    ) -> Response:
        """A page made from a file in ``templates/``; ``status`` is its HTTP status.

        The template sees ``values``, ``request``, the function `with_params` and the filter
        ``thousands`` (1234567 as 1,234,567). A name that is not defined is an error.
        """
        page = self._templates.get_template(template).render(request=request, **values)
        return HTMLResponse(page, status_code=status)

    @cached_property
    def _templates(self) -> Environment:
        environment = Environment(
            loader=FileSystemLoader([self.folder / "templates", _LAYOUTS]),
            autoescape=True,
            # A misspelt name would otherwise show as nothing, and tasks would be judged on that.
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals["with_params"] = with_params
        environment.globals["behaviour"] = behaviour
        environment.filters["thousands"] = lambda value: f"{value:,}"
        return environment

    @cached_property
    def app(self) -> ASGIApp:
        """The site as an ASGI application; routes that are registered later are not in it."""
        hosts = {host: self._app_of(routes) for host, routes in self._routes.items() if host}
        common = self._app_of(self._routes.get("", []))

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            name = Headers(scope=scope).get("host", "").partition(":")[0].lower()
            await hosts.get(name, common)(scope, receive, send)

        return SessionMiddleware(app, secrets.token_hex(), max_age=None, https_only=True)

    def _app_of(self, own: list[BaseRoute]) -> Starlette:
        routes: list[BaseRoute] = []
        static = self.folder / "static"
        if static.is_dir():
            routes.append(Mount("/static", StaticFiles(directory=static)))
        routes += own
        routes.append(Mount(BEHAVIOURS, StaticFiles(directory=_SCRIPTS)))
        routes.append(Route("/favicon.ico", _no_icon))
        handlers: dict[Any, Any] = {404: self._answer_missing, Exception: self._answer_broken}
        return Starlette(routes=routes, exception_handlers=handlers)

    async def _answer_missing(self, request: Request, _error: Exception) -> Response:
        if self._missing is None:
            return Response("Not Found", status_code=404)
        return await self._missing(request)

    async def _answer_broken(self, request: Request, error: Exception) -> Response:
        self.on_broken(f"{place_of(error, self.folder)} (asked for {request.url})")
        return Response("Internal Server Error", status_code=500)


def place_of(error: BaseException, folder: Path) -> str:
    """File and line within ``folder`` where an error came up, and what it says."""
    place = str(folder)
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename).is_relative_to(folder):
            place = f"{frame.filename}:{frame.lineno}"
    if isinstance(error, TemplateSyntaxError):
        place = f"{error.filename}:{error.lineno}"
    return f"{place}: {type(error).__name__}: {error}"


async def _no_icon(_request: Request) -> Response:
    """Every browser asks for one; a 404 would be an error in each page's console."""
    return Response(status_code=204)


def _yaml_loader() -> Any:
    """The loader in C is ten times faster; PyYAML can be built without it."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def hosts_of(folder: Path) -> tuple[str, ...]:
    """Where the site in a folder answers, told by names and ``hosts.txt`` alone."""
    name = folder.name
    twin = name.removeprefix("www.") if name.startswith("www.") else f"www.{name}"
    listed = folder / HOSTS
    more = listed.read_text(encoding="utf-8").split() if listed.is_file() else []
    return (name, twin, *more)


def behaviour(*names: str) -> Markup:
    """Script elements for a page's head: ``{{ behaviour("autocomplete", "modal") }}``.

    Each file in the folder ``behaviours`` of this kit says at its top which markup it acts on.
    """
    tags = (f'<script src="{BEHAVIOURS}/{name}.js" defer></script>' for name in names)
    return Markup("\n".join(tags))


def _endpoint(handler: Handler, delay: float = 0) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        if delay:
            await asyncio.sleep(delay)
        answer: Response | Awaitable[Response]
        if asyncio.iscoroutinefunction(handler):
            answer = handler(request)
        else:
            answer = await run_in_threadpool(handler, request)
        # A plain function may still return a coroutine, as a lambda or a partial does.
        return await answer if isinstance(answer, Awaitable) else answer

    return endpoint
