"""Evaluates an expression over plain values, within a budget of work, so that it always ends."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...errors import RuleError
from .. import normal
from .grammar import Program, is_ignore_case

MOST_WORK: Final = 500_000_000
"""Characters and items that may be looked at altogether: about a second, searches aside."""
LONGEST_TEXT: Final = 5_000_000
_STEP_WORK: Final = 1000
"""What it costs to look at a part of the expression, in characters of the same cost."""
_SEARCH_WORK: Final = (50_000, 25)
"""What a search costs by itself and per character."""
_METHOD_WORK: Final = {"split": 20, "lower": 5, "upper": 5}
"""How much harder than looking at a text these are."""

_COMPARE: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}


def evaluate(program: Program, values: Mapping[str, Any]) -> bool:
    """Whether the expression holds for ``values``.

    `RuleError` if it makes no sense for them or would take too much work.
    """
    assert program.body is not None, "what is refused is never evaluated"
    try:
        return bool(_Machine(values).value(program.body))
    except (TypeError, ValueError, IndexError, KeyError, OverflowError) as error:
        raise RuleError(f"the expression cannot be evaluated here: {error}") from error


class _Machine:
    """One evaluation."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)
        self._work = 0
        self._handlers: dict[type[ast.expr], Callable[[Any], Any]] = {
            ast.Constant: lambda node: node.value,
            ast.Name: lambda node: self._values[node.id],
            ast.Tuple: lambda node: tuple(map(self.value, node.elts)),
            ast.List: lambda node: list(map(self.value, node.elts)),
            ast.BoolOp: self._bool,
            ast.UnaryOp: self._unary,
            ast.Compare: self._comparison,
            ast.IfExp: lambda node: self.value(node.body if self.value(node.test) else node.orelse),
            ast.Subscript: self._subscript,
            ast.Call: self._call,
        }

    def value(self, node: ast.expr) -> Any:
        """What ``node`` comes to. The grammar lets no kind of node get here that has no handler."""
        self._spend(_STEP_WORK)
        return self._handlers[type(node)](node)

    def _unary(self, node: ast.UnaryOp) -> Any:
        operand = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return not operand
        return -operand

    def _bool(self, node: ast.BoolOp) -> Any:
        stops = isinstance(node.op, ast.Or)
        found: Any = None
        for part in node.values:
            found = self.value(part)
            if bool(found) is stops:
                break
        return found

    def _comparison(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for kind, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part)
            self._spend(_size(left) + _size(right))
            if not _COMPARE[type(kind)](left, right):
                return False
            left = right
        return True

    def _subscript(self, node: ast.Subscript) -> Any:
        owner = self.value(node.value)
        cut = node.slice
        if not isinstance(cut, ast.Slice):
            return owner[self.value(cut)]
        self._spend(_size(owner))
        return owner[slice(*map(self._bound, (cut.lower, cut.upper, cut.step)))]

    def _bound(self, node: ast.expr | None) -> Any:
        return None if node is None else self.value(node)

    def _call(self, node: ast.Call) -> Any:
        match node.func:
            case ast.Name(id="len"):
                return len(self.value(node.args[0]))
            case ast.Name(id=name):
                return self._quantifier(node.args[0], stops=name == "any")
            case ast.Attribute(value=ast.Name(id="re"), attr="search") if "re" not in self._values:
                return self._search(node)
        assert isinstance(node.func, ast.Attribute), "the grammar has no other call"
        owner = self.value(node.func.value)
        return self._method(owner, node.func.attr, list(map(self.value, node.args)))

    def _quantifier(self, node: ast.expr, *, stops: bool) -> bool:
        assert isinstance(node, ast.GeneratorExp), "the grammar demands it"
        loop = node.generators[0]
        assert isinstance(loop.target, ast.Name), "the grammar demands it"
        items = self.value(loop.iter)
        if not isinstance(items, list | tuple):
            raise TypeError(f"any() and all() go over lists, not over {type(items).__name__}")
        outer = self._values
        try:
            for item in items:
                self._values = {**outer, loop.target.id: item}
                if not all(map(self.value, loop.ifs)):
                    continue
                if bool(self.value(node.elt)) is stops:
                    return stops
        finally:
            self._values = outer
        return not stops

    def _search(self, node: ast.Call) -> bool | None:
        pattern, text = map(self.value, node.args[:2])
        if not isinstance(text, str):
            raise TypeError(f"re.search() looks into texts, not into {type(text).__name__}")
        once, each = _SEARCH_WORK
        self._spend(once + each * len(text))
        ignore_case = any(map(is_ignore_case, node.args[2:]))
        # As in Python, where a match is true and no match is None.
        return normal.found(pattern, text, case_sensitive=not ignore_case) or None

    def _method(self, owner: Any, name: str, arguments: list[Any]) -> Any:
        if not isinstance(owner, str) and not (name == "count" and isinstance(owner, list | tuple)):
            raise TypeError(f"{name}() is a method of texts, not of {type(owner).__name__}")
        self._spend(_size(owner) * _METHOD_WORK.get(name, 1))
        if name == "replace":
            old, new = arguments
            # Computed first: the text itself could fill the memory.
            grown = len(owner) + owner.count(old) * (len(new) - len(old))
            self._spend(max(grown, 0))
            if grown > LONGEST_TEXT:
                raise RuleError(
                    f"replace() would make a text of {grown} characters; "
                    f"at most {LONGEST_TEXT} are allowed"
                )
        return getattr(owner, name)(*arguments)

    def _spend(self, amount: int) -> None:
        self._work += amount
        if self._work > MOST_WORK:
            raise RuleError("the expression takes too many steps on this page")


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple) else 1
