"""An agent's answer, seen as text and as the JSON blocks in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import regex

from .._json import decoder
from . import normal
from .base import MISSING, Value

MOST_CHARACTERS: Final = 200_000
"""JSON is looked for in the first part of a longer answer only."""
MOST_FAILURES: Final = 200
"""Opening brackets without JSON behind them, after which the search is given up."""
MOST_LEVELS: Final = 50
"""Of nesting; a deeper block is not an answer."""

_ANSWER_KEYS: Final = frozenset({"answer", "result", "value", "finalanswer"})
_REMARK_KEYS: Final = frozenset(
    [
        "comment",
        "confidence",
        "error",
        "evidence",
        "explanation",
        "link",
        "message",
        "method",
        "note",
        "notes",
        "query",
        "question",
        "rationale",
        "reason",
        "reasoning",
        "source",
        "sources",
        "status",
        "success",
        "thought",
        "thoughts",
        "unit",
        "url",
    ]
)

_OPENING: Final = regex.compile(r"[{\[]")
# Possessive, so that a quotation mark that is never closed causes no backtracking.
_ESCAPED: Final = regex.compile(r'"(?:[^"\\]|\\.)*+"')
_FENCE: Final = regex.compile(r"\A```[\w-]*\s*\n(.*?)\n?```\Z", regex.DOTALL)
# Of two members with one key, Python would keep the last and hide the other answer.
_DECODER: Final = decoder(unique_keys=True)


class ParsedAnswer(NamedTuple):
    """An answer and its JSON ``blocks``; ``prose`` is what is outside of them."""

    text: str
    prose: str
    blocks: tuple[Value, ...]
    whole: bool
    """Whether the answer is just one block."""


class Member(NamedTuple):
    """A scalar in the JSON and the name it has there; empty if the name just means "the answer"."""

    name: str
    value: Value


class _Block(NamedTuple):
    value: Value
    start: int
    end: int


def parse_answer(result: Value) -> ParsedAnswer | None:
    """The answer in a value; None if there is none."""
    if result is MISSING or result is None:
        return None
    if not isinstance(result, str):
        return ParsedAnswer(normal.plain(result), "", (result,), True)
    stripped = result.strip()
    if not stripped:
        return None
    stripped = _without_escapes(unfenced(stripped))
    blocks = list(_blocks(stripped))
    if len(blocks) == 1 and (blocks[0].start, blocks[0].end) == (0, len(stripped)):
        return ParsedAnswer(_decoded(stripped, blocks), "", (blocks[0].value,), True)
    text = _decoded(stripped, blocks)
    blocks = [block for block in blocks if not _is_footnote(block.value)]
    values = tuple(block.value for block in blocks)
    return ParsedAnswer(text, _outside(stripped, blocks), values, False)


def _without_escapes(text: str) -> str:
    """``text``, with its escapes undone if all of it is one text of JSON."""
    literal = _ESCAPED.fullmatch(text)
    with suppress(ValueError):  # not JSON, after all
        return text if literal is None else _unescape(literal)
    return text


def unfenced(text: str) -> str:
    """What a code fence around all of ``text`` holds; ``text`` itself if there is none."""
    fence = _FENCE.match(text)
    return text if fence is None else fence[1].strip()


def members(block: Value, name: str = "") -> Iterator[Member]:
    """Every scalar of a block."""
    if isinstance(block, dict):
        for key, value in block.items():
            yield from members(value, _name(key))
    elif isinstance(block, list):
        for one in block:
            yield from members(one, name)
    else:
        yield Member(name, block)


def candidates(block: Value, name: str = "") -> Iterator[Member]:
    """What a block offers as its one answer.

    The members whose name says so, or else the only scalar that is not a mere remark.
    """
    if isinstance(block, list):
        for one in block:
            yield from candidates(one, name)
    elif not isinstance(block, dict):
        yield Member(name, block)
    elif called := [value for key, value in block.items() if not _name(key)]:
        yield from candidates(called)
    else:
        facts = [key for key in block if _plain(key) not in _REMARK_KEYS]
        scalars = [key for key in facts if not isinstance(block[key], dict | list)]
        chosen = scalars or facts
        if len(chosen) == 1:
            yield from candidates(block[chosen[0]], _name(chosen[0]))


def _plain(key: str) -> str:
    return "".join(regex.findall(r"[^\W_]+", str(key))).casefold()


def _name(key: str) -> str:
    if _plain(key) in _ANSWER_KEYS:
        return ""
    words = regex.findall(r"\p{Lu}?[^\W_\p{Lu}]+|\p{Lu}+", str(key))
    return " ".join(words).casefold() or str(key)


def _decoded(text: str, blocks: list[_Block]) -> str:
    """``text`` with the escapes in its JSON undone, so that values are found in words as well."""
    parts, position = [], 0
    for block in blocks:
        parts.append(text[position : block.start])
        parts.append(_ESCAPED.sub(_unescape, text[block.start : block.end]))
        position = block.end
    return "".join((*parts, text[position:]))


def _unescape(literal: regex.Match[str]) -> str:
    return f'"{json.loads(literal.group())}"'


def _outside(text: str, blocks: list[_Block]) -> str:
    parts, position = [], 0
    for block in blocks:
        parts.append(text[position : block.start])
        position = block.end
    parts.append(text[position:])
    return "\n".join(parts)


def _is_footnote(value: Value) -> bool:
    match value:
        # In prose, "[3]" marks a footnote.
        case [int() as number]:
            return 0 <= number < 1000
    return False


def _blocks(text: str) -> Iterator[_Block]:
    """Every strict JSON object or list in a text, left to right, none within another."""
    position, failures = 0, 0
    while failures < MOST_FAILURES and (
        opening := _OPENING.search(text, position, MOST_CHARACTERS)
    ):
        position = opening.start()
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            failures += 1
            position += 1
            continue
        if _levels(value) <= MOST_LEVELS:
            yield _Block(value, position, end)
        position = end


def _levels(value: Any) -> int:
    levels, layer = 0, [value]
    while layer and levels <= MOST_LEVELS:
        levels += 1
        below: list[Any] = []
        for one in layer:
            if isinstance(one, dict):
                below.extend(one.values())
            elif isinstance(one, list):
                below.extend(one)
        layer = below
    return levels
