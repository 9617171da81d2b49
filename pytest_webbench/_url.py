"""Addresses of the web: their origin, their host, and what of them may be shown."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_UNDECODED: Final = "surrogateescape"
_UNDECODED_BYTE: Final = re.compile("[\udc80-\udcff]")


def origin_of(url: str) -> str | None:
    """The origin as ``location.origin`` writes it: ``https://shop.example``.

    None for an address whose pages have no origin (``about:blank``, ``data:``) or that cannot be
    parsed.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    origin = f"{parts.scheme}://{_bracketed(parts.hostname)}"
    if port is None or port == DEFAULT_PORTS[parts.scheme]:
        return origin
    return f"{origin}:{port}"


def host_of(url: str) -> str:
    """The host name without ``www.``; empty if there is none or the address cannot be parsed."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def is_on_site(host: str, site: str) -> bool:
    """Whether ``host`` is the host ``site`` or one below it."""
    return host == site or host.endswith(f".{site}")


def is_same_site(url: str, other: str) -> bool:
    """Whether one address is of the other's host, or of a host above or below it."""
    host, site = host_of(url), host_of(other)
    return is_on_site(host, site) or is_on_site(site, host)


def is_web_address(url: str) -> bool:
    """Whether ``url`` is an absolute ``http`` or ``https`` address with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in DEFAULT_PORTS and bool(parts.hostname)


def public_part(url: str) -> str:
    """Scheme, host and port: all that an error may show, for the rest can hold a token."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "(an address that cannot be read)"
    shown = f"{parts.scheme}://{_bracketed(parts.hostname or '')}"
    return shown if port is None else f"{shown}:{port}"


def decoded(text: str) -> str:
    """``text`` without percent escapes.

    They are read as UTF-8, and as Windows-1252 where they are none: old forms and servers write
    `caf%E9`.
    """
    return _mended(unquote(text, errors=_UNDECODED))


def form_values(text: str, *, blanks: bool) -> dict[str, list[str]]:
    """Values by name, decoded as forms are; ``blanks``: parameters without a value as well."""
    values: dict[str, list[str]] = {}
    for name, value in parse_qsl(text, keep_blank_values=blanks, errors=_UNDECODED):
        values.setdefault(_mended(name), []).append(_mended(value))
    return values


def _mended(text: str) -> str:
    return _UNDECODED_BYTE.sub(lambda found: _in_windows_1252(ord(found[0]) - 0xDC00), text)


def _in_windows_1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:  # the few bytes that it does not use, which browsers keep
        return chr(byte)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
