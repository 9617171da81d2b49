"""What may stand in an expression: from source text to a syntax tree that holds nothing else."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .. import patterns

LONGEST: Final = 4000
DEEPEST: Final = 40
NAMES: Final = ("u", "t", "x", "a")
"""Final URL, title, visible text, observed actions."""

METHODS: Final = {
    "lower": (0, 0),
    "upper": (0, 0),
    "strip": (0, 1),
    "startswith": (1, 1),
    "endswith": (1, 1),
    "count": (1, 1),
    "split": (0, 2),
    "replace": (2, 2),
}
"""Each method with the fewest and the most arguments it takes."""

_ALLOWED: Final = (
    "and, or, not, comparisons, in, texts, numbers, tuples, lists, u, t, x, a, "
    f"the methods {', '.join(METHODS)}, len(), any() and all() over a generator, "
    "re.search(pattern, text[, re.I]), subscripts, slices, x if y else z"
)
_COMPARISONS: Final = (
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.In,
    ast.NotIn,
    ast.Is,
    ast.IsNot,
)
_WORDS: Final = {
    ast.Attribute: "an attribute",
    ast.BinOp: "an arithmetic operator",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment (:=)",
    ast.ListComp: "a list comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dict comprehension",
    ast.GeneratorExp: "a generator outside any() and all()",
    ast.Set: "a set",
    ast.Dict: "a dict",
    ast.Lambda: "a lambda within the lambda",
    ast.Starred: "an unpacking (*)",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.UnaryOp: "a unary operator",
    ast.Slice: "a slice outside a subscript",
}


class Refusal(NamedTuple):
    """Something that may not stand in an expression."""

    what: str
    allowed: str = ""


class Program(NamedTuple):
    """A parsed expression. With ``refusals`` there is no body to evaluate."""

    body: ast.expr | None
    refusals: tuple[Refusal, ...]


@lru_cache(maxsize=512)
def program(source: str) -> Program:
    """``source`` as a tree of allowed nodes, or everything in it that is not allowed."""
    if len(source) > LONGEST:
        return _refused(f"expression of {len(source)} characters, at most {LONGEST} are allowed")
    try:
        with warnings.catch_warnings():
            # Python warns of odd escapes in texts; they are read as it reads them.
            warnings.simplefilter("ignore")
            root = ast.parse(source.strip(), mode="eval").body
    except SyntaxError as error:
        return _refused(
            f"broken Python at line {error.lineno or 1} column {error.offset or 1}: {error.msg}"
        )
    except (ValueError, MemoryError, RecursionError) as error:
        return _refused(f"cannot be parsed: {error or 'nested too deeply'}")
    if not isinstance(root, ast.Lambda) or not _takes_the_names(root.args):
        return _refused(f"must begin with  lambda {', '.join(NAMES)}:")
    refusals = tuple(_Checker(source.strip()).check(root.body, frozenset(NAMES), 0))
    return Program(None if refusals else root.body, refusals)


def _refused(what: str) -> Program:
    return Program(None, (Refusal(what),))


def _takes_the_names(arguments: ast.arguments) -> bool:
    if arguments.defaults or arguments.kwonlyargs or arguments.posonlyargs:
        return False
    if arguments.vararg or arguments.kwarg:
        return False
    return tuple(one.arg for one in arguments.args) == NAMES


class _Checker:
    """Walks a tree and refuses what is not on the list; does not look into what it has refused."""

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")

    def check(self, node: ast.expr, known: frozenset[str], depth: int) -> Iterator[Refusal]:
        """Everything under ``node`` that is not allowed; ``known`` are the names defined there."""
        if depth > DEEPEST:
            yield self._refuse(node, f"more than {DEEPEST} levels of nesting", "")
            return
        match node:
            case ast.Constant():
                yield from self._constant(node)
            case ast.Name():
                if node.id not in known:
                    yield self._refuse(node, f"the name {node.id!r}", ", ".join(sorted(known)))
            case ast.Call():
                yield from self._call(node, known, depth)
            case _:
                yield from self._composed(node, known, depth)

    def _composed(self, node: ast.expr, known: frozenset[str], depth: int) -> Iterator[Refusal]:
        parts = _PARTS.get(type(node), lambda _: None)(node)
        if parts is None:
            yield self._refuse(node, _name_of(node))
        if isinstance(node, ast.Compare):
            yield from self._comparison(node)
        for part in parts or ():
            if part is not None:
                yield from self.check(part, known, depth + 1)

    def _constant(self, node: ast.Constant) -> Iterator[Refusal]:
        if not isinstance(node.value, str | bool | int | float | None):
            yield self._refuse(node, f"the value {ast.unparse(node)[:40]}")

    def _comparison(self, node: ast.Compare) -> Iterator[Refusal]:
        for operator, right in zip(node.ops, node.comparators, strict=True):
            to_none = isinstance(right, ast.Constant) and right.value is None
            assert isinstance(operator, _COMPARISONS), "Python has no other comparison"
            if isinstance(operator, ast.Is | ast.IsNot) and not to_none:
                yield self._refuse(
                    right, "`is` with anything but None", "==, !=, is None, is not None"
                )

    def _call(self, node: ast.Call, known: frozenset[str], depth: int) -> Iterator[Refusal]:
        if node.keywords:
            yield self._refuse(node, "a keyword argument")
            return
        match node.func:
            case ast.Name(id="len"):
                yield from self._arguments(node, "len()", (1, 1), known, depth)
            case ast.Name(id="any" | "all" as name):
                yield from self._quantifier(node, name, known, depth)
            case ast.Name(id=name):
                yield self._refuse(node, f"a call of {name!r}", "len(), any(), all(), re.search()")
            # A generator may call its own variable `re`.
            case ast.Attribute(value=ast.Name(id="re"), attr="search") if "re" not in known:
                yield from self._search(node, known, depth)
            case ast.Attribute(value=owner, attr=name) if name in METHODS:
                yield from self._arguments(node, f"{name}()", METHODS[name], known, depth)
                yield from self.check(owner, known, depth + 1)
            case ast.Attribute(attr=name):
                yield self._refuse(node, f"the method {name!r}", f"{', '.join(METHODS)}, re.search")
            case _:
                yield self._refuse(node, "a call of something that is neither a name nor a method")

    def _arguments(
        self, node: ast.Call, name: str, count: tuple[int, int], known: frozenset[str], depth: int
    ) -> Iterator[Refusal]:
        least, most = count
        if not least <= len(node.args) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            yield self._refuse(node, f"{name} with {len(node.args)} arguments", wanted)
        for argument in node.args:
            yield from self.check(argument, known, depth + 1)

    def _quantifier(
        self, node: ast.Call, name: str, known: frozenset[str], depth: int
    ) -> Iterator[Refusal]:
        match node.args:
            case [
                ast.GeneratorExp(
                    elt=element,
                    generators=[ast.comprehension(target=ast.Name(id=item), is_async=0) as loop],
                )
            ]:
                yield from self.check(loop.iter, known, depth + 1)
                for part in (*loop.ifs, element):
                    yield from self.check(part, known | {item}, depth + 1)
            case _:
                yield self._refuse(
                    node, f"{name}() without a simple generator", f"{name}(... for name in list)"
                )

    def _search(self, node: ast.Call, known: frozenset[str], depth: int) -> Iterator[Refusal]:
        match node.args:
            case [ast.Constant(value=str() as pattern), text, *flags]:
                if reason := patterns.refuse(pattern):
                    yield self._refuse(node, reason, "", verb="")
                yield from self.check(text, known, depth + 1)
                if not all(map(is_ignore_case, flags)) or len(flags) > 1:
                    yield self._refuse(node, "re.search() with these flags", "re.I, re.IGNORECASE")
            case _:
                yield self._refuse(
                    node, "re.search() with these arguments", "re.search('pattern', text[, re.I])"
                )

    def _refuse(
        self, node: ast.expr, what: str, allowed: str = _ALLOWED, verb: str = " is not allowed"
    ) -> Refusal:
        # Python counts columns in bytes of UTF-8.
        before = self._lines[node.lineno - 1].encode()[: node.col_offset].decode("utf-8", "replace")
        return Refusal(f"line {node.lineno} column {len(before) + 1}: {what}{verb}", allowed)


def _operand(node: ast.UnaryOp) -> list[ast.expr] | None:
    number = isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int | float)
    good = isinstance(node.op, ast.Not) or (isinstance(node.op, ast.USub) and number)
    if not good:
        return None
    return [node.operand]


def _subscripted(node: ast.Subscript) -> list[ast.expr | None]:
    cut = node.slice
    if isinstance(cut, ast.Slice):
        return [node.value, cut.lower, cut.upper, cut.step]
    return [node.value, cut]


_PARTS: Final[dict[type[ast.expr], Callable[[Any], Sequence[ast.expr | None] | None]]] = {
    ast.BoolOp: lambda node: node.values,
    ast.Tuple: lambda node: node.elts,
    ast.List: lambda node: node.elts,
    ast.UnaryOp: _operand,
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.IfExp: lambda node: [node.test, node.body, node.orelse],
    ast.Subscript: _subscripted,
}
"""The expressions that a composed node is made of; None if it may not stand here after all."""


def is_ignore_case(node: ast.expr) -> bool:
    """Whether ``node`` is ``re.I`` or ``re.IGNORECASE``."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
        and node.attr in ("I", "IGNORECASE")
    )


def _name_of(node: ast.expr) -> str:
    words = _WORDS.get(type(node), f"{type(node).__name__}")
    match node:
        case ast.Attribute(attr=name):
            return f"{words} {name!r}"
        case ast.BinOp(op=operator) | ast.UnaryOp(op=operator):
            return f"{words} ({type(operator).__name__})"
    return words
