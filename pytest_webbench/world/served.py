"""What the worlds with a server of their own share: a table of hosts, and notes of what happens."""

from __future__ import annotations

import threading
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from ..errors import SettingsError
from .kit.site import Site
from .loading import load_site
from .server import Server

_MOST_OUTSIDE: Final = 200
"""Addresses outside the world that are kept between two calls; a page can ask for any number."""
_MOST_DELIVERED: Final = 5_000
_MOST_BROKEN: Final = 20
_UNKNOWN: Final = (
    "<!doctype html><title>Not found</title><h1>Not found</h1>"
    "<p>{host} is not part of this {where}.</p>"
)


class Answering(NamedTuple):
    """The ``site.py`` that answers at a host, and what it is told with every request."""

    file: Path
    told: Mapping[str, Any]


class Served:
    """A world whose sites are files on this machine; a site is loaded when it is first asked for.

    `InfraError` if the server does not start.
    """

    scheme: ClassVar[str]
    """Of all its addresses; the other one leads there."""
    unknown_page: ClassVar[str] = "replica of the web"

    def __init__(self) -> None:
        self._sites: dict[Path, Site] = {}
        self._outside: list[str] = []
        self._delivered: set[str] = set()
        self._broken: list[str] = []
        self._lock = threading.Lock()  # the server notes in its thread what the session reads
        self._server = Server(self._app)

    def answering(self, host: str) -> Answering | None:
        """Who answers at ``host``; None if nobody does."""
        raise NotImplementedError

    @property
    def http_port(self) -> int:
        """Where its server listens on 127.0.0.1 for every host, without encryption."""
        return self._server.http_port

    @property
    def https_port(self) -> int:
        """Where its server listens on 127.0.0.1 for every host."""
        return self._server.https_port

    def outside_since_last(self) -> list[str]:
        with self._lock:
            outside, self._outside = self._outside, []
        return outside

    def delivered_since_last(self) -> frozenset[str]:
        with self._lock:
            delivered, self._delivered = frozenset(self._delivered), set()
        return delivered

    def broken_since_last(self) -> list[str]:
        with self._lock:
            broken, self._broken = self._broken, []
        return broken

    def close(self) -> None:
        self._server.stop()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = _host(scope)
        found = self.answering(host)
        if found is None:
            self._note_outside(f"{scope['scheme']}://{host}{_target(scope)}")
            page = _UNKNOWN.format(host=host, where=self.unknown_page)
            await HTMLResponse(page, status_code=404)(scope, receive, send)
        elif scope["scheme"] != self.scheme:
            # As real sites do; storage and cookies then belong to one origin.
            moved = f"{self.scheme}://{host}{_target(scope)}"
            await Response(status_code=301, headers={"location": moved})(scope, receive, send)
        else:
            self._note_document(scope, f"{self.scheme}://{host}{_target(scope)}")
            await self._answer(found.file, {**scope, **found.told}, receive, send)

    async def _answer(self, file: Path, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            site = self._site(file)
        except SettingsError as error:
            self._note_broken(str(error))
            await Response("Internal Server Error", status_code=500)(scope, receive, send)
            return
        # What fails in a site was answered and noted; the server would only log it.
        with suppress(Exception):
            await site.app(scope, receive, send)

    def _site(self, file: Path) -> Site:
        site = self._sites.get(file)
        if site is None:
            site = self._sites[file] = load_site(file)
            site.on_broken = self._note_broken
        return site

    def _note_broken(self, where: str) -> None:
        with self._lock:
            if len(self._broken) < _MOST_BROKEN:
                self._broken.append(where)

    def _note_document(self, scope: Scope, url: str) -> None:
        # Browsers set this header themselves; scripts cannot.
        if (b"sec-fetch-dest", b"document") not in scope["headers"]:
            return
        with self._lock:
            if len(self._delivered) < _MOST_DELIVERED:
                self._delivered.add(url)

    def _note_outside(self, url: str) -> None:
        with self._lock:
            if len(self._outside) < _MOST_OUTSIDE:
                self._outside.append(url)


def _target(scope: MutableMapping[str, Any]) -> str:
    """Path and query as they were sent, nothing decoded."""
    path = str(scope["raw_path"].decode("latin-1"))
    query = str(scope["query_string"].decode("latin-1"))
    return f"{path}?{query}" if query else path


def _host(scope: MutableMapping[str, Any]) -> str:
    """The requested host, without port; only characters that are safe in an error page."""
    raw = next((value for name, value in scope["headers"] if name == b"host"), b"")
    name = "".join(char for char in raw.decode("latin-1") if char.isalnum() or char in ".-:")
    return name.split(":")[0].lower()
