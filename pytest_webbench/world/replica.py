"""The replica world: doubles of real sites at their real addresses, from a server on loopback.

Chromium resolves every host to this server, so nothing leaves the machine. Ports other than 80 and
443 resolve to nothing, which also keeps pages and agents away from whatever else listens on
loopback.
"""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import ssl
import sys
import threading
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import trustme
import uvicorn
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from .._worlds import REPLICA
from ..errors import InfraError, SettingsError
from .kit.editions import EDITION
from .kit.site import Site, hosts_of, place_of

if TYPE_CHECKING:
    from ..task import Task

_START_SECONDS: Final = 15.0
_MOST_OUTSIDE: Final = 200
"""Addresses outside the replica that are kept between two calls; a page can ask for any number."""
_MOST_DELIVERED: Final = 5_000
_MOST_BROKEN: Final = 20
_UNKNOWN: Final = (
    "<!doctype html><title>Not found</title><h1>Not found</h1>"
    "<p>{host} is not part of this replica of the web.</p>"
)


class Replica:
    """Serves every site found under ``folder``.

    A site is loaded when it is first asked for. `SettingsError` if there is none or if two claim
    the same host, `InfraError` if the server does not start.
    """

    name = REPLICA
    has_editions = True

    def __init__(self, folder: Path) -> None:
        self.edition = 0
        """Which `Edition` of its sites it shows from now on."""
        self._files = site_files(folder)
        self._sites: dict[Path, Site] = {}
        self._outside: list[str] = []
        self._delivered: set[str] = set()
        self._broken: list[str] = []
        self._lock = threading.Lock()  # the server notes in its thread what the session reads
        self._server = _Server(self._app)

    def begin(self, _task: Task, seed: int) -> None:
        """Show the edition ``seed`` to this episode, and to all that repeats it."""
        self.edition = seed

    @property
    def https_port(self) -> int:
        """Where its server listens on 127.0.0.1 for every host."""
        return self._server.https_port

    def has_host(self, host: str) -> bool:
        """Whether one of its sites answers at ``host``."""
        return host in self._files

    def launch_args(self) -> list[str]:
        http, https = self._server.http_port, self._server.https_port
        # The first rule that matches wins, so the one for all other ports comes last.
        rules = [f"MAP *:80 127.0.0.1:{http}", f"MAP *:443 127.0.0.1:{https}", "MAP * ~NOTFOUND"]
        return [f"--host-resolver-rules={', '.join(rules)}"]

    def context_args(self) -> dict[str, Any]:
        # The server has one certificate, of its own authority, for every host there is.
        return {"ignore_https_errors": True}

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
        file = self._files.get(host)
        if file is None:
            self._note_outside(f"{scope['scheme']}://{host}{_target(scope)}")
            unknown = HTMLResponse(_UNKNOWN.format(host=host), status_code=404)
            await unknown(scope, receive, send)
        elif scope["scheme"] == "http":
            # As real sites do; storage and cookies then belong to the https origin.
            moved = Response(
                status_code=301, headers={"location": f"https://{host}{_target(scope)}"}
            )
            await moved(scope, receive, send)
        else:
            self._note_document(scope, f"https://{host}{_target(scope)}")
            await self._answer(file, {**scope, EDITION: self.edition}, receive, send)

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


# -- Sites -----------------------------------------------------------------------------------------


def site_files(folder: Path) -> dict[str, Path]:
    """The ``site.py`` that answers at each host, from the names in ``folder`` alone."""
    files = sorted(folder.glob("*/site.py"))
    if not files:
        raise SettingsError(
            f"{folder} holds no replica sites (expected <host>/site.py); use --webbench-world live"
        )
    found: dict[str, Path] = {}
    for file in files:
        for host in hosts_of(file.parent):
            if host in found:
                raise SettingsError(
                    f"{file}: host {host!r} is already served by {found[host].parent}"
                )
            found[host] = file
    return found


def load_site(file: Path) -> Site:
    """The site that a ``site.py`` defines; `SettingsError` with file and line if it fails."""
    # Every file is called site.py, so the whole path names the module: suites must not share one.
    name = f"_webbench_replica_{abs(hash(file.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None, "a .py file always has a spec"
    assert spec.loader is not None, "a .py file always has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a site's author has got wrong
        raise SettingsError(_place_of_load(error, file)) from error
    site = getattr(module, "site", None)
    if not isinstance(site, Site):
        raise SettingsError(f"{file} must define `site = Site(__file__)`")
    return site


def _place_of_load(error: Exception, file: Path) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    return place_of(error, file.resolve().parent)


# -- Server ----------------------------------------------------------------------------------------


class _Server:
    """HTTP and HTTPS listeners of one ASGI application, in a thread of their own.

    The session's thread waits for pages to load, so it cannot serve them. Outside of the main
    thread uvicorn leaves signals alone, which are pytest's.
    """

    def __init__(self, app: Any) -> None:
        http, https = _listen(), _listen()
        self.http_port: int = http.getsockname()[1]
        self.https_port: int = https.getsockname()[1]
        self._servers = [
            uvicorn.Server(_config(app)),
            uvicorn.Server(_config(app, tls=True)),
        ]
        self._ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve([http, https])),
            daemon=True,  # a session that is interrupted must not hang on it
            name="webbench-replica",
        )
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            raise InfraError(f"the replica server did not start within {_START_SECONDS:g} s")

    async def _serve(self, sockets: list[socket.socket]) -> None:
        pairs = zip(self._servers, sockets, strict=True)
        tasks = [asyncio.create_task(server.serve([listener])) for server, listener in pairs]
        # uvicorn has no event for "started", and a server that fails never sets its flag.
        while not self._started(tasks):
            await asyncio.sleep(0.005)
        self._ready.set()
        await asyncio.gather(*tasks)
        # Connections that the browser keeps alive would outlive the loop and warn about it.
        for server in self._servers:
            for connection in list(server.server_state.connections):
                connection.transport.abort()
        await asyncio.sleep(0)  # lets the transports close

    def _started(self, tasks: list[asyncio.Task[None]]) -> bool:
        pairs = zip(self._servers, tasks, strict=True)
        return all(server.started or task.done() for server, task in pairs)

    def stop(self) -> None:
        for server in self._servers:
            server.should_exit = True
            server.force_exit = True  # does not wait for the browser to close its connections
        self._thread.join(_START_SECONDS)


def _listen() -> socket.socket:
    # Naming the protocol matters: asyncio sets TCP_NODELAY only then, and without it each answer
    # waits some 40 ms for the browser's delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener


def _config(app: Any, *, tls: bool = False) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        interface="asgi3",
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    if tls:
        # uvicorn reads certificates from files only. Once it is loaded, it takes a context as well.
        config.load()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert("replica.invalid").configure_cert(context)
        config.ssl = context
    return config
