"""Metrics over addresses."""

from __future__ import annotations

import re
from typing import ClassVar, Literal
from urllib.parse import quote, urlsplit

from pydantic import Field

from ...errors import RuleError
from .. import normal, patterns
from ..base import Flaw, Metric, Value

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)")
_KEPT = "%/:?#[]@!$&'()*+,;=~|^`{}\\\"<>"
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def _listed(expected: Value) -> list[Value]:
    return expected if isinstance(expected, list) else [expected]


class _UrlMetric(Metric):
    ignore_scheme: bool = True
    ignore_www: bool = True
    ignore_query: bool = True
    ignore_fragment: bool = True
    ignore_trailing_slash: bool = True

    def flaws(self, expected: Value) -> list[Flaw]:
        wanted = _listed(expected)
        if not wanted or not all(isinstance(url, str) and url.strip() for url in wanted):
            return [Flaw("must be an address or a list of addresses")]
        at = [(index,) if isinstance(expected, list) else () for index in range(len(wanted))]
        return [
            Flaw(f"{url!r} is no address that a browser can show", place)
            for url, place in zip(wanted, at, strict=True)
            if self.plain(url) is None
        ]

    def wanted(self, expected: Value) -> set[str]:
        """The expected addresses in comparable form."""
        if flaws := self.flaws(expected):
            raise RuleError(f"expected {flaws[0].what}")
        return {plain for url in _listed(expected) if (plain := self.plain(url)) is not None}

    def plain(self, url: str) -> str | None:
        """``url`` in comparable form; None if it is impossible."""
        url = url.strip()
        if not _SCHEME.match(url) or _HOST.match(url):
            url = f"https://{url}" if _HOST.match(url) else url
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return None
        host = _ascii_host(parts.hostname or "")
        host = host.removeprefix("www.") if self.ignore_www else host
        if port and port != _DEFAULT_PORTS.get(parts.scheme):
            host = f"{host}:{port}"
        path = _unescaped(parts.path) or "/"
        if self.ignore_trailing_slash and len(path) > 1:
            path = path.rstrip("/") or "/"
        scheme = "" if self.ignore_scheme else f"{parts.scheme}://"
        query = "" if self.ignore_query or not parts.query else f"?{_unescaped(parts.query)}"
        fragment = "" if self.ignore_fragment or not parts.fragment else f"#{_unescaped(parts.fragment)}"
        return f"{scheme}{host}{path}{query}{fragment}"


def _ascii_host(host: str) -> str:
    """The host as browsers report it: ``münchen.example`` as ``xn--mnchen-3ya.example``."""
    try:
        return host.rstrip(".").encode("idna").decode("ascii")
    except UnicodeError:
        return host.rstrip(".")


def _unescaped(text: str) -> str:
    """``text`` with needless escapes undone, the others in capitals, and what has to be escaped escaped."""

    def tidy(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char in _UNRESERVED else match.group().upper()

    return re.sub(r"%([0-9a-fA-F]{2})", tidy, quote(text, safe=_KEPT, errors="replace"))


class UrlMatches(_UrlMetric):
    """The address equals the expected one (or one of several); what differs for no user is ignored by default."""

    name: ClassVar[str] = "url_matches"

    def score(self, result: Value, expected: Value) -> float:
        wanted = self.wanted(expected)
        return float(isinstance(result, str) and self.plain(result) in wanted)


class TabsMatch(_UrlMetric):
    """Every expected address is open in some tab; with ``mode: equal`` no other is."""

    name: ClassVar[str] = "tabs_match"
    mode: Literal["subset", "equal"] = "subset"

    def score(self, result: Value, expected: Value) -> float:
        wanted = self.wanted(expected)
        if not isinstance(result, list):
            return 0.0
        urls = [tab.get("url") if isinstance(tab, dict) else tab for tab in result]
        found = {self.plain(url) for url in urls if isinstance(url, str)}
        return float(wanted == found if self.mode == "equal" else wanted <= found)


class UrlPatternMatch(Metric):
    """Regular expressions are found in a text (usually an address), in any case; all of them or any."""

    name: ClassVar[str] = "url_pattern_match"
    mode: Literal["all", "any"] = "all"
    flags: str | None = Field(None, pattern=r"^[imsxIMSX |-]*$", description="letters of m, s, x")

    def flaws(self, expected: Value) -> list[Flaw]:
        return list(patterns.flaws(expected))

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, str):
            return 0.0
        hits = [normal.found(pattern, result, extra=self.flags) for pattern in _listed(expected)]
        return float(all(hits) if self.mode == "all" else any(hits))
