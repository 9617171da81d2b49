"""Metrics over addresses."""

from __future__ import annotations

from typing import ClassVar, Literal
from urllib.parse import urlsplit

from ...errors import RuleError
from .. import normal, patterns
from ..base import Metric, Value

_DEFAULT_PORTS = {"http": 80, "https": 443}


class UrlMatches(Metric):
    """The address equals the expected one (or one of several); what differs for no user is ignored by default."""

    name: ClassVar[str] = "url_matches"
    ignore_scheme: bool = True
    ignore_www: bool = True
    ignore_query: bool = True
    ignore_fragment: bool = True
    ignore_trailing_slash: bool = True

    def validate_expected(self, expected: Value) -> str | None:
        wanted = expected if isinstance(expected, list) else [expected]
        if not wanted or not all(isinstance(url, str) and url for url in wanted):
            return "must be an address or a list of addresses"
        return None

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, str):
            return 0.0
        wanted = expected if isinstance(expected, list) else [expected]
        return float(self._plain(result) in {self._plain(url) for url in wanted})

    def _plain(self, url: str) -> str:
        parts = urlsplit(url.strip())
        try:
            port = parts.port
        except ValueError as error:
            raise RuleError(f"{url!r} has an impossible port") from error
        host = (parts.hostname or "").removeprefix("www.") if self.ignore_www else parts.hostname or ""
        if port and port != _DEFAULT_PORTS.get(parts.scheme):
            host = f"{host}:{port}"
        path = parts.path or "/"
        if self.ignore_trailing_slash and len(path) > 1:
            path = path.rstrip("/") or "/"
        scheme = "" if self.ignore_scheme else f"{parts.scheme}://"
        query = "" if self.ignore_query or not parts.query else f"?{parts.query}"
        fragment = "" if self.ignore_fragment or not parts.fragment else f"#{parts.fragment}"
        return f"{scheme}{host}{path}{query}{fragment}"


class UrlPatternMatch(Metric):
    """Regular expressions are found in a text (usually an address); all of them or any."""

    name: ClassVar[str] = "url_pattern_match"
    mode: Literal["all", "any"] = "all"

    def validate_expected(self, expected: Value) -> str | None:
        return patterns.refuse_any(expected)

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, str):
            return 0.0
        wanted = expected if isinstance(expected, list) else [expected]
        hits = [normal.found(pattern, result) for pattern in wanted]
        return float(all(hits) if self.mode == "all" else any(hits))
