"""``webbench report --serve``: the report on a loopback address, where notes can be written.

Only programs on this machine reach it, only under a loopback name (which keeps out pages that point
a name of theirs here), and only the report itself knows the token that a change needs.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..._files import within
from ...errors import StoreError
from ...run import RunDir
from ...run.annotations import Note, add_note
from .build import notes_data, title_of, write_notes
from .shell import index_html

HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")
_MOST_BYTES: Final = 64_000
_SHOWN: Final = {
    ".js": "text/javascript",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".png": "image/png",
}
"""Kinds of files that a browser may show; all others are handed out as downloads."""
# Archived pages are HTML of strangers; from our origin they could otherwise write notes.
_FILE_POLICY: Final = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
}


def report_app(index: Path, dirs: Sequence[RunDir], token: str | None = None) -> Starlette:
    """Serves a report that was written to ``index`` and takes notes for the runs it shows.

    ``token`` is what changes need; by default a new one.
    """
    served = _Served(index, dirs, token or secrets.token_urlsafe(24))
    return Starlette(
        routes=[
            Route("/", served.home),
            Route("/report/index.html", served.page),
            Route("/report/{path:path}", served.of_report),
            Route("/runs/{run:int}/{path:path}", served.of_run),
            Route("/notes", served.take_note, methods=["POST"]),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(HOSTS), www_redirect=False)
        ],
    )


class _Served:
    def __init__(self, index: Path, dirs: Sequence[RunDir], token: str) -> None:
        self._folder, self._dirs, self._token = index.parent, dirs, token

    async def home(self, _: Request) -> Response:
        return RedirectResponse("/report/index.html")

    async def page(self, _: Request) -> Response:
        # No other page may show the report in a frame and have its user click in it unawares.
        headers = {**_HEADERS, "X-Frame-Options": "DENY"}
        return HTMLResponse(index_html(title_of(self._dirs), self._token), headers=headers)

    async def of_report(self, request: Request) -> Response:
        return _file(self._folder, request.path_params["path"])

    async def of_run(self, request: Request) -> Response:
        number = request.path_params["run"]
        if number >= len(self._dirs):
            return Response(status_code=404)
        name = request.path_params["path"].removeprefix("episodes/")
        return _file(self._dirs[number].path, f"episodes/{name}")

    async def take_note(self, request: Request) -> Response:
        # No other site can send a header of ours with a request that it makes a browser send.
        if not secrets.compare_digest(request.headers.get("x-webbench-token", ""), self._token):
            return _refused(403, "the token is missing or of another server: load the report again")
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _refused(415, "send application/json")
        # Refused before it is read; a request without a length would be read to its end.
        if int(request.headers.get("content-length") or _MOST_BYTES + 1) > _MOST_BYTES:
            return _refused(413, f"a note may have {_MOST_BYTES:,} bytes")
        try:
            run, note = _note(await request.json())
            add_note(self._dirs[run].path, note)
        # What was sent may be anything: no JSON, no object, another run, a note of another shape.
        except (ValidationError, ValueError, TypeError, KeyError, IndexError, AttributeError):
            return _refused(400, "this is not a note on an episode of this report")
        write_notes(self._folder, self._dirs)
        return JSONResponse(notes_data(self._dirs), headers=_HEADERS)


def _note(data: dict[str, Any]) -> tuple[int, Note]:
    """Number of the run and the note, with an id and a time given here."""
    run = data.pop("run")
    if not isinstance(run, int) or run < 0:
        raise ValueError("no such run")
    stamp = {"id": secrets.token_hex(8), "written": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"}
    # The stamp last, so that nobody else chooses id and time.
    note = Note.model_validate({**data, **stamp})
    if note.kind != "withdrawal" and not note.text.strip():
        raise ValueError("an empty note")
    return run, note


def _refused(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status, headers=_HEADERS)


def _file(root: Path, name: str) -> Response:
    """A regular file below ``root``; no link is followed."""
    try:
        path = within(root, name)
    except StoreError:
        return Response(status_code=404)
    if not path.is_file():
        return Response(status_code=404)
    kind = _SHOWN.get(path.suffix)
    headers = {**_HEADERS, "Content-Security-Policy": _FILE_POLICY}
    if kind is not None:
        return FileResponse(path, media_type=kind, headers=headers)
    return FileResponse(
        path, media_type="application/octet-stream", filename=path.name, headers=headers
    )
