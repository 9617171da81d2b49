"""What goes on between pages and the world while the agent acts: requests, downloads, errors in the console."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Error, Page, Request
from playwright.sync_api import Download as BrowserDownload

from ..evidence.bodies import read_body
from ..evidence.models import Download, NetworkRequest
from ..evidence.redact import redact_address, redact_fields
from ..evidence.scrub import scrub, scrub_deep

MOST_REQUESTS: Final = 1000
_MOST_DOWNLOADS: Final = 100
_MOST_ERRORS: Final = 200
_LONGEST: Final = 2000
_NOT_SENT: Final = ("data:", "blob:", "about:")


class Traffic:
    """Listens to events that Playwright sends anyway; costs no round trip before it is asked for its records."""

    def __init__(self, context: BrowserContext) -> None:
        self.in_flight: set[Request] = set()
        self.console_errors: list[str] = []
        self.watching = False
        self._requests: list[Request] = []
        self._downloads: list[BrowserDownload] = []
        self._unrecorded = 0
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
        if self.watching and len(self._downloads) < _MOST_DOWNLOADS:
            self._downloads.append(download)

    def loading(self, page: Page) -> bool:
        """Whether another document of this tab is on its way."""
        return any(request.is_navigation_request() and _is_of(request, page) for request in self.in_flight)

    def console_called(self, event: dict[str, Any]) -> None:
        """``Runtime.consoleAPICalled``: a page wrote to the console."""
        if event["type"] in ("error", "assert"):
            words = (part.get("value", part.get("description", "")) for part in event["args"])
            self._error(" ".join(str(word) for word in words))

    def exception_thrown(self, event: dict[str, Any]) -> None:
        """``Runtime.exceptionThrown``: a page did not catch an error."""
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        self._error(str(thrown.get("description", thrown.get("value", details.get("text", "")))).partition("\n")[0])

    def _error(self, text: str) -> None:
        if self.watching and len(self.console_errors) < _MOST_ERRORS:
            self.console_errors.append(scrub(text[:_LONGEST]))

    # -- records -------------------------------------------------------------------------------------------------

    def requests(self) -> tuple[NetworkRequest, ...]:
        """What was sent, in order."""
        return tuple(_record(request) for request in self._requests if not request.url.startswith(_NOT_SENT))

    def downloads(self, gaps: list[str]) -> tuple[Download, ...]:
        """The files that came; waits for those that are still on their way."""
        return tuple(_arrived(download, gaps) for download in self._downloads)

    def started_downloads(self) -> tuple[Download, ...]:
        """The same without waiting, and so without their content."""
        return tuple(_named(download) for download in self._downloads)

    def gaps(self) -> list[str]:
        """What was not recorded."""
        return (
            [f"{self._unrecorded} requests after the first {MOST_REQUESTS} were not recorded"]
            if self._unrecorded
            else []
        )


def _is_of(request: Request, page: Page) -> bool:
    try:
        return request.frame == page.main_frame
    except Error:
        return True  # of a tab that is about to open


def _record(request: Request) -> NetworkRequest:
    response = request.existing_response
    form, body = read_body(request.headers.get("content-type", ""), request.post_data_buffer)
    return NetworkRequest(
        method=request.method,
        url=scrub(redact_address(request.url)[:_LONGEST]),
        kind=request.resource_type,
        status=None if response is None else response.status,
        form=redact_fields(scrub_deep(form)),
        body=redact_fields(scrub_deep(body)),
    )


def _named(download: BrowserDownload) -> Download:
    return Download(
        url=scrub(redact_address(download.url)[:_LONGEST]), name=scrub(download.suggested_filename[:_LONGEST])
    )


def _arrived(download: BrowserDownload, gaps: list[str]) -> Download:
    found = _named(download)
    with suppress(OSError):
        try:
            path = Path(download.path())
            with path.open("rb") as file:
                hexdigest = hashlib.file_digest(file, "sha256").hexdigest()
            return found.model_copy(update={"size": path.stat().st_size, "sha256": hexdigest})
        except Error as error:
            gaps.append(f"the download {found.name} did not arrive: {scrub(error.message[:200])}")
    return found
