"""Whether the sites of a replica are good enough to be taken for real ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from .._suggest import unknown
from .._text import listed
from ..browser.site_look import Seen, look
from ..errors import SettingsError
from ..task.folder import SuiteFolder
from ..world.crawl import Crawl, Found, address_of, crawl
from ..world.kit.site import hosts_of
from ..world.replica import Replica, site_files

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LEAST_PAGES: Final = 25
EDITIONS: Final = 3
WORDS: Final = "words.txt"
"""In a site's folder: words that tell of a test elsewhere, one a line, and that belong there."""
_IN_OTHER_EDITIONS: Final = 60
"""Addresses that are opened in editions 1 and 2."""
_ROUNDS: Final = 3
"""How often links are followed that only scripts put on pages."""
_SAMPLE: Final = 4
"""Pages besides the start pages that the browser looks at."""
_MOST: Final = 10
"""Lines of one rule that are printed."""


class Rule(StrEnum):
    """What is asked of a site."""

    PAGES = "too few pages"
    DEAD = "dead links"
    NAMES = "controls without a name"
    OUTSIDE = "requests to other hosts"
    WORDS = "words that tell of a test"
    FAILING = "pages that fail"
    EDITIONS = "other editions"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteReport:
    """What was found of one site; ``problems`` holds, by rule, what is below the standard."""

    host: str
    tasks: int
    pages: int
    opened: int
    left: int
    """Addresses that were found and not opened."""
    looked: int
    """Pages that the browser has looked at."""
    problems: dict[Rule, list[str]] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether the site meets the standard."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Site:
    """One site of a replica: the hosts that it answers at, and where its tasks begin."""

    host: str
    hosts: tuple[str, ...]
    tasks: int
    starts: tuple[str, ...]
    allowed: tuple[str, ...]
    """Words that the real site says as well."""


def sites_of(folder: SuiteFolder, only: Sequence[str] = ()) -> list[Site]:
    """The sites of a suite, or those that answer at the hosts ``only``.

    `SettingsError` if there is no replica, or no such host in it.
    """
    files = site_files(folder.path / "replica")
    for host in only:
        if host not in files:
            known = sorted({file.parent.name for file in files.values()})
            raise SettingsError(f"{folder.path}: {unknown('host', host, known)}")
    chosen = {files[host] for host in only} or set(files.values())
    return [_site(file.parent, folder) for file in sorted(chosen)]


def _site(place: Path, folder: SuiteFolder) -> Site:
    hosts = hosts_of(place)
    starts = []
    for task in folder.tasks.values():
        if urlsplit(task.start_url).hostname in hosts:
            starts.append(task.start_url)
    home = f"https://{place.name}/"
    words = place / WORDS
    allowed = words.read_text("utf-8").lower().splitlines() if words.is_file() else []
    return Site(
        host=place.name,
        hosts=hosts,
        tasks=len(starts),
        starts=tuple(dict.fromkeys([*starts, home])),
        allowed=tuple(map(str.strip, allowed)),
    )


def examine(site: Site, replica: Replica, browser: Browser) -> SiteReport:
    """Crawl a site in each edition, and look at some of its pages in a browser."""
    replica.edition = 0
    first, looked = _explored(site, replica, browser)
    problems = {rule: lines for rule, lines in _problems(first, looked) if lines}
    others = list(_in_other_editions(site, replica, first))
    if others:
        problems[Rule.EDITIONS] = others
    return SiteReport(
        host=site.host,
        tasks=site.tasks,
        pages=len(first.kinds),
        opened=len(first.pages),
        left=first.left,
        looked=len(looked),
        problems=problems,
    )


def _explored(site: Site, replica: Replica, browser: Browser) -> tuple[Crawl, list[Seen]]:
    """What is found by links, those included that only scripts put on the pages of a sample."""
    starts = list(site.starts)
    looked: dict[str, Seen] = {}
    for _round in range(_ROUNDS):
        found = crawl(replica, site.hosts, starts, allowed=site.allowed)
        fresh = [url for url in _sample(site, found) if url not in looked]
        looked |= {seen.url: seen for seen in look(browser, replica, fresh)}
        made = _made_by_scripts(looked.values(), found, site)
        if not made:
            break
        starts += sorted(made)
    return found, list(looked.values())


def _made_by_scripts(looked: Iterable[Seen], found: Crawl, site: Site) -> set[str]:
    """Links within the site that the crawl has not found in the HTML of its pages."""
    made: set[str] = set()
    for seen in looked:
        for link in map(address_of, seen.links):
            if link not in found.known and urlsplit(link).hostname in site.hosts:
                made.add(link)
    return made


def _sample(site: Site, found: Crawl) -> list[str]:
    """The start pages, and some from all over the rest."""
    others = [url for url in found.pages if url not in site.starts]
    step = max(1, len(others) // _SAMPLE)
    return [*site.starts, *others[step - 1 :: step][:_SAMPLE]]


def _problems(found: Crawl, looked: Sequence[Seen]) -> Iterator[tuple[Rule, list[str]]]:
    pages = len(found.kinds)
    few = f"{pages} pages were found, of at least {LEAST_PAGES}"
    yield Rule.PAGES, [few] if pages < LEAST_PAGES else []
    yield Rule.DEAD, _texts(found.dead)
    nameless: list[Found] = []
    outside, failing = list(found.outside), list(found.failing)
    for seen in looked:
        nameless += [Found(control, seen.url) for control in seen.nameless]
        outside += [Found(address, seen.url) for address in seen.outside]
        failing += [Found(problem, seen.url) for problem in seen.failing]
    yield Rule.NAMES, _texts(nameless)
    yield Rule.OUTSIDE, _texts(outside)
    yield Rule.WORDS, _texts(found.words)
    yield Rule.FAILING, _texts(failing)


def _texts(found: Iterable[Found]) -> list[str]:
    """What is wrong, each with the first page that it is on and how many more there are."""
    places: dict[str, dict[str, None]] = {}
    for what, page in found:
        places.setdefault(what, {})[page] = None
    texts = []
    for what, pages in places.items():
        first, more = next(iter(pages)), len(pages) - 1
        where = f" (on {first})" if first else ""
        if more:
            where = f" (on {first} and {more} more pages)"
        texts.append(f"{what}{where}")
    return texts


def _in_other_editions(site: Site, replica: Replica, first: Crawl) -> Iterator[str]:
    """What fails there and does not in edition 0."""
    known = {one.what for one in (*first.failing, *first.dead)}
    for number in range(1, EDITIONS):
        replica.edition = number
        found = crawl(replica, site.hosts, site.starts, most=_IN_OTHER_EDITIONS)
        for problem in _texts(
            one for one in (*found.failing, *found.dead) if one.what not in known
        ):
            yield f"edition {number}: {problem}"
    replica.edition = 0


# -- Output ----------------------------------------------------------------------------------------


def site_lines(reports: Sequence[SiteReport]) -> Iterator[str]:
    """One line per site, with what is below the standard; a last line counts."""
    width = max((len(one.host) for one in reports), default=0)
    for one in reports:
        word = "ok   " if one.holds else "BELOW"
        left = f" ({one.left} more not opened)" if one.left else ""
        line = f"{word} {one.host:{width}}  tasks {one.tasks}, pages {one.pages}{left}"
        counts = []
        for rule, lines in one.problems.items():
            counts.append(rule.value if rule is Rule.PAGES else f"{rule} {len(lines)}")
        yield "; ".join([line, *counts])
        for rule, lines in one.problems.items():
            for text in listed(lines, _MOST):
                yield f"        {rule}: {text}"
    good = sum(one.holds for one in reports)
    yield f"{good} of {len(reports)} sites meet the standard"


def site_data(reports: Sequence[SiteReport]) -> dict[str, Any]:
    """The same as JSON, whole."""
    sites = []
    for one in reports:
        problems = {rule.name.lower(): lines for rule, lines in one.problems.items()}
        sites.append(
            {
                "host": one.host,
                "holds": one.holds,
                "tasks": one.tasks,
                "pages": one.pages,
                "opened": one.opened,
                "left": one.left,
                "looked_at": one.looked,
                "problems": problems,
            }
        )
    return {"version": 1, "sites": sites}
