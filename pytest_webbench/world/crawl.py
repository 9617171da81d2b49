"""Crawls a site of a replica over HTTP: what it has, and what is wrong with its pages."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx

from .page_links import PageLinks
from .replica import Replica

MOST: Final = 300
"""Addresses of a site that are opened."""
_ALIKE: Final = 40
"""Addresses with the same path and other values of the same parameters: lists have thousands."""
_SECONDS: Final = 20.0
# Whole words, and no parts of names such as pytest-mock, so that few are there by right.
_TELLING: Final = re.compile(
    r"(?<![\w-])(webbench|replicas?|mock(?:ed|up)?|dummy|lorem ipsum|counterexamples?|"
    r"test (?:site|page|suite|data|fixture)|(?:demo|fake|sample) (?:site|page|data))(?![\w-])",
    re.IGNORECASE,
)


class Found(NamedTuple):
    """Something that is wrong, and the page on which it was found, if it was on one."""

    what: str
    page: str


@dataclass
class Crawl:
    """What was found on a site."""

    pages: list[str] = field(default_factory=list)
    """Addresses of pages that were opened, the nearest to where the crawl began first."""
    kinds: set[tuple[str, str]] = field(default_factory=set)
    """Path and title of each: pages that differ in a parameter and not in their title are one."""
    dead: list[Found] = field(default_factory=list)
    outside: list[Found] = field(default_factory=list)
    """Files that pages fetch from hosts which are not there."""
    words: list[Found] = field(default_factory=list)
    failing: list[Found] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    """All addresses that were found, opened or not."""
    left: int = 0
    """Addresses that were found and not opened, because there were too many."""


def crawl(
    replica: Replica,
    hosts: Sequence[str],
    starts: Iterable[str],
    *,
    most: int = MOST,
    allowed: Collection[str] = (),
) -> Crawl:
    """Open what can be reached by links from ``starts`` on a site that answers at ``hosts``.

    ``allowed`` are words, in small letters, that the real site says as well.
    """
    replica.broken_since_last()
    with httpx.Client(verify=False, trust_env=False, timeout=_SECONDS) as client:
        crawler = _Crawler(replica, frozenset(hosts), client, most, frozenset(allowed))
        for url in starts:
            crawler.follow(url, "")
        crawler.run()
    crawler.found.failing += [Found(where, "") for where in replica.broken_since_last()]
    return crawler.found


class _Crawler:
    def __init__(
        self,
        replica: Replica,
        hosts: frozenset[str],
        client: httpx.Client,
        most: int,
        allowed: frozenset[str],
    ) -> None:
        self._allowed = allowed
        self._replica, self._hosts, self._client, self._most = replica, hosts, client, most
        self._alike: Counter[tuple[str, ...]] = Counter()
        self._waiting: deque[tuple[str, str]] = deque()
        self._opened = 0
        self.found = Crawl()

    def follow(self, url: str, page: str) -> None:
        """Open ``url`` later, which ``page`` links to, unless it leads out of the replica."""
        if self._replica.has_host(urlsplit(url).hostname or ""):
            self._add(address_of(url), page)

    def _add(self, url: str, page: str) -> None:
        if url in self.found.known:
            return
        self.found.known.add(url)
        parts = urlsplit(url)
        names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
        shape = (parts.netloc, parts.path, *names)
        self._alike[shape] += 1
        if self._alike[shape] > _ALIKE:
            self.found.left += 1
        else:
            self._waiting.append((url, page))

    def run(self) -> None:
        """Open what is waiting, until all is known or enough was opened."""
        while self._waiting and self._opened < self._most:
            url, page = self._waiting.popleft()
            self._opened += 1
            self._open(url, page)
        self.found.left += len(self._waiting)

    def _open(self, url: str, page: str) -> None:
        parts = urlsplit(url)
        # Nothing but the replica is asked, whatever host an address names.
        target = parts._replace(netloc=f"127.0.0.1:{self._replica.https_port}").geturl()
        try:
            answer = self._client.get(target, headers={"host": parts.netloc})
        except httpx.HTTPError as error:
            self.found.failing.append(Found(f"{url}: {type(error).__name__}: {error}", page))
            return
        if answer.status_code >= 500:
            self.found.failing.append(Found(f"{url} answers {answer.status_code}", page))
        if answer.status_code >= 400:
            self.found.dead.append(Found(f"{url} answers {answer.status_code}", page))
        elif answer.is_redirect:
            self.follow(urljoin(url, answer.headers["location"]), url)
        elif parts.hostname in self._hosts and _is_html(answer):
            self._read(url, answer.text)

    def _read(self, url: str, html: str) -> None:
        page = PageLinks(url, html)
        self.found.pages.append(url)
        self.found.kinds.add((urlsplit(url).path, page.title))
        telling = {match[0].lower() for match in _TELLING.finditer(page.text)}
        for word in sorted(telling - self._allowed):
            self.found.words.append(Found(repr(word), url))
        for link in page.links:
            self.follow(link, url)
        for resource in page.resources:
            self.follow(resource, url)
            if not self._replica.has_host(urlsplit(resource).hostname or ""):
                self.found.outside.append(Found(resource, url))


def address_of(url: str) -> str:
    """A link as a crawl knows it: by https, without a fragment."""
    parts = urlsplit(url)
    return parts._replace(scheme="https", path=parts.path or "/", fragment="").geturl()


def _is_html(answer: httpx.Response) -> bool:
    kind: str = answer.headers.get("content-type", "")
    return kind.startswith(("text/html", "application/xhtml"))
