"""Rows that a site shows: searched, filtered, counted, sorted and paged."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

Row: TypeAlias = dict[str, Any]
"""One thing that a site shows: values by field name."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageOf(Generic[T]):
    """One page of a list; numbers and positions count from 1."""

    items: list[T]
    """The page's items, at most ``size``."""
    number: int
    """Which page this is."""
    size: int
    """Items per page."""
    total: int
    """Items on all pages."""

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, math.ceil(self.total / self.size))

    @property
    def first(self) -> int:
        """Position of the first item; 0 if the list is empty."""
        return (self.number - 1) * self.size + 1 if self.total else 0

    @property
    def last(self) -> int:
        """Position of the last item."""
        return min(self.number * self.size, self.total)

    def around(self, reach: int = 2) -> list[int]:
        """Page numbers up to ``reach`` away from this one, for a row of links.

        >>> PageOf(["a", "b"], number=4, size=2, total=20).around()
        [2, 3, 4, 5, 6]
        """
        return list(range(max(1, self.number - reach), min(self.pages, self.number + reach) + 1))


@dataclass(frozen=True)
class Catalogue:
    """Rows that can be searched, filtered, counted, sorted and paged.

    Methods that select or sort return a new catalogue, so that calls can be chained:

    >>> books = Catalogue(
    ...     [
    ...         {"title": "Emma", "language": "English", "year": 1815},
    ...         {"title": "Emma", "language": "French", "year": 1816},
    ...         {"title": "Candide", "language": "French", "year": 1759},
    ...     ]
    ... )
    >>> [row["year"] for row in books.where(language="French").sort("year")]
    [1759, 1816]
    """

    rows: list[Row] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def search(self, query: str, *fields: str) -> Catalogue:
        """Rows in which every word of ``query`` occurs in one of ``fields``, the best match first.

        Earlier fields count more (see `matches_words`). An empty query finds every row, in order.
        """
        if not query.strip():
            return self
        ranked: list[tuple[int, Row]] = []
        for row in self.rows:
            rank = matches_words(query, [row.get(name) for name in fields])
            if rank:
                ranked.append((rank, row))
        ranked.sort(key=lambda pair: -pair[0])
        return Catalogue([row for _, row in ranked])

    def where(self, **wanted: Any) -> Catalogue:
        """Rows whose fields equal the wanted values.

        A field that is a list has to contain the value; of several wanted values, given as a list,
        one is enough. None, "" and [] mean "any", so that query parameters can be passed as they
        are: ``books.where(language=request.query_params.get("language"))``.
        """
        rows = self.rows
        for name, value in wanted.items():
            if value not in (None, "", []):
                rows = [row for row in rows if _has(row.get(name), value)]
        return Catalogue(rows)

    def keep(self, condition: Callable[[Row], bool]) -> Catalogue:
        """Rows that meet a condition: ``books.keep(lambda row: row["year"] < 1800)``."""
        return Catalogue([row for row in self.rows if condition(row)])

    def sort(self, name: str, *, descending: bool = False) -> Catalogue:
        """All rows, sorted by one field, which every row must have; equal rows keep their order."""
        return Catalogue(sorted(self.rows, key=lambda row: row[name], reverse=descending))

    def counts(self, name: str) -> list[tuple[Any, int]]:
        """How often each value of a field occurs, most frequent first: what facets show.

        A field that is a list counts once for each of its values; None and "" are not counted.

        >>> Catalogue([{"tags": ["a", "b"]}, {"tags": ["b"]}]).counts("tags")
        [('b', 2), ('a', 1)]
        """
        tally: Counter[Any] = Counter()
        for row in self.rows:
            value = row.get(name)
            if isinstance(value, list):
                tally.update(value)
            elif value not in (None, ""):
                tally[value] += 1
        return sorted(tally.items(), key=lambda pair: (-pair[1], str(pair[0])))

    def one(self, **wanted: Any) -> Row | None:
        """The first row that `where` would find; None if there is none."""
        return next(iter(self.where(**wanted).rows), None)

    def page(self, number: int | str | None, size: int) -> PageOf[Row]:
        """The page ``number``, from 1, of ``size`` rows each.

        The number may be a query parameter as it came: what is not a number gives the first page,
        what is too large the last.
        """
        return page_of(self.rows, number, size)


def page_of(items: Sequence[T], number: int | str | None, size: int) -> PageOf[T]:
    """The page ``number`` of a list, as `Catalogue.page` cuts it."""
    last = max(1, math.ceil(len(items) / size))
    text = str(number or "")
    # Python refuses to convert very long digits: nobody has that many pages.
    wanted = int(text) if text.isdecimal() and len(text) < 10 else 1
    chosen = min(max(1, wanted), last)
    shown = list(items[(chosen - 1) * size : chosen * size])
    return PageOf(shown, number=chosen, size=size, total=len(items))


def _has(actual: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return any(_has(actual, one) for one in wanted)
    return wanted in actual if isinstance(actual, list) else bool(actual == wanted)


def matches_words(query: str, texts: Iterable[Any]) -> int:
    """How well ``texts`` match ``query``: 0 if a word is in none of them.

    A text may also be a list of texts, or None. Each word adds 10 for its text and 10 for every
    text after that, and 5 if it is a whole word there; case does not matter.

    >>> matches_words("emma", ["Emma", "Jane Austen"]), matches_words("austen", ["Emma", "Austen"])
    (25, 15)
    """
    haystacks = [_plain_text(text).casefold() for text in texts]
    score = 0
    for word in query.casefold().split():
        found = [place for place, haystack in enumerate(haystacks) if word in haystack]
        if not found:
            return 0
        best = haystacks[found[0]]
        score += 10 * (len(haystacks) - found[0])
        if re.search(rf"\b{re.escape(word)}\b", best):
            score += 5
    return score


def _plain_text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")
