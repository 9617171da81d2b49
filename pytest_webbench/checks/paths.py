"""Paths into JSON-like values: ``a.b``, ``a[0]``, ``a[-1]``, ``a[*].b``; ``.`` is all of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import regex

from ..errors import RuleError
from .base import Value

_TOKEN: Final = regex.compile(
    r"\[(?P<index>-?\d{1,9}|\*)\]|(?P<key>(?:[^.\[\]]|\[(?!-?\d{1,9}\]|\*\])[^\[\]]*\])+)|\."
)
"""Brackets that hold no number and no star are part of the key: ``filter[color]`` is one key."""

ParsedPath = tuple[str | int | None, ...]
"""Keys, indexes, and None for "every member"."""


@lru_cache(maxsize=1024)
def parse(path: str) -> ParsedPath:
    """Keys and indexes of a path; `RuleError` if its brackets make no sense."""
    parts: list[str | int | None] = []
    position = 0
    while position < len(path):
        token = _TOKEN.match(path, position)
        if token is None:
            raise RuleError(
                f"bad path {path!r} at character {position + 1}: brackets hold a number or *"
            )
        if token["index"] == "*" or token["key"] == "*":
            parts.append(None)
        elif token["index"] is not None:
            parts.append(int(token["index"]))
        elif token["key"] is not None:
            parts.append(token["key"])
        position = token.end()
    return tuple(parts)


def select(value: Value, path: str) -> list[Value]:
    """Every value that ``path`` leads to; a member whose key is the whole path takes precedence."""
    if path and isinstance(value, dict) and path in value:
        return [value[path]]
    found = [value]
    for part in parse(path):
        found = [one for here in found for one in _members(here, part)]
    return found


def _members(value: Any, part: str | int | None) -> list[Value]:
    if part is None:
        return list(value.values()) if isinstance(value, dict) else _items(value)
    if isinstance(part, int):
        items = _items(value)
        if -len(items) <= part < len(items):
            return [items[part]]
    elif isinstance(value, dict) and part in value:
        return [value[part]]
    return []


def _items(value: Any) -> list[Value]:
    return value if isinstance(value, list) else []
