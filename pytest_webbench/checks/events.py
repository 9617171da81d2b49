"""Getters that read what happened while the agent acted: requests, downloads, dialogs, errors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from ..evidence.models import Evidence, NetworkRequest
from . import patterns
from .base import Getter, Value
from .normal import found


def _usable(pattern: str) -> str:
    if reason := patterns.refuse(pattern):
        raise ValueError(reason)
    return pattern


Pattern = Annotated[str, AfterValidator(_usable)]


class NetworkRequests(Getter):
    """Requests that pages sent while the agent acted, in order.

    Each with method, url, kind, status, form and body.
    """

    type: Literal["network_requests"] = "network_requests"
    method: str | None = Field(None, description="only these, e.g. `POST`")
    url_pattern: Pattern | None = Field(
        None, description="only those whose address contains a match"
    )
    kind: str | None = Field(
        None, description="only these: document, xhr, fetch, script, image ..."
    )

    def read(self, evidence: Evidence) -> Value:
        return [
            request.model_dump(mode="json")
            for request in evidence.requests
            if self._is_wanted(request)
        ]

    def _is_wanted(self, request: NetworkRequest) -> bool:
        if self.method is not None and request.method != self.method.upper():
            return False
        if self.kind not in (None, request.kind):
            return False
        return self.url_pattern is None or found(self.url_pattern, request.url)


class Downloads(Getter):
    """Files that were downloaded: url, name, size in bytes, sha256."""

    type: Literal["downloads"] = "downloads"

    def read(self, evidence: Evidence) -> Value:
        return [download.model_dump(mode="json") for download in evidence.downloads]


class Dialogs(Getter):
    """Dialogs that appeared, each as ``kind: message``."""

    type: Literal["dialogs"] = "dialogs"

    def read(self, evidence: Evidence) -> Value:
        return list(evidence.dialogs)


class ConsoleErrors(Getter):
    """Errors that pages wrote to the console or did not catch."""

    type: Literal["console_errors"] = "console_errors"

    def read(self, evidence: Evidence) -> Value:
        return list(evidence.console_errors)
