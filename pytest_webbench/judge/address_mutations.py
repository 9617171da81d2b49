"""Wrong addresses made from a right one, and put wherever evidence holds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit

from ..checks import Value
from ..evidence.models import Evidence, HistoryEntry, PageSeen, PageState, Tab

_DIGITS: Final = re.compile(r"\d+")

Rewrite: TypeAlias = Callable[[SplitResult], str | None]
"""Another address; None where there is nothing to change."""


class Change(NamedTuple):
    """One way to make evidence wrong; ``update`` holds the fields that change."""

    family: str
    what: str
    update: dict[str, Any]


def rewritten(urls: set[str], evidence: Evidence, rewrite: Rewrite) -> dict[str, Any]:
    """The fields of evidence with these addresses rewritten, wherever they are."""

    def new(url: str) -> str:
        if url not in urls:
            return url
        return rewrite(urlsplit(url)) or url

    def moved(records: Iterable[PageState | Tab | HistoryEntry | PageSeen]) -> list[Any]:
        return [one.model_copy(update={"url": new(one.url)}) for one in records]

    page = None
    if evidence.page is not None:
        (page,) = moved([evidence.page])
    return {
        "page": page,
        "tabs": tuple(moved(evidence.tabs)),
        "history": tuple(moved(evidence.history)),
        "pages_seen": tuple(moved(evidence.pages_seen)),
    }


def spelling_changes(final: set[str], evidence: Evidence) -> Iterator[Change]:
    """The final address in another case, and without its fragment."""
    what = "the final address in other letters' case"
    yield Change("letter-case", what, rewritten(final, evidence, _in_other_case))
    what = "the final address without its fragment"
    yield Change("fragment", what, rewritten(final, evidence, _without_fragment))


def address_changes(
    where: str, spec: str, evidence: Evidence, urls: set[str], *, blanks: bool = True
) -> Iterator[Change]:
    """Other parameters, hosts and paths; ``spec`` is what the checks say of addresses.

    Parameters without a value are changed if ``blanks`` says so.
    """
    for name, value in _parameters(urls):
        if not _mentions(spec, name) or not (value or blanks):
            continue
        without = rewritten(urls, evidence, _with_pair(name, value, None))
        yield Change("dropped-parameter", f"{where} without {name}={value}", without)
        for other in other_values(value):
            update = rewritten(urls, evidence, _with_pair(name, value, other))
            yield Change("changed-parameter", f"{where} with {name}={other} for {value}", update)
    for what, host in _HOSTS.items():
        update = rewritten(urls, evidence, partial(_on_host, change=host))
        yield Change("look-alike-host", f"{where} on {what}", update)
    for what, path in _PATHS.items():
        update = rewritten(urls, evidence, partial(_on_path, change=path))
        yield Change("sibling-page", f"{where} {what}", update)


def extra_parameters(expected: Value, final: set[str], evidence: Evidence) -> Iterator[Change]:
    """The final address with parameters that must be absent (``null`` is expected of them)."""
    if not isinstance(expected, dict):
        return
    for name, rule in expected.items():
        if rule is None:
            extra = f"{quote(name)}=other"
            update = rewritten(final, evidence, partial(_with_more, extra=extra))
            yield Change("extra-parameter", f"the final address with {extra} added", update)


def other_values(value: str) -> list[str]:
    """Values next to ``value``.

    Numbers one more and one less; anything else longer, shorter and quite another.
    """
    numbers = list(_DIGITS.finditer(value))
    if numbers:
        last = numbers[-1]
        number = int(last[0])
        others = [_with_digits(value, last, number + 1)]
        if number > 0:
            others.append(_with_digits(value, last, number - 1))
        return others
    if len(value) > 1:
        return [f"{value}x", value[:-1], "other"]
    return [f"{value}x", "other"]


def _with_digits(text: str, match: re.Match[str], number: int) -> str:
    """``text`` with another number for the one that was matched, padded to its length."""
    digits = str(number).rjust(len(match[0]), "0")
    return text[: match.start()] + digits + text[match.end() :]


# -- parameters ----------------------------------------------------------------------------------


def _parameters(urls: set[str]) -> list[tuple[str, str]]:
    pairs: set[tuple[str, str]] = set()
    for url in urls:
        fragment = urlsplit(url).fragment
        for part in (urlsplit(url).query, fragment.partition("?")[2] or fragment):
            pairs.update(parse_qsl(part, keep_blank_values=True))
    return sorted(pairs)


def _mentions(spec: str, name: str) -> bool:
    """Whether the checks speak of a parameter; ``filter[color]`` may be written in several ways."""
    words = re.findall(r"[a-zA-Z0-9]+", name)
    if not words:
        return False
    for word in words:
        if word not in spec:
            return False
    key = rf'(?<![a-zA-Z0-9]){words[-1]}(?:[^a-zA-Z0-9&]|%5[BDbd]){{0,16}}[="]'
    return re.search(key, spec) is not None


def _with_pair(name: str, value: str, other: str | None) -> Rewrite:
    """Rewrites ``name=value``; None for ``other`` takes the parameter away."""

    def rewrite(url: SplitResult) -> str | None:
        query = _replaced(url.query, name, value, other)
        fragment = _replaced(url.fragment, name, value, other)
        if (query, fragment) == (None, None):
            return None
        if query is not None:
            url = url._replace(query=query)
        if fragment is not None:
            url = url._replace(fragment=fragment)
        return url.geturl()

    return rewrite


def _replaced(text: str, name: str, value: str, other: str | None) -> str | None:
    """A query with another value for the parameter; None if it does not have this one."""
    # In a fragment the parameters may come after a path of its own: `#/lamps?page=2`.
    head, mark, tail = text.partition("?")
    if not mark:
        head, tail = "", text
    parts = tail.split("&")
    kept, key = [], ""
    for part in parts:
        if parse_qsl(part, keep_blank_values=True) == [(name, value)]:
            # As it is written there: names may be escaped in several ways.
            key = key or part.partition("=")[0]
        else:
            kept.append(part)
    if len(kept) == len(parts):
        return None
    if other is not None:
        kept.append(f"{key}={quote(other, safe='')}")
    return head + mark + "&".join(kept)


def _with_more(url: SplitResult, extra: str) -> str:
    return url._replace(query=f"{url.query}&{extra}".removeprefix("&")).geturl()


# -- hosts, paths, spelling ----------------------------------------------------------------------


def _another_top_level(host: str) -> str:
    top = "example" if host.endswith(".test") else "test"
    return f"{host.rpartition('.')[0]}.{top}"


_HOSTS: Final[dict[str, Callable[[str], str]]] = {
    "another site with this host's name in front": lambda host: f"{host}.example.net",
    "another site whose name ends like it": lambda host: f"not{host.removeprefix('www.')}",
    "another top-level domain": _another_top_level,
    "another site with the address in its path": lambda host: f"example.net/{host}",
}


def _on_host(url: SplitResult, change: Callable[[str], str]) -> str | None:
    if not url.hostname:
        return None
    return url._replace(netloc=change(url.hostname)).geturl()


def _stepped(segment: str, step: int) -> str:
    numbers = list(_DIGITS.finditer(segment))
    if not numbers or int(numbers[-1][0]) + step < 0:
        return segment
    return _with_digits(segment, numbers[-1], int(numbers[-1][0]) + step)


_PATHS: Final[dict[str, Callable[[str], str]]] = {
    "with the next number": lambda segment: _stepped(segment, 1),
    "with the number before": lambda segment: _stepped(segment, -1),
    "with a longer name": lambda segment: f"{segment}-2",
    "with a shorter name": lambda segment: segment[:-1],
    "one level up": lambda _segment: "",
    "one level down": lambda segment: f"{segment}/edit",
}


def _on_path(url: SplitResult, change: Callable[[str], str]) -> str | None:
    head, _, last = url.path.rstrip("/").rpartition("/")
    if not last:
        return None
    end = "/" if url.path.endswith("/") else ""
    return url._replace(path=f"{head}/{change(last)}{end}").geturl()


def _in_other_case(url: SplitResult) -> str | None:
    return _on_path(url, str.swapcase)


def _without_fragment(url: SplitResult) -> str:
    return url._replace(fragment="").geturl()
