"""Finds patterns that can match one text in very many ways, which is what makes backtracking catastrophic.

The pattern becomes a position automaton (one state per character class). It is exponentially ambiguous if some state
can come back to itself in two ways over the same text; it is slow enough to refuse, too, if three repeats that take the
same characters stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

MOST_POSITIONS: Final = 150
"""Larger loops are left to the time limit of the search."""

_LOOPS: Final = 20
"""A repeat with this many rounds or more counts as endless."""

_ALPHABET: Final = "".join(map(chr, range(128))) + "\u00a0\u00e9\u00c9\u0416\u4e2d\u2013\u2028"
_EVERYTHING: Final = (1 << len(_ALPHABET)) - 1


def _is_wordy(char: str) -> bool:
    return char.isalnum() or char == "_"


_CATEGORIES: Final[dict[Any, Callable[[str], bool]]] = {
    sre.CATEGORY_DIGIT: str.isdigit,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: _is_wordy,
}
_NOT: Final = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}


def of(tree: Any) -> str | None:
    """What makes a parsed pattern dangerous, or None."""
    automaton = _Automaton()
    automaton.build(tree)
    for loop in automaton.loops():
        if automaton.returns_twice(loop):
            return "repeats something that can match the same text in several ways"
    if automaton.longest_row() >= 3:
        return "has three or more endless repeats of the same characters side by side"
    return next((reason for part in automaton.apart if (reason := of(part))), None)


class _Piece(NamedTuple):
    """A part of the pattern: in how many ways can it be empty, and which positions can begin and end it?"""

    empty: int
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()


@dataclass
class _Automaton:
    masks: list[int] = field(default_factory=list)
    follow: list[dict[int, int]] = field(default_factory=list)
    endless: set[int] = field(default_factory=set)
    apart: list[Any] = field(default_factory=list)

    # -- building ------------------------------------------------------------------------------------------------------

    def build(self, tree: Any) -> _Piece:
        """The piece for a sequence; its edges are added on the way."""
        whole = _Piece(1)
        for operator, argument in tree:
            whole = self._chain(whole, self._piece(operator, argument))
        return whole

    def _piece(self, operator: Any, argument: Any) -> _Piece:
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self._repeat(*argument)
        if operator is sre.SUBPATTERN:
            return self.build(argument[-1])
        if operator is sre.BRANCH:
            return self._either([self.build(option) for option in argument[1]])
        if operator is sre.GROUPREF_EXISTS:
            return self._either([self.build(part) if part is not None else _Piece(1) for part in argument[1:]])
        if operator in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._position(_mask(operator, argument))
        # Looked at on their own: lookarounds, atomic groups and possessive repeats hand nothing back.
        inner = {sre.ASSERT: 1, sre.ASSERT_NOT: 1, sre.POSSESSIVE_REPEAT: 2}.get(operator)
        if inner is not None:
            self.apart.append(argument[inner])
        elif operator is sre.ATOMIC_GROUP:
            self.apart.append(argument)
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
        return _Piece(
            min(2, sum(piece.empty for piece in pieces)),
            tuple(one for piece in pieces for one in piece.first),
            tuple(one for piece in pieces for one in piece.last),
        )

    def _repeat(self, low: Any, high: Any, body: Any) -> _Piece:
        piece = whole = self.build(body)
        for _ in range(min(int(low), 4, MOST_POSITIONS // max(1, len(self.masks))) - 1):
            piece = self.build(body)
            whole = self._chain(whole, piece)
        if high - low >= _LOOPS or high is sre.MAXREPEAT:
            self._link(piece.last, piece.first)
            if high is sre.MAXREPEAT:
                self.endless.update(one for one in piece.first if one in piece.last)
        elif high > low > 0:
            option = self.build(body)
            whole = self._chain(whole, option._replace(empty=1))
        return whole._replace(empty=1 if low == 0 else whole.empty)

    # -- questions -----------------------------------------------------------------------------------------------------

    def loops(self) -> list[set[int]]:
        """Sets of positions that can reach each other."""
        edges = {position: list(targets) for position, targets in enumerate(self.follow)}
        return [part for part in _components(edges) if len(part) > 1 or any(one in self.follow[one] for one in part)]

    def returns_twice(self, loop: set[int]) -> bool:
        """Whether two different walks within the loop lead from a position back to it over the same text."""
        if any(count > 1 for one in loop for target, count in self.follow[one].items() if target in loop):
            return True
        if len(loop) > MOST_POSITIONS:
            return False
        edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
        waiting = [(one, one) for one in loop]
        while waiting:
            pair = waiting.pop()
            if pair in edges:
                continue
            edges[pair] = [
                (min(left, right), max(left, right))
                for left in self.follow[pair[0]]
                if left in loop
                for right in self.follow[pair[1]]
                if right in loop and self.masks[left] & self.masks[right]
            ]
            waiting.extend(edges[pair])
        return any(
            any(left == right for left, right in part) and any(left != right for left, right in part)
            for part in _components(edges)
        )

    def longest_row(self) -> int:
        """How many endless repeats of overlapping characters follow one another directly, at most."""
        lengths: dict[int, int] = {}
        for one in sorted(self.endless, reverse=True):
            after = [
                lengths[other]
                for other in self.follow[one]
                if other in lengths and other != one and self.masks[one] & self.masks[other]
            ]
            lengths[one] = 1 + max(after, default=0)
        return max(lengths.values(), default=0)


def _mask(operator: Any, argument: Any) -> int:
    """The characters of the alphabet that one position takes, case ignored, as bits."""
    if operator is sre.ANY:
        return _EVERYTHING
    negated = operator is sre.NOT_LITERAL
    items = argument if operator is sre.IN else [(sre.LITERAL, argument)]
    bits = 0
    for kind, value in items:
        negated = negated or kind is sre.NEGATE
        bits |= _bits(kind, value)
    return _EVERYTHING & ~bits if negated else bits


@lru_cache(maxsize=4096)
def _bits(kind: Any, value: Any) -> int:
    if kind is sre.LITERAL and chr(value) not in _ALPHABET:
        return 1 << _ALPHABET.index("\u4e2d" if value > 0x2E80 else "\u00e9")
    return sum(1 << place for place, char in enumerate(_ALPHABET) if _takes(kind, value, char))


def _takes(kind: Any, value: Any, char: str) -> bool:
    if kind is sre.LITERAL:
        return char.lower() == chr(value).lower()
    if kind is sre.RANGE:
        return any(value[0] <= ord(form) <= value[1] for form in (char.lower(), char.upper()) if len(form) == 1)
    if kind is sre.CATEGORY:
        return not _CATEGORIES[_NOT[value]](char) if value in _NOT else _CATEGORIES[value](char)
    return False


def _components(edges: dict[Any, list[Any]]) -> list[set[Any]]:
    """Strongly connected components (Tarjan, without recursion)."""
    index: dict[Any, int] = {}
    low: dict[Any, int] = {}
    stack: list[Any] = []
    on_stack: set[Any] = set()
    found: list[set[Any]] = []
    for root, first in edges.items():
        if root in index:
            continue
        work = [(root, iter(first))]
        while work:
            node, targets = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            target = next((one for one in targets if one not in index or one in on_stack), None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_cut(stack, on_stack, node))
            elif target in index:
                low[node] = min(low[node], index[target])
            else:
                work.append((target, iter(edges[target])))
    return found


def _cut(stack: list[Any], on_stack: set[Any], node: Any) -> set[Any]:
    part = set()
    while True:
        top = stack.pop()
        on_stack.discard(top)
        part.add(top)
        if top == node:
            return part
