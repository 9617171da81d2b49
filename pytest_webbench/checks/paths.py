"""Paths into JSON-like values: ``a.b``, ``a[0]``, ``a[-1]``, ``a[*].b``; ``.`` is the value itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import regex

from ..errors import RuleError
from .base import Value

_TOKEN: Final = regex.compile(r"\[(?P<index>-?\d{1,9}|\*)\]|(?P<key>(?:[^.\[\]]|\[(?!-?\d{1,9}\]|\*\])[^\[\]]*\])+)|\.")
"""Brackets that hold neither a number nor a star belong to the key: ``filter[color]`` is one URL parameter."""

Steps = tuple[str | int | None, ...]
"""Keys, indexes, and None for "every member"."""


@lru_cache(maxsize=1024)
def parse(path: str) -> Steps:
    """The steps of a path; `RuleError` if its brackets make no sense."""
    steps: list[str | int | None] = []
    position = 0
    while position < len(path):
        token = _TOKEN.match(path, position)
        if token is None:
            raise RuleError(f"bad path {path!r} at character {position + 1}: brackets hold a number or *")
        index, key = token["index"], token["key"]
        if index is not None or key == "*":
            steps.append(None if index in (None, "*") else int(index))
        elif key is not None:
            steps.append(key)
        position = token.end()
    return tuple(steps)


def select(value: Value, path: str) -> list[Value]:
    """Every value that ``path`` leads to; a member whose key is the whole path comes first of all."""
    if path and isinstance(value, dict) and path in value:
        return [value[path]]
    found = [value]
    for step in parse(path):
        found = [one for here in found for one in _members(here, step)]
    return found


def _members(value: Any, step: str | int | None) -> list[Value]:
    if step is None:
        return list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []
    if isinstance(step, int):
        inside = isinstance(value, list) and -len(value) <= step < len(value)
        return [value[step]] if inside else []
    return [value[step]] if isinstance(value, dict) and step in value else []
