"""A world: static files below ``<suite>/pages``, shown to the browser as ``http://pages.test/``."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pytest_webbench.errors import SettingsError


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class FolderWorld:
    """Serves one folder; every other host is unknown to browsers in this world."""

    name = "folder"

    def __init__(self, suite_folder: Path) -> None:
        pages = suite_folder / "pages"
        if not pages.is_dir():
            raise SettingsError(f"{pages} does not exist; the world 'folder' serves its files")
        handler = partial(_Quiet, directory=str(pages))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def launch_args(self) -> list[str]:
        port = self._server.server_port
        return [f"--host-resolver-rules=MAP pages.test:80 127.0.0.1:{port}, MAP * ~NOTFOUND"]

    def context_args(self) -> dict[str, Any]:
        return {}

    def outside_since_last(self) -> list[str]:
        return []

    def delivered_since_last(self) -> None:
        return None  # this server keeps no record

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
