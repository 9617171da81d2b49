"""The replica world: doubles of real sites at their real addresses, from a server on loopback.

Chromium resolves every host to this server, so nothing leaves the machine; ports other than 80 and 443 resolve to
nothing, which also keeps pages and agents away from everything else that listens on loopback.
"""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import sys
import threading
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, Final

import trustme
import uvicorn
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from ..errors import InfraError, SettingsError
from .kit import Site

_START_SECONDS: Final = 15.0
_MOST_OUTSIDE: Final = 200


class Replica:
    """Serves every site found under ``folder``."""

    name = "replica"

    def __init__(self, folder: Path) -> None:
        self._sites = load_sites(folder)
        self._outside: list[str] = []
        self._lock = threading.Lock()
        self._server = _Server(self._app)

    def launch_args(self) -> list[str]:
        rules = f"MAP *:80 127.0.0.1:{self._server.http_port}, MAP *:443 127.0.0.1:{self._server.https_port}"
        return [f"--host-resolver-rules={rules}, MAP * ~NOTFOUND"]

    def context_args(self) -> dict[str, Any]:
        return {"ignore_https_errors": True}

    def outside_since_last(self) -> list[str]:
        with self._lock:
            outside, self._outside = self._outside, []
        return outside

    def close(self) -> None:
        self._server.stop()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = _host(scope)
        site = self._sites.get(host)
        if site is None:
            self._note_outside(f"{scope['scheme']}://{host}{_target(scope)}")
            answer = HTMLResponse(_UNKNOWN.format(host=host), status_code=404)
            await answer(scope, receive, send)
        elif scope["scheme"] == "http":
            moved = Response(status_code=301, headers={"location": f"https://{host}{_target(scope)}"})
            await moved(scope, receive, send)
        else:
            await site.app(scope, receive, send)

    def _note_outside(self, url: str) -> None:
        with self._lock:
            if len(self._outside) < _MOST_OUTSIDE:
                self._outside.append(url)


_UNKNOWN: Final = (
    "<!doctype html><title>Not found</title><h1>Not found</h1><p>{host} is not part of this replica of the web.</p>"
)


def _target(scope: MutableMapping[str, Any]) -> str:
    """Path and query as they were sent, nothing decoded."""
    query = scope["query_string"].decode("latin-1")
    return str(scope["raw_path"].decode("latin-1")) + (f"?{query}" if query else "")


def _host(scope: MutableMapping[str, Any]) -> str:
    raw = next((value for name, value in scope["headers"] if name == b"host"), b"")
    name = "".join(char for char in raw.decode("latin-1") if char.isalnum() or char in ".-:")
    return name.split(":")[0].lower()


def load_sites(folder: Path) -> dict[str, Site]:
    """Sites by host name, from the ``site.py`` of each sub-folder."""
    files = sorted(folder.glob("*/site.py"))
    if not files:
        raise SettingsError(f"{folder} holds no replica sites (expected <host>/site.py); use --webbench-world live")
    sites: dict[str, Site] = {}
    for file in files:
        site = _load(file)
        for host in site.hosts:
            if host in sites:
                raise SettingsError(f"{file}: host {host!r} is already served by {sites[host].folder}")
            sites[host] = site
    return sites


def _load(file: Path) -> Site:
    name = f"_webbench_replica_{abs(hash(file.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None, "a .py file always has a spec"
    assert spec.loader is not None, "a .py file always has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    site = getattr(module, "site", None)
    if not isinstance(site, Site):
        raise SettingsError(f"{file} must define `site = Site(__file__)`")
    return site


class _Server:
    """HTTP and HTTPS listeners of one ASGI application, in a thread of their own."""

    def __init__(self, app: Any) -> None:
        http, https = _listen(), _listen()
        self.http_port: int = http.getsockname()[1]
        self.https_port: int = https.getsockname()[1]
        self._servers = [_QuietServer(_config(app)), _QuietServer(_config(app, tls=True))]
        self._thread = threading.Thread(target=self._run, args=([http, https],), daemon=True, name="webbench-replica")
        self._ready = threading.Event()
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            raise InfraError(f"the replica server did not start within {_START_SECONDS:g} s")

    def _run(self, sockets: list[socket.socket]) -> None:
        async def serve() -> None:
            tasks = [
                asyncio.create_task(server.serve([listener]))
                for server, listener in zip(self._servers, sockets, strict=True)
            ]
            while not all(server.started or task.done() for server, task in zip(self._servers, tasks, strict=True)):
                await asyncio.sleep(0.005)
            self._ready.set()
            await asyncio.gather(*tasks)
            for server in self._servers:  # connections kept alive would outlive the loop
                for connection in list(server.server_state.connections):
                    connection.transport.abort()
            await asyncio.sleep(0)

        asyncio.run(serve())

    def stop(self) -> None:
        for server in self._servers:
            server.should_exit = True
            server.force_exit = True
        self._thread.join(_START_SECONDS)


class _QuietServer(uvicorn.Server):
    """Leaves signals to pytest."""

    def capture_signals(self) -> Any:
        import contextlib

        return contextlib.nullcontext()


def _listen() -> socket.socket:
    # Naming the protocol matters: asyncio sets TCP_NODELAY only then, without which each answer waits some 40 ms.
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
        config.load()
        import ssl

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert("replica.invalid").configure_cert(context)
        config.ssl = context
    return config
