"""What pages do while the agent acts: requests, downloads, errors in the console."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Error, Page, Request
from playwright.sync_api import Download as BrowserDownload

from .._text import sanitize, sanitize_deep
from ..evidence.bodies import read_body
from ..evidence.models import Download, NetworkRequest
from ..evidence.redact import redact_address, redact_fields

# A page may poll, download or log errors without end.
MOST_REQUESTS: Final = 1000
_MOST_DOWNLOADS: Final = 100
MOST_DOWNLOADED: Final = 200_000_000
"""Bytes of all downloads together: an endless one would fill the disk."""
_MOST_ERRORS: Final = 200
_LONGEST: Final = 2000
_BY_BROWSER: Final = "Non-Authoritative-Reason"
"""A header of redirections that the browser makes itself, from http to https."""
_ACTED_ON: Final = frozenset({"Document", "XHR", "Fetch"})
"""Scripts may come from the memory of the browser, which does not say so."""
_NOT_SENT: Final = ("data:", "blob:", "about:")


class Traffic:
    """Listens to events that Playwright sends anyway.

    Costs no round trip before it is asked for its records.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.in_flight: set[Request] = set()
        self.console_errors: list[str] = []
        self.intercepted: list[str] = []
        """Addresses that were answered within the browser, as far as pages act on the answers."""
        self.watching = False
        self._requests: list[Request] = []
        self._downloads: list[BrowserDownload] = []
        self._unrecorded = 0
        self._received: dict[str, int] = {}
        """Bytes of each download so far."""
        self._cancelled = 0
        context.on("request", self._request_began)
        context.on("requestfinished", self._request_ended)
        context.on("requestfailed", self._request_ended)
        context.on("download", self._download_began)

    def _request_began(self, request: Request) -> None:
        self.in_flight.add(request)
        if self.watching and len(self._requests) < MOST_REQUESTS:
            self._requests.append(request)
        elif self.watching:
            self._unrecorded += 1

    def _request_ended(self, request: Request) -> None:
        self.in_flight.discard(request)

    def _download_began(self, download: BrowserDownload) -> None:
        if len(self._downloads) >= _MOST_DOWNLOADS or self._is_too_much():
            self._cancel(download)
        elif self.watching:
            self._downloads.append(download)

    def download_goes_on(self, event: dict[str, Any]) -> None:
        """``Page.downloadProgress``: more of a download has arrived."""
        before = self._is_too_much()
        # One that was cancelled reports no bytes any more.
        received = max(self._received.get(event["guid"], 0), int(event["receivedBytes"]))
        self._received[event["guid"]] = received
        if self._is_too_much() and not before:
            for download in self._downloads:
                self._cancel(download)  # one that is complete stays

    def _is_too_much(self) -> bool:
        return sum(self._received.values()) > MOST_DOWNLOADED

    def _cancel(self, download: BrowserDownload) -> None:
        self._cancelled += 1
        with suppress(Error):
            download.cancel()

    def loading(self, page: Page) -> bool:
        """Whether another document of this tab is on its way."""
        for request in self.in_flight:
            if request.is_navigation_request() and _is_of(request, page):
                return True
        return False

    def request_sent(self, event: dict[str, Any]) -> None:
        """``Network.requestWillBeSent``: it may be the answer to a redirection."""
        if "redirectResponse" in event:
            self.response_came({**event, "response": event["redirectResponse"]})

    def response_came(self, event: dict[str, Any]) -> None:
        """``Network.responseReceived``: only an answer from a server has its address."""
        response = event["response"]
        by_server = response.get("remoteIPAddress") or response.get("fromServiceWorker")
        by_browser = response.get("fromDiskCache") or _BY_BROWSER in response.get("headers", {})
        if by_server or by_browser or event.get("type") not in _ACTED_ON:
            return
        url = response["url"]
        if self.watching and url.startswith("http") and len(self.intercepted) < _MOST_ERRORS:
            self.intercepted.append(sanitize(redact_address(url)[:_LONGEST]))

    def console_called(self, event: dict[str, Any]) -> None:
        """``Runtime.consoleAPICalled``: a page wrote to the console."""
        if event["type"] in ("error", "assert"):
            words = (part.get("value", part.get("description", "")) for part in event["args"])
            self._error(" ".join(str(word) for word in words))

    def exception_thrown(self, event: dict[str, Any]) -> None:
        """``Runtime.exceptionThrown``: a page did not catch an error."""
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        text = thrown.get("description", thrown.get("value", details.get("text", "")))
        self._error(str(text).partition("\n")[0])

    def _error(self, text: str) -> None:
        if self.watching and len(self.console_errors) < _MOST_ERRORS:
            self.console_errors.append(sanitize(text[:_LONGEST]))

    # -- records -------------------------------------------------------------------------------

    def requests(self) -> tuple[NetworkRequest, ...]:
        """What was sent, in order."""
        return tuple(
            _record(request) for request in self._requests if not request.url.startswith(_NOT_SENT)
        )

    def documents(self) -> frozenset[str]:
        """Addresses, without fragments, of documents that the network answered for."""
        return frozenset(
            request.url.partition("#")[0]
            for request in self._requests
            if request.is_navigation_request() and request.existing_response is not None
        )

    def downloads(self, gaps: list[str]) -> tuple[Download, ...]:
        """The files that came; waits for those that are still on their way."""
        return tuple(_arrived(download, gaps) for download in self._downloads)

    def started_downloads(self) -> tuple[Download, ...]:
        """The same without waiting, and so without their content."""
        return tuple(_named(download) for download in self._downloads)

    def gaps(self) -> list[str]:
        """What was not recorded."""
        gaps = []
        if self._unrecorded:
            gaps.append(
                f"{self._unrecorded} requests after the first {MOST_REQUESTS} were not recorded"
            )
        if self._is_too_much():
            gaps.append(f"downloads were stopped after {MOST_DOWNLOADED} bytes")
        elif self._cancelled:
            gaps.append(
                f"{self._cancelled} downloads after the first {_MOST_DOWNLOADS} were stopped"
            )
        return gaps


def _is_of(request: Request, page: Page) -> bool:
    try:
        return request.frame == page.main_frame
    except Error:
        return True  # of a tab that is about to open


def _record(request: Request) -> NetworkRequest:
    # `response()` would wait for an answer that may never come.
    response = request.existing_response
    form, body = read_body(request.headers.get("content-type", ""), request.post_data_buffer)
    return NetworkRequest(
        method=request.method,
        url=sanitize(redact_address(request.url)[:_LONGEST]),
        kind=request.resource_type,
        status=None if response is None else response.status,
        form=redact_fields(sanitize_deep(form)),
        body=redact_fields(sanitize_deep(body)),
    )


def _named(download: BrowserDownload) -> Download:
    return Download(
        url=sanitize(redact_address(download.url)[:_LONGEST]),
        name=sanitize(download.suggested_filename[:_LONGEST]),
    )


def _arrived(download: BrowserDownload, gaps: list[str]) -> Download:
    found = _named(download)
    with suppress(OSError):
        try:
            # Raises for a browser reached over CDP, whose files are not available here.
            path = Path(download.path())
            with path.open("rb") as file:
                hexdigest = hashlib.file_digest(file, "sha256").hexdigest()
            return found.model_copy(update={"size": path.stat().st_size, "sha256": hexdigest})
        except Error as error:
            gaps.append(
                f"the download {found.name} did not arrive: {sanitize(error.message[:200])}"
            )
    return found
