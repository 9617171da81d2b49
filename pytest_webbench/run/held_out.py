"""``--webbench-held-out FILE``: which sites a model may know from its training.

The file has one domain a line; `#` begins a comment. A domain stands for itself, for all hosts
below it, and for the sites that it is a host of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from .._text import clip, listed
from .._url import host_of
from ..errors import SettingsError
from .work_item import WorkItem

KEY: Final = "held_out"
"""What ``run.json`` calls it."""
_MOST: Final = 10
_LONGEST: Final = 100
_DOMAIN: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+|localhost")


class Overlap(NamedTuple):
    """The sites that are planned and also are in the file, each with its domain there."""

    file: str
    sites: int
    """How many are planned."""
    known: dict[str, str]
    tasks: int
    """How many of the planned tasks are on them."""

    def facts(self) -> dict[str, Any]:
        """What ``run.json`` says of it."""
        return {**self._asdict(), "text": str(self)}

    def __str__(self) -> str:
        if not self.known:
            return f"held out: none of {self.sites} sites is in {self.file}"
        shown = []
        for site, domain in sorted(self.known.items()):
            shown.append(site if site == domain else f"{site} (by {domain})")
        return (
            f"not held out: {len(self.known)} of {self.sites} sites are in {self.file}, "
            f"with {self.tasks} tasks: {', '.join(listed(shown, _MOST))}"
        )


def overlap_of(works: Iterable[WorkItem], file: Path, shown: str) -> Overlap:
    """What of the plan is in ``file``, which is ``shown`` so; `SettingsError` if it is unusable."""
    planned = {(work.plan_facts.site, work.key.suite, work.key.task) for work in works}
    sites = {site for site, _suite, _task in planned if site}
    known = overlapping(sites, read_domains(file))
    tasks = sum(site in known for site, _suite, _task in planned)
    return Overlap(shown, len(sites), known, tasks)


def read_domains(path: Path) -> set[str]:
    """The domains in a file; `SettingsError` that names the first line that is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"--webbench-held-out {path}: cannot be read: {error}") from error
    found = set()
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.partition("#")[0].strip()
        if entry:
            domain = _normal(host_of(entry) if "://" in entry else entry)
            if not _DOMAIN.fullmatch(domain):
                raise SettingsError(
                    f"--webbench-held-out {path}, line {number}: {clip(repr(entry), _LONGEST)} is "
                    "no domain; allowed: one domain a line, such as shop.example"
                )
            found.add(domain)
    if not found:
        raise SettingsError(f"--webbench-held-out {path}: it holds no domains")
    return found


def overlapping(sites: Iterable[str], domains: Iterable[str]) -> dict[str, str]:
    """Each of the ``sites`` that is one of the ``domains``, or above or below one, with that."""
    known = {domain: domain for domain in domains}
    # A list of domains can be long, and is gone through once for all sites.
    above: dict[str, str] = {}
    wanted = {_normal(site): site for site in sites}
    for domain in sorted(known):
        for parent in _parents(domain):
            if parent in wanted:
                above.setdefault(parent, domain)
    found = {}
    for name, site in wanted.items():
        for one in (name, *_parents(name)):
            if one in known:
                found[site] = one
                break
        else:
            if name in above:
                found[site] = above[name]
    return found


def _normal(host: str) -> str:
    """A host name in small letters and ASCII, without ``www.`` and a dot at its end."""
    name = host.lower().rstrip(".").removeprefix("www.")
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name


def _parents(host: str) -> Iterator[str]:
    labels = host.split(".")
    for first in range(1, len(labels) - 1):
        yield ".".join(labels[first:])


def stored_overlap(facts: Mapping[str, Any]) -> str:
    """What the run's latest session has found, as a sentence; empty if it was not asked."""
    found = facts.get(KEY)
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else ""
