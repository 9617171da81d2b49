"""HTTP services on loopback that behave as they are told: well, badly, or not at all."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request as the service saw it. Header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One reply: ``body`` is sent as JSON, unless it is bytes or a text.

    ``trouble``: ``cut`` promises more bytes than are sent, ``reset`` breaks the connection off
    without a word,
    ``stall`` never answers, ``drip`` sends one byte and then nothing more.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


Script = Callable[[Asked], Answer]


class Service:
    """A service at ``url``. ``answers`` is a function of the request, or a list of answers: the
    last holds for good.
    """

    def __init__(self, answers: Script | list[Answer]) -> None:
        self.asked: list[Asked] = []
        self.over = threading.Event()
        self._answers = answers
        handler = type("Handler", (_Handler,), {"service": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        if callable(self._answers):
            return self._answers(asked)
        return self._answers[min(len(self.asked), len(self._answers)) - 1]

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    service: Service
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        sent = self.rfile.read(size)
        try:
            body = json.loads(sent) if sent else None
        except ValueError:
            body = sent
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.service.answer(
            Asked(method=self.command, path=self.path, headers=headers, body=body)
        )
        self.close_connection = bool(answer.trouble)
        if answer.trouble == "stall":
            self.service.over.wait(60)
        elif answer.trouble == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.connection.close()
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        content = answer.encoded()
        self.send_response(answer.status)
        for name, value in {"content-type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content) + (1000 if answer.trouble else 0)))
        self.end_headers()
        if answer.trouble == "drip":
            self.wfile.write(content[:1])
            self.wfile.flush()
            self.service.over.wait(60)
        else:
            self.wfile.write(content)

    do_GET = _serve  # noqa: N815 - the base class's names
    do_POST = _serve  # noqa: N815
    do_DELETE = _serve  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        del format, args

    def handle(self) -> None:
        with suppress(OSError):  # the client was quicker to leave, as is its right
            super().handle()

    def finish(self) -> None:
        with suppress(
            OSError, ValueError
        ):  # the same, with a connection that was closed on purpose
            super().finish()


@contextmanager
def serving(answers: Script | list[Answer]) -> Iterator[Service]:
    """A service for as long as the block lasts."""
    service = Service(answers)
    try:
        yield service
    finally:
        service.close()
