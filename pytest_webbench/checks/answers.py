"""An agent's answer, seen as text and as the JSON blocks that stand in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import regex

from . import normal
from .base import MISSING, Value

MOST_CHARACTERS: Final = 200_000
"""JSON is looked for in the first part of a longer answer only."""
MOST_FAILURES: Final = 200
MOST_LEVELS: Final = 50

_ANSWER_KEYS: Final = frozenset({"answer", "result", "value", "finalanswer"})
_REMARK_KEYS: Final = frozenset({
    "comment", "confidence", "error", "evidence", "explanation", "link", "message", "method", "note", "notes", "query",
    "question", "rationale", "reason", "reasoning", "source", "sources", "status", "success", "thought", "thoughts",
    "unit", "url",
})  # fmt: skip

_OPENING: Final = regex.compile(r"[{\[]")
_FENCE: Final = regex.compile(r"\A```[\w-]*\s*\n(.*?)\n?```\Z", regex.DOTALL)


class Answer(NamedTuple):
    """``text`` is all of it, ``prose`` what stands outside its JSON ``blocks``; ``whole``: it is just one block."""

    text: str
    prose: str
    blocks: tuple[Value, ...]
    whole: bool


class Member(NamedTuple):
    """A scalar in the JSON and the name it has there; ``name`` is empty if it just says that this is the answer."""

    name: str
    value: Value


class _Block(NamedTuple):
    value: Value
    start: int
    end: int


def view(result: Value) -> Answer | None:
    """The answer in a value; None if there is none."""
    if result is MISSING or result is None:
        return None
    if not isinstance(result, str):
        return Answer(normal.plain(result), "", (result,), True)
    if not result.strip():
        return None
    stripped = result.strip()
    if fence := _FENCE.match(stripped):
        stripped = fence[1].strip()
    blocks = list(_blocks(stripped))
    if len(blocks) == 1 and (blocks[0].start, blocks[0].end) == (0, len(stripped)):
        return Answer(result, "", (blocks[0].value,), True)
    blocks = [block for block in blocks if not _is_footnote(block.value)]
    return Answer(result, _outside(stripped, blocks), tuple(block.value for block in blocks), False)


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
    """What a block offers as its one answer: the members called so, or else the only scalar that is no remark."""
    if isinstance(block, list):
        for one in block:
            yield from candidates(one, name)
    elif not isinstance(block, dict):
        yield Member(name, block)
    elif called := [value for key, value in block.items() if not _name(key)]:
        yield from candidates(called)
    else:
        rest = {key: value for key, value in block.items() if _plain(key) not in _REMARK_KEYS}
        scalars = [key for key, value in rest.items() if not isinstance(value, dict | list)]
        if len(scalars or rest) == 1:
            key = next(iter(scalars or rest))
            yield from candidates(rest[key], _name(key))


def _plain(key: str) -> str:
    return "".join(regex.findall(r"[^\W_]+", str(key))).casefold()


def _name(key: str) -> str:
    words = regex.findall(r"\p{Lu}?[^\W_\p{Lu}]+|\p{Lu}+", str(key))
    return "" if _plain(key) in _ANSWER_KEYS else " ".join(words).casefold() or str(key)


def _outside(text: str, blocks: list[_Block]) -> str:
    edges = [0, *(edge for block in blocks for edge in (block.start, block.end)), len(text)]
    return "\n".join(text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))


def _is_footnote(value: Value) -> bool:
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], int) and 0 <= value[0] < 1000


def _blocks(text: str) -> Iterator[_Block]:
    """Every strict JSON object or list in a text, left to right, none within another."""
    position, failures = 0, 0
    while failures < MOST_FAILURES and (opening := _OPENING.search(text, position, MOST_CHARACTERS)):
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
        layer = [
            inner
            for one in layer
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return levels


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key stands twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError("too large")
    return value


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_no_duplicates, parse_constant=_refuse_constant, parse_float=_finite
)
