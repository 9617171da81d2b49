"""What went wrong with a connection or with a reply's JSON, in words."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import httpx

CONNECT_SECONDS: Final = 5.0
"""Longest wait for a connection."""
_TLS_WORDS: Final = ("certificate", "ssl", "tls")
_DNS_WORDS: Final = (
    "name or service",
    "getaddrinfo",
    "nodename",
    "name resolution",
    "no address",
)
"""How Linux, macOS and Windows say that a host name does not resolve."""


def connection_trouble(error: httpx.RequestError, address: str, timeout: float) -> str:
    """What happened to a connection to ``address``; ``timeout`` is what one try was allowed."""
    host = urlsplit(address).netloc
    if isinstance(error, httpx.ConnectTimeout):
        return f"{host} does not answer: no connection within {min(timeout, CONNECT_SECONDS):g} s"
    if isinstance(error, httpx.TimeoutException):
        return f"{address} gave no answer within {timeout:g} s"
    if isinstance(error, httpx.ConnectError):
        return _connect_trouble(error, host)
    return f"{address} broke the connection off: {str(error) or type(error).__name__}"


def _connect_trouble(error: httpx.ConnectError, host: str) -> str:
    # httpx has one class for all of these; only the system's words tell them apart.
    words = str(error).casefold()
    if any(word in words for word in _TLS_WORDS):
        return f"{host} cannot be trusted or speaks no TLS: {error}"
    if any(word in words for word in _DNS_WORDS):
        return f"the host name of {host} is unknown (DNS): {error}"
    return f"{host} cannot be reached: {error}"


def json_trouble(body: str, error: ValueError) -> str:
    """Why ``body`` is not JSON: it is empty, something else, or broken."""
    start = " ".join(body[:80].split())
    if not start:
        return "with nothing"
    if start[0] in "{[":
        return f"with broken JSON: {error}"
    return f"not with JSON ({error}); it begins with {start!r}"
