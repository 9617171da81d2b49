"""Regular expressions as trees.

The standard library has no public parser of patterns. This module alone reads what CPython's
private one returns; a test per version of Python holds that its trees still come out the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from re import _constants as _sre  # type: ignore[attr-defined]  # private: see the docstring
from re import _parser  # type: ignore[attr-defined]  # private: see the docstring
from typing import Any, Final, Literal, TypeAlias

Category: TypeAlias = Literal["digit", "space", "word"]


@dataclass(frozen=True, slots=True)
class Range:
    """The characters from one code point to another, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class InCategory:
    r"""``\d``, ``\s`` or ``\w``; negated: ``\D``, ``\S``, ``\W``."""

    category: Category
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Characters:
    """One character that is, or if ``negated`` is not, among ``items``; an int is a code point."""

    items: tuple[int | Range | InCategory, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """``body`` from ``low`` to ``high`` times; ``high`` is None where there is no limit."""

    low: int
    high: int | None
    body: Sequence


@dataclass(frozen=True, slots=True)
class Either:
    """One of several alternatives."""

    options: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """A part that hands nothing back: a lookaround, an atomic group, a possessive repeat."""

    body: Sequence


Node: TypeAlias = Characters | Repeat | Either | Apart
Sequence: TypeAlias = tuple[Node, ...]
"""Nodes one after the other, without anchors and references, which take no characters."""

ANY: Final = Characters((), negated=True)
"""The dot; here it does not matter that by default it leaves out the line break."""

_CATEGORIES: Final[dict[Any, InCategory]] = {
    _sre.CATEGORY_DIGIT: InCategory("digit"),
    _sre.CATEGORY_SPACE: InCategory("space"),
    _sre.CATEGORY_WORD: InCategory("word"),
    _sre.CATEGORY_NOT_DIGIT: InCategory("digit", negated=True),
    _sre.CATEGORY_NOT_SPACE: InCategory("space", negated=True),
    _sre.CATEGORY_NOT_WORD: InCategory("word", negated=True),
}


def parse(pattern: str) -> Sequence:
    """The tree of ``pattern``; `re.error` if it is malformed."""
    return _sequence(_parser.parse(pattern))


def _sequence(tree: Any) -> Sequence:
    nodes: list[Node] = []
    for operator, argument in tree:
        nodes += _nodes(operator, argument)
    return tuple(nodes)


def _nodes(operator: Any, argument: Any) -> Sequence:
    # What has no reader takes no characters: an anchor, or a reference to a group.
    reader = _READERS.get(operator)
    return () if reader is None else reader(argument)


def _repeat(argument: Any) -> Sequence:
    low, high, body = argument
    most = None if high is _sre.MAXREPEAT else int(high)
    return (Repeat(int(low), most, _sequence(body)),)


def _branch(argument: Any) -> Sequence:
    return (Either(tuple(map(_sequence, argument[1]))),)


def _conditional(argument: Any) -> Sequence:
    _, if_set, otherwise = argument
    return (Either((_sequence(if_set), _sequence(otherwise or ()))),)


def _class(members: Any) -> Characters:
    negated = False
    items: list[int | Range | InCategory] = []
    for kind, value in members:
        if kind is _sre.NEGATE:
            negated = True
        elif kind is _sre.LITERAL:
            items.append(value)
        elif kind is _sre.RANGE:
            items.append(Range(*value))
        elif kind is _sre.CATEGORY:
            items.append(_CATEGORIES[value])
    return Characters(tuple(items), negated)


_READERS: Final[dict[Any, Callable[[Any], Sequence]]] = {
    _sre.ANY: lambda _: (ANY,),
    _sre.LITERAL: lambda code: (Characters((code,)),),
    _sre.NOT_LITERAL: lambda code: (Characters((code,), negated=True),),
    _sre.IN: lambda members: (_class(members),),
    _sre.MAX_REPEAT: _repeat,
    _sre.MIN_REPEAT: _repeat,
    _sre.SUBPATTERN: lambda argument: _sequence(argument[-1]),
    _sre.BRANCH: _branch,
    _sre.GROUPREF_EXISTS: _conditional,
    _sre.ASSERT: lambda argument: (Apart(_sequence(argument[1])),),
    _sre.ASSERT_NOT: lambda argument: (Apart(_sequence(argument[1])),),
    _sre.POSSESSIVE_REPEAT: lambda argument: (Apart(_sequence(argument[2])),),
    _sre.ATOMIC_GROUP: lambda body: (Apart(_sequence(body)),),
}
