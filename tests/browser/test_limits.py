"""What pages send without end is cut off, and the evidence says so."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Playwright

from pytest_webbench.browser import traffic
from pytest_webbench.browser.context import fresh_context
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.browser.session import Session
from pytest_webbench.world.base import Live
from tests.support.step_notes import Notes

pytestmark = pytest.mark.browser


class Endless(BaseHTTPRequestHandler):
    """A page with links to a file without end and to a small one."""

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/":
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<a href='/endless'>Endless</a> <a href='/small'>Small</a>")
            return
        self.send_header("Content-Disposition", "attachment; filename=file.bin")
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(b"x" * 1_000)
            while self.path == "/endless":
                self.wfile.write(b"x" * 100_000)

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def endless() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endless)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_download_without_end_is_stopped(
    playwright: Playwright, endless: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traffic, "MOST_DOWNLOADED", 5_000_000)
    provider = LocalBrowser(playwright, {})
    session = Session(fresh_context(provider.acquire(Live()), {}), Notes(), step_shots=False)
    session.open(endless, timeout=20)
    session.begin()
    for name in ("Small", "Endless", "Small"):
        with session.page.expect_download() as started:
            session.page.get_by_role("link", name=name).click()
        with suppress(Exception):
            started.value.path()  # waits for its end
    gaps: list[str] = []
    sizes = [download.size for download in session.traffic.downloads(gaps)]
    assert sizes == [1_000, None]
    assert "did not arrive" in gaps[0]
    assert session.traffic.gaps() == ["downloads were stopped after 5000000 bytes"]
    session.close()
    provider.release()
