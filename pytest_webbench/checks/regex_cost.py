"""Finds patterns that can match one text in very many ways: the cause of catastrophic backtracking.

The pattern becomes a position automaton (one state per character class). It is exponentially
ambiguous if some state can come back to itself in two ways over the same text. It is slow enough to
refuse, too, if three repeats that take the same characters follow one another directly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .regex_syntax import (
    Apart,
    Category,
    Characters,
    Either,
    InCategory,
    Node,
    Range,
    Repeat,
    Sequence,
)

MOST_POSITIONS: Final = 150
"""Larger loops are left to the time limit of the search."""

_LOOPS: Final = 20
"""A repeat with this many rounds or more counts as endless."""

_ALPHABET: Final = "".join(map(chr, range(128))) + "\u00a0\u00e9\u00c9\u0416\u4e2d\u2013\u2028"
_EVERYTHING: Final = (1 << len(_ALPHABET)) - 1


def _is_wordy(char: str) -> bool:
    return char.isalnum() or char == "_"


_CATEGORIES: Final[dict[Category, Callable[[str], bool]]] = {
    "digit": str.isdigit,
    "space": str.isspace,
    "word": _is_wordy,
}


class Nesting(NamedTuple):
    """How deep repeats are nested, and how many rounds nested ones with a limit make together."""

    depth: int = 0
    rounds: int = 1


def nesting_of(pattern: Sequence) -> Nesting:
    """The deepest and the longest nesting of repeats; takes time in proportion to the pattern."""
    found = list(map(_nesting, pattern))
    return Nesting(
        max((one.depth for one in found), default=0), max((one.rounds for one in found), default=1)
    )


def _nesting(node: Node) -> Nesting:
    match node:
        case Repeat(low, high, body):
            inner = nesting_of(body)
            rounds = high if high is not None else low
            return Nesting(inner.depth + 1, inner.rounds * max(1, rounds))
        case Either(options):
            inners = list(map(nesting_of, options))
            return Nesting(max(one.depth for one in inners), max(one.rounds for one in inners))
        case Apart(body):
            return nesting_of(body)
        case Characters():
            return Nesting()


def danger_of(pattern: Sequence) -> str | None:
    """What makes a parsed pattern dangerous, or None."""
    automaton = _Automaton()
    automaton.build(pattern)
    for loop in automaton.loops():
        if automaton.returns_twice(loop):
            return "repeats something that can match the same text in several ways"
    if automaton.longest_row() >= 3:
        return "has three or more endless repeats of the same characters side by side"
    for part in automaton.apart:
        if reason := danger_of(part):
            return reason
    return None


class _Piece(NamedTuple):
    """A part of the pattern: in how many ways it can be empty, which positions begin and end it."""

    empty: int
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()


@dataclass
class _Automaton:
    masks: list[int] = field(default_factory=list)
    follow: list[dict[int, int]] = field(default_factory=list)
    endless: set[int] = field(default_factory=set)
    apart: list[Sequence] = field(default_factory=list)

    # -- building ------------------------------------------------------------------------------

    def build(self, nodes: Sequence) -> _Piece:
        """The piece for a sequence; its edges are added on the way."""
        whole = _Piece(1)
        for node in nodes:
            whole = self._chain(whole, self._piece(node))
        return whole

    def _piece(self, node: Node) -> _Piece:
        match node:
            case Characters():
                return self._position(_mask(node))
            case Repeat():
                return self._repeat(node)
            case Either(options):
                return self._either(list(map(self.build, options)))
            case Apart(body):
                # Looked at on its own: it hands nothing back to what is around it.
                self.apart.append(body)
        return _Piece(1)

    def _position(self, mask: int) -> _Piece:
        self.masks.append(mask)
        self.follow.append({})
        here = (len(self.masks) - 1,)
        return _Piece(0, here, here)

    def _link(self, sources: tuple[int, ...], targets: tuple[int, ...]) -> None:
        for source in sources:
            for target in targets:
                self.follow[source][target] = self.follow[source].get(target, 0) + 1

    def _chain(self, left: _Piece, right: _Piece) -> _Piece:
        self._link(left.last, right.first)
        return _Piece(
            min(2, left.empty * right.empty),
            left.first + right.first * left.empty,
            right.last + left.last * right.empty,
        )

    def _either(self, pieces: list[_Piece]) -> _Piece:
        empty = 0
        first: list[int] = []
        last: list[int] = []
        for piece in pieces:
            empty += piece.empty
            first += piece.first
            last += piece.last
        return _Piece(min(2, empty), tuple(first), tuple(last))

    def _repeat(self, repeat: Repeat) -> _Piece:
        low, high, body = repeat.low, repeat.high, repeat.body
        piece = whole = self.build(body)
        for _ in range(min(low, 4, MOST_POSITIONS // max(1, len(self.masks))) - 1):
            piece = self.build(body)
            whole = self._chain(whole, piece)
        if high is None or high - low >= _LOOPS:
            self._link(piece.last, piece.first)
            if high is None:
                self.endless.update(set(piece.first) & set(piece.last))
        elif high > low > 0:
            option = self.build(body)
            whole = self._chain(whole, option._replace(empty=1))
        if low == 0:
            whole = whole._replace(empty=1)
        return whole

    # -- questions -----------------------------------------------------------------------------

    def loops(self) -> list[set[int]]:
        """Sets of positions that can reach each other."""
        edges = {position: list(targets) for position, targets in enumerate(self.follow)}
        return [part for part in _components(edges) if len(part) > 1 or self._returns(part)]

    def _returns(self, positions: set[int]) -> bool:
        return any(one in self.follow[one] for one in positions)

    def returns_twice(self, loop: set[int]) -> bool:
        """Whether two different walks in the loop lead from a position back to it over one text."""
        if self._has_double_edge(loop):
            return True
        if len(loop) > MOST_POSITIONS:
            return False
        for part in _components(self._pairs(loop)):
            same = {left == right for left, right in part}
            if len(same) == 2:
                return True
        return False

    def _has_double_edge(self, loop: set[int]) -> bool:
        for one in loop:
            for target, count in self.follow[one].items():
                if count > 1 and target in loop:
                    return True
        return False

    def _pairs(self, loop: set[int]) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Where two walks over the same text can go together, beginning at one position."""
        edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
        waiting = list(zip(loop, loop, strict=True))
        while waiting:
            pair = waiting.pop()
            if pair not in edges:
                edges[pair] = self._next_pairs(pair, loop)
                waiting.extend(edges[pair])
        return edges

    def _next_pairs(self, pair: tuple[int, int], loop: set[int]) -> list[tuple[int, int]]:
        found = []
        for left in self.follow[pair[0]]:
            if left not in loop:
                continue
            for right in self.follow[pair[1]]:
                if right in loop and self.masks[left] & self.masks[right]:
                    found.append((min(left, right), max(left, right)))
        return found

    def longest_row(self) -> int:
        """How many endless repeats of overlapping characters follow one another, at most."""
        lengths: dict[int, int] = {}
        for one in sorted(self.endless, reverse=True):
            longest = 0
            for other in self.follow[one]:
                if other in lengths and other != one and self.masks[one] & self.masks[other]:
                    longest = max(longest, lengths[other])
            lengths[one] = 1 + longest
        return max(lengths.values(), default=0)


def _mask(characters: Characters) -> int:
    """The characters of the alphabet that one position takes, case ignored, as bits."""
    bits = 0
    for item in characters.items:
        bits |= _bits(item)
    if characters.negated:
        bits = _EVERYTHING & ~bits
    return bits


@lru_cache(maxsize=4096)
def _bits(item: int | Range | InCategory) -> int:
    if isinstance(item, int) and chr(item) not in _ALPHABET:
        return 1 << _ALPHABET.index("\u4e2d" if item > 0x2E80 else "\u00e9")
    return sum(1 << place for place, char in enumerate(_ALPHABET) if _takes(item, char))


def _takes(item: int | Range | InCategory, char: str) -> bool:
    if isinstance(item, int):
        return char.lower() == chr(item).lower()
    if isinstance(item, InCategory):
        return _CATEGORIES[item.category](char) != item.negated
    forms = (char.lower(), char.upper())
    return any(len(form) == 1 and item.low <= ord(form) <= item.high for form in forms)


# -- strongly connected components: Tarjan's algorithm, without recursion ----------------------


def _components(edges: dict[Any, list[Any]]) -> list[set[Any]]:
    search = _Search(edges)
    for root in edges:
        if root not in search.index:
            search.visit(root)
    return search.found


class _Search:
    """A depth-first search that cuts off each component when its root is left."""

    def __init__(self, edges: dict[Any, list[Any]]) -> None:
        self.found: list[set[Any]] = []
        self.index: dict[Any, int] = {}
        self._edges = edges
        self._low: dict[Any, int] = {}
        self._stack: list[Any] = []
        self._on_stack: set[Any] = set()

    def visit(self, root: Any) -> None:
        """Search everything that can be reached from ``root``."""
        work = [(root, iter(self._edges[root]))]
        self._enter(root)
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                self._leave(node)
                if work:
                    self._lower(work[-1][0], self._low[node])
            elif target not in self.index:
                self._enter(target)
                work.append((target, iter(self._edges[target])))
            elif target in self._on_stack:
                self._lower(node, self.index[target])

    def _enter(self, node: Any) -> None:
        self.index[node] = self._low[node] = len(self.index)
        self._stack.append(node)
        self._on_stack.add(node)

    def _lower(self, node: Any, low: int) -> None:
        self._low[node] = min(self._low[node], low)

    def _leave(self, node: Any) -> None:
        if self._low[node] != self.index[node]:
            return
        part: set[Any] = set()
        while node not in part:
            part.add(self._stack.pop())
        self._on_stack -= part
        self.found.append(part)
