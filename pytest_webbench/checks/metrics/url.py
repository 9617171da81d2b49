"""Metrics over addresses."""

from __future__ import annotations

import re
from typing import ClassVar, Final, Literal
from urllib.parse import quote, urlsplit

from pydantic import Field

from ..._url import DEFAULT_PORTS
from ...errors import RuleError
from .. import normal, patterns
from ..base import Issue, Metric, Value, as_list

_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST: Final = re.compile(r"[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)")
_KEPT: Final = "%/:?#[]@!$&'()*+,;=~|^`{}\\\"<>"
_PATH_MARKS: Final = frozenset("!$&'()*+,;=:@[]|^")
_QUERY_MARKS: Final = frozenset("!$'()*,;:@/?[]|^")
_UNRESERVED: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


class _UrlMetric(Metric):
    ignore_scheme: bool = True
    ignore_www: bool = True
    ignore_query: bool = True
    ignore_fragment: bool = True
    ignore_trailing_slash: bool = True
    ordered_query: bool = Field(
        False, description="with `ignore_query: false`, parameters have to come in this order"
    )

    def issues(self, expected: Value) -> list[Issue]:
        wanted = as_list(expected)
        if not wanted or not all(isinstance(url, str) and url.strip() for url in wanted):
            return [Issue("must be an address or a list of addresses")]
        found = []
        for index, url in enumerate(wanted):
            if self.plain(url) is None:
                at = (index,) if isinstance(expected, list) else ()
                found.append(Issue(f"{url!r} is not an address that a browser can show", at))
        return found

    def wanted(self, expected: Value) -> set[str]:
        """The expected addresses in comparable form; `RuleError` if they are malformed."""
        if issues := self.issues(expected):
            raise RuleError(f"expected {issues[0].what}")
        return {plain for url in as_list(expected) if (plain := self.plain(url)) is not None}

    def plain(self, url: str) -> str | None:
        """``url`` in comparable form; None if it is impossible."""
        url = url.strip()
        if _HOST.match(url):
            url = f"https://{url}"
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return None
        host = _ascii_host(parts.hostname or "")
        if self.ignore_www:
            host = host.removeprefix("www.")
        if port and port != DEFAULT_PORTS.get(parts.scheme):
            host = f"{host}:{port}"
        plain = host + self._plain_path(parts.path)
        if not self.ignore_scheme:
            plain = f"{parts.scheme}://{plain}"
        if parts.query and not self.ignore_query:
            plain += f"?{self._plain_query(parts.query)}"
        if parts.fragment and not self.ignore_fragment:
            plain += f"#{_unescaped(parts.fragment)}"
        return plain

    def _plain_query(self, query: str) -> str:
        pairs = [_plain_pair(one.replace("+", "%20")) for one in query.split("&") if one]
        if not self.ordered_query:
            # Values of one parameter keep their order among themselves.
            pairs.sort(key=lambda pair: pair.partition("=")[0])
        return "&".join(pairs)

    def _plain_path(self, path: str) -> str:
        path = _unescaped(path, _PATH_MARKS) or "/"
        if self.ignore_trailing_slash:
            path = path.rstrip("/") or "/"
        return path


def _ascii_host(host: str) -> str:
    """The host as browsers report it: ``münchen.example`` as ``xn--mnchen-3ya.example``."""
    try:
        return host.rstrip(".").encode("idna").decode("ascii")
    except UnicodeError:
        return host.rstrip(".")


def _plain_pair(parameter: str) -> str:
    """A parameter in comparable form; only its first ``=`` is one, others belong to the value."""
    name, sign, value = parameter.partition("=")
    return _unescaped(name, _QUERY_MARKS) + sign + _unescaped(value, _QUERY_MARKS | {"="})


def _unescaped(text: str, marks: frozenset[str] = frozenset()) -> str:
    """``text`` with needless escapes undone, the others in capitals, and missing ones added.

    ``marks`` are reserved characters that stand for nothing else when they are escaped.
    """

    def tidy(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char in _UNRESERVED or char in marks else match.group().upper()

    return re.sub(r"%([0-9a-fA-F]{2})", tidy, quote(text, safe=_KEPT, errors="replace"))


class UrlMatches(_UrlMetric):
    """The address equals the expected one, or one of several.

    What makes no difference to users is ignored by default.
    """

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
        found = set()
        for tab in result:
            url = tab.get("url") if isinstance(tab, dict) else tab
            if isinstance(url, str):
                found.add(self.plain(url))
        if self.mode == "equal":
            return float(wanted == found)
        return float(wanted <= found)


class UrlPatternMatch(Metric):
    """Regular expressions are found in a text (usually an address), in any case: all or any."""

    name: ClassVar[str] = "url_pattern_match"
    mode: Literal["all", "any"] = "all"
    flags: str | None = Field(None, pattern=r"^[imsxIMSX |-]*$", description="letters of m, s, x")

    def issues(self, expected: Value) -> list[Issue]:
        return list(patterns.issues(expected))

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, str):
            return 0.0
        hits = [normal.found(pattern, result, extra=self.flags) for pattern in as_list(expected)]
        if self.mode == "any":
            return float(any(hits))
        return float(all(hits))
