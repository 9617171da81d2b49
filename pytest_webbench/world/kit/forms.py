"""Forms that work something out: calculators, quotes and finders.

A formula is written once, as text, and is worked out by the server and by the page alike:

    LOAN = Calculator(
        {"amount": 1000, "years": 5, "rate": 4},
        {"interest": "amount * years * rate / 100", "total": "round(amount + interest)"},
    )

    @site.get("/loan")
    def loan(request: Request) -> Response:
        return site.render("loan.html", request, loan=LOAN)

The page calculates with what its fields hold by the behaviour ``calculator``:

    {{ behaviour("calculator") }}
    <form data-calculator="{{ loan.for_page() }}">
      <input name="amount" value="1000"> ... <output data-result="total"></output>
    </form>
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from .catalogue import Row

Number: TypeAlias = Any
"""An int, a float or a complex number."""

_EARTH_MILES: Final = 3958.8


def round_half_up(value: float, digits: int = 0) -> float:
    """A number rounded as pages do it, where 2.5 is 3.

    >>> round_half_up(2.5), round_half_up(0.125, 2)
    (3.0, 0.13)
    """
    shift = 10.0**digits
    return math.floor(value * shift + 0.5) / shift


_OPERATORS: Final[dict[type, tuple[Callable[..., Number], str]]] = {
    ast.Add: (operator.add, "+"),
    ast.Sub: (operator.sub, "-"),
    ast.Mult: (operator.mul, "*"),
    ast.Div: (operator.truediv, "/"),
    ast.Pow: (operator.pow, "**"),
    ast.Lt: (operator.lt, "<"),
    ast.LtE: (operator.le, "<="),
    ast.Gt: (operator.gt, ">"),
    ast.GtE: (operator.ge, ">="),
    ast.Eq: (operator.eq, "==="),
}
_FUNCTIONS: Final[dict[str, tuple[Callable[..., Number], str]]] = {
    "abs": (abs, "Math.abs"),
    "ceil": (math.ceil, "Math.ceil"),
    "exp": (math.exp, "Math.exp"),
    "floor": (math.floor, "Math.floor"),
    "log": (math.log, "Math.log"),
    "max": (max, "Math.max"),
    "min": (min, "Math.min"),
    "round": (round_half_up, "rounded"),
    "sqrt": (math.sqrt, "Math.sqrt"),
}


class Formula:
    """An expression over named numbers, in Python's notation.

    It may hold ``+ - * / **``, comparisons, ``a if condition else b`` and the functions abs, ceil,
    exp, floor, log, max, min, round (half up) and sqrt; anything else is a `ValueError`.

    >>> Formula("max(0, income - 1000) * 0.1")(income=1500)
    50.0
    """

    def __init__(self, text: str) -> None:
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except SyntaxError as error:
            raise ValueError(f"{text!r} is no formula: {error.msg}") from None
        self._value, self.script = _part(tree.body)

    script: str
    """The same expression in JavaScript."""

    def __call__(self, **values: Number) -> Number:
        """Its value; `KeyError` for a name that ``values`` lacks."""
        return self._value(values)


_Part: TypeAlias = tuple[Callable[[Mapping[str, Number]], Number], str]
"""What a part of a formula is worth, given the names' values, and its JavaScript."""


def _part(node: ast.expr) -> _Part:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            part: _Part = (lambda _values: value), repr(value)
        case ast.Name(id=name):
            part = (lambda values: values[name]), name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            part = _applied(operator.neg, "(-{})", [operand])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            part = _infix(op, left, right)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATORS:
            part = _infix(op, left, right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            part = _choice(test, body, orelse)
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in _FUNCTIONS:
            function, script = _FUNCTIONS[name]
            part = _applied(function, f"{script}({', '.join(['{}'] * len(given))})", given)
        case _:
            raise ValueError(f"a formula cannot hold {ast.unparse(node)!r}")
    return part


def _infix(op: ast.operator | ast.cmpop, left: ast.expr, right: ast.expr) -> _Part:
    function, script = _OPERATORS[type(op)]
    return _applied(function, f"({{}} {script} {{}})", [left, right])


def _applied(function: Callable[..., Number], script: str, given: list[ast.expr]) -> _Part:
    parts = [_part(one) for one in given]

    def value(values: Mapping[str, Number]) -> Number:
        return function(*[one(values) for one, _ in parts])

    return value, script.format(*[one for _, one in parts])


def _choice(test: ast.expr, body: ast.expr, orelse: ast.expr) -> _Part:
    (asked, if_script), (yes, yes_script), (no, no_script) = map(_part, (test, body, orelse))
    # The other branch is not worked out: it may divide by zero.
    return (
        lambda values: (yes if asked(values) else no)(values),
        f"({if_script} ? {yes_script} : {no_script})",
    )


class Calculator:
    """Fields with their first values, and formulas in the order in which they are worked out.

    A formula may use the fields and the results of those before it.

    >>> loan = Calculator({"amount": 1000, "rate": 4}, {"interest": "amount * rate / 100"})
    >>> loan.results(rate=5)
    {'interest': 50.0}
    """

    def __init__(self, fields: Mapping[str, float], formulas: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        self.formulas = {name: Formula(text) for name, text in formulas.items()}

    def results(self, **given: float) -> dict[str, Number]:
        """All results for what was given; fields that were not keep their first value."""
        values: dict[str, Number] = {**self.fields, **given}
        for name, formula in self.formulas.items():
            values[name] = formula(**values)
        return {name: values[name] for name in self.formulas}

    def for_page(self) -> str:
        """The formulas as JSON, for the attribute ``data-calculator``."""
        return json.dumps({name: formula.script for name, formula in self.formulas.items()})


def number_in(text: str | None, default: float = 0.0) -> float:
    """The number in what somebody typed into a field: ``$1,200``, ``4 lb``.

    >>> number_in("$1,200.50"), number_in(""), number_in("four", 1)
    (1200.5, 0.0, 1)
    """
    found = re.search(r"-?\d+(?:\.\d+)?|-?\.\d+", (text or "").replace(",", "")[:40])
    return float(found.group()) if found else default


def miles_between(one: Row, other: Row) -> float:
    """The distance of two rows with ``lat`` and ``lon`` on the globe."""
    north = math.radians(other["lat"] - one["lat"])
    east = math.radians(other["lon"] - one["lon"])
    level = math.cos(math.radians(one["lat"])) * math.cos(math.radians(other["lat"]))
    chord = math.sin(north / 2) ** 2 + level * math.sin(east / 2) ** 2
    return 2 * _EARTH_MILES * math.asin(math.sqrt(chord))


def nearest(rows: Iterable[Row], place: Row) -> list[Row]:
    """Rows with ``lat`` and ``lon``, the nearest to a place first, each with its ``miles``."""
    found = [{**row, "miles": round_half_up(miles_between(place, row), 1)} for row in rows]
    return sorted(found, key=lambda row: row["miles"])
