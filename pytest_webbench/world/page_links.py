"""What a page refers to and says, read from its HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

_RESOURCES: Final = ("stylesheet", "icon", "preload", "modulepreload", "manifest")
"""What a browser fetches for a page of all that ``link`` elements name."""
_SPOKEN: Final = ("alt", "aria-label", "placeholder", "title", "content", "value")
_SILENT: Final = ("script", "style", "template")
_BLANKS: Final = re.compile(r"\s+")


class PageLinks(HTMLParser):
    """Addresses and texts of one page, ``url``."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self._base = url
        self.links: dict[str, None] = {}
        """Where links and frames lead, without fragments."""
        self.resources: dict[str, None] = {}
        """What a browser fetches to show the page."""
        self.title = ""
        self._texts: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """All that is written on the page, in labels and in comments."""
        return _BLANKS.sub(" ", " ".join(self._texts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._texts += [given[name] for name in _SPOKEN if name in given]
        if tag in _SILENT or tag == "title":
            self._open.append(tag)
        if tag == "base" and given.get("href"):
            self._base = urljoin(self._base, given["href"])
        elif tag in ("a", "area"):
            self._add(self.links, given.get("href"))
        elif tag in ("iframe", "frame"):
            self._add(self.links, given.get("src"))
        elif tag == "link" and set(given.get("rel", "").lower().split()) & set(_RESOURCES):
            self._add(self.resources, given.get("href"))
        elif tag in ("script", "img", "source", "video", "audio", "embed", "input"):
            self._add(self.resources, given.get("src"))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            self.title += data.strip()
        if not self._open or self._open[-1] == "title":
            self._texts.append(data)

    def handle_comment(self, data: str) -> None:
        self._texts.append(data)

    def _add(self, found: dict[str, None], address: str | None) -> None:
        if not address or address.startswith("#"):
            return
        try:
            url = urldefrag(urljoin(self._base, address.strip())).url
            scheme = urlsplit(url).scheme
        except ValueError:  # such as http://[
            return
        if scheme in ("http", "https"):
            found[url] = None
