"""Which words of an answer speak of which key: ``weight 55, height 69``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, groupby, pairwise
from typing import Final, NamedTuple

import regex

_CLAUSE: Final = regex.compile(r",(?!\d)|[;\n]|\.\s|\sand\s|\swhile\s|\sbut\s")
_RULE_LINE: Final = regex.compile(r"[\s|:-]*-[\s|:-]*")

States = Callable[[str, str], bool]
"""Whether a text states the value of a key: called with the key's path and the text."""


class _Mention(NamedTuple):
    key: str
    start: int
    end: int


def is_attributed(text: str, keys: list[str], states: States) -> bool:
    """Whether each key's value stands beside its own words, in the same manner for all keys.

    One key may go without its words: what is left is its own (``3 rooms for $99``).
    """
    return any(_is_attributed(one, keys, states) for one in _readings(text))


def _is_attributed(text: str, keys: list[str], states: States) -> bool:
    mentions = sorted(_mentions(text, keys), key=lambda one: one.start)
    named = {one.key for one in mentions}
    if len(set(keys) - named) > 1:
        return False
    for manner in (_after, _before, _clauses):
        beside = list(manner(text, mentions))
        if all(any(key == name and states(key, said) for name, said in beside) for key in named):
            return True
    return False


def _mentions(text: str, keys: list[str]) -> Iterator[_Mention]:
    found = [
        _Mention(key, match.start(), match.end())
        for key in keys
        for match in regex.finditer(_words(key), text)
    ]
    for one in found:
        # "name" within "plugin name" is a part of the longer key's words.
        if not any(other != one and _holds(other, one) for other in found):
            yield one


def _holds(outer: _Mention, inner: _Mention) -> bool:
    longer = outer.end - outer.start > inner.end - inner.start
    return longer and outer.start <= inner.start and inner.end <= outer.end


def _words(path: str) -> str:
    """A pattern for the last key of a path: ``plugin_name`` is ``plugin name`` in words."""
    keys = regex.findall(r"[^.\[\]]+", path)
    words = regex.findall(r"\p{Lu}?[^\W_\p{Lu}]+|\p{Lu}+", keys[-1] if keys else "")
    if not words:
        return r"(?!)"
    singular = [regex.escape(word.removesuffix("s")) for word in words]
    return r"(?i)\b" + r"s?[\W_]{0,2}".join(singular) + r"s?\b"


def _after(text: str, mentions: list[_Mention]) -> Iterator[tuple[str, str]]:
    ends = [one.start for one in mentions[1:]] + [len(text)]
    for one, end in zip(mentions, ends, strict=True):
        yield one.key, text[one.end : max(one.end, end)]


def _before(text: str, mentions: list[_Mention]) -> Iterator[tuple[str, str]]:
    starts = [0] + [one.end for one in mentions[:-1]]
    for one, start in zip(mentions, starts, strict=False):
        yield one.key, text[min(start, one.start) : one.start]


def _clauses(text: str, mentions: list[_Mention]) -> Iterator[tuple[str, str]]:
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    for start, end in pairwise(cuts):
        keys = {one.key for one in mentions if start <= one.start < end}
        if len(keys) == 1:
            yield keys.pop(), text[start:end]


def _readings(text: str) -> Iterator[str]:
    """``text`` with each cell of a Markdown table as a line of its own, ``heading: cell``.

    Of a table of two columns that may also be ``key: value``.
    """
    blocks = [list(group) for _, group in groupby(text.splitlines(), key=lambda line: "|" in line)]
    yield "\n".join(chain.from_iterable(map(_by_heading, blocks)))
    if any(map(_is_table_of_pairs, blocks)):
        yield "\n".join(chain.from_iterable(map(_by_row, blocks)))


def values_of_pairs(text: str) -> list[str] | None:
    """The second column of a text that is nothing but a table of two columns, key and value."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not all("|" in line for line in lines) or not _is_table_of_pairs(lines):
        return None
    return [value for _, value in _rows(lines)]


def _rows(block: list[str]) -> list[list[str]]:
    """The cells of each row; nothing if this is no table."""
    lines = [line for line in block if "|" in line and not _RULE_LINE.fullmatch(line)]
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]


def _is_table_of_pairs(block: list[str]) -> bool:
    rows = _rows(block)
    return bool(rows) and all(len(cells) == 2 for cells in rows)


def _by_row(block: list[str]) -> Iterator[str]:
    if _is_table_of_pairs(block):
        yield from map(": ".join, _rows(block))
    else:
        yield from _by_heading(block)


def _by_heading(block: list[str]) -> Iterator[str]:
    rows = _rows(block)
    if not rows:
        yield from block
    elif len(rows) == 1:
        yield from rows[0]
    else:
        for cells in rows[1:]:
            for head, cell in zip(rows[0], cells, strict=False):
                yield f"{head}: {cell}"
