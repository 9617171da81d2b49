"""The server of worlds that have one: HTTP and HTTPS on loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from typing import Any, Final

import trustme
import uvicorn

from ..errors import InfraError

_START_SECONDS: Final = 15.0


class Server:
    """HTTP and HTTPS listeners of one ASGI application, in a thread of their own.

    The session's thread waits for pages to load, so it cannot serve them. Outside of the main
    thread uvicorn leaves signals alone, which are pytest's.
    """

    def __init__(self, app: Any) -> None:
        http, https = listen(), listen()
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
            name="webbench-server",
        )
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            raise InfraError(f"the world's server did not start within {_START_SECONDS:g} s")

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


def listen() -> socket.socket:
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
        trustme.CA().issue_cert("webbench.invalid").configure_cert(context)
        config.ssl = context
    return config
