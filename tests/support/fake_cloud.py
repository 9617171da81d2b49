"""A loopback double of browser services: Lexmount's, and the one of the documentation.

It hands out the address of a Chromium that runs here, and misbehaves when told to.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY, PROJECT = "lx-key-4711-geheim", "project-0815"
NO_BROWSER = "ws://127.0.0.1:9/devtools/browser/token-5150"

Fault = tuple[int, dict[str, str], str]


class FakeCloud:
    """Its state: sessions by id, requests, and the faults that come first, by method and path."""

    def __init__(self, address: str, browser: Callable[[str], str]) -> None:
        self.address = address
        self.statuses: list[str] = []
        """What a session is before it is active, one per poll."""
        self.faults: dict[str, list[Fault]] = {}
        self.requests: list[str] = []
        self.open: list[str] = []
        self.ended: list[str] = []
        self._browser = browser

    def fail(self, request: str, status: int, body: Any = "", **headers: str) -> None:
        """The next time, this request is answered so."""
        text = body if isinstance(body, str) else json.dumps(body)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.faults.setdefault(request, []).append((status, headers, text))

    def answer(self, request: str, headers: Any, body: dict[str, Any], query: str) -> Fault:
        self.requests.append(request)
        if self.faults.get(request):
            return self.faults[request].pop(0)
        if request.startswith(("POST /sessions", "DELETE /sessions/")):
            return self._plain(request)
        if (headers["x-api-key"], headers["x-project-id"]) != (KEY, PROJECT):
            return 401, {}, json.dumps({"error": f"unknown key {headers['x-api-key']}"})
        session = body.get("session_id", query.removeprefix("session_id="))
        return self._lexmount(request, session)

    def _lexmount(self, request: str, session: str) -> Fault:
        if request == "POST /instance/v2":
            return 200, {}, json.dumps({"session_id": self._start()})
        if session not in self.open:
            return 404, {}, json.dumps({"error": "no such session"})
        if request == "DELETE /instance":
            self._end(session)
            return 200, {}, ""
        if request == "POST /instance/session":
            status = self.statuses.pop(0) if self.statuses else "active"
            return 200, {}, json.dumps({"session_id": session, "status": status, "api_key": KEY})
        assert request == "GET /json/version", request
        return 200, {}, json.dumps({"webSocketDebuggerUrlTransformed": self._browser(session)})

    def _plain(self, request: str) -> Fault:
        if request == "POST /sessions":
            session = self._start()
            return 200, {}, json.dumps({"id": session, "cdp_url": self._browser(session)})
        self._end(request.rpartition("/")[2])
        return 200, {}, ""

    def _start(self) -> str:
        session = f"session-{len(self.open) + len(self.ended) + 1}"
        self.open.append(session)
        return session

    def _end(self, session: str) -> None:
        self.open.remove(session)
        self.ended.append(session)


@contextmanager
def fake_cloud(
    browser: Callable[[str], str] = lambda _session: NO_BROWSER,
) -> Iterator[FakeCloud]:
    """A running double; ``browser`` gives the CDP address of a session."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            request = f"{self.command} {path}"
            status, headers, text = double.answer(
                request, self.headers, json.loads(body or "{}"), query
            )
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_DELETE = do_POST  # noqa: N815 - the names that the library calls

        def log_message(self, format: str, *args: Any) -> None:
            """Not into the test's output."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        double = FakeCloud(f"http://127.0.0.1:{server.server_port}", browser)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield double
        server.shutdown()
        thread.join()
