"""Metrics over numbers, sets and objects."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...errors import RuleError
from .. import normal
from ..base import MISSING, Metric, Value


class CountInRange(Metric):
    """A number, or the length of a list, lies within ``{min: ..., max: ...}`` (bounds included)."""

    name: ClassVar[str] = "count_in_range"

    def validate_expected(self, expected: Value) -> str | None:
        if not isinstance(expected, dict) or not expected or set(expected) - {"min", "max"}:
            return "must be an object with min and/or max"
        if any(normal.number(bound) is None for bound in expected.values()):
            return "min and max must be numbers"
        return None

    def score(self, result: Value, expected: Value) -> float:
        size = normal.number(result)
        if size is None and isinstance(result, list | dict):
            size = float(len(result))
        if size is None:
            return 0.0
        low, high = normal.number(expected.get("min", float("-inf"))), normal.number(expected.get("max", float("inf")))
        if low is None or high is None:
            raise RuleError("min and max must be numbers")
        return float(low <= size <= high)


class NumericClose(Metric):
    """A number equals the expected one within ``tol`` (exact by default)."""

    name: ClassVar[str] = "numeric_close"
    tol: float = 0.0

    def score(self, result: Value, expected: Value) -> float:
        wanted, actual = normal.number(expected), normal.number(result)
        if wanted is None:
            raise RuleError("expected must be a number")
        return float(actual is not None and abs(actual - wanted) <= self.tol)


class SetMatch(Metric):
    """Two collections hold the same texts, in any order; or one holds the other."""

    name: ClassVar[str] = "set_match"
    mode: Literal["equal", "subset", "superset"] = "equal"

    def score(self, result: Value, expected: Value) -> float:
        if result is MISSING or result is None:
            return 0.0
        found, wanted = (
            {normal.text(one) for one in (value if isinstance(value, list) else [value])} for value in (result, expected)
        )
        return float({"equal": found == wanted, "subset": found <= wanted, "superset": found >= wanted}[self.mode])


class JsonObjectMatch(Metric):
    """An object's members equal the expected ones; members not named do not matter.

    A dotted path reaches into nested objects (``form.checked``). ``null`` demands that the member is absent.
    """

    name: ClassVar[str] = "json_object_match"

    def validate_expected(self, expected: Value) -> str | None:
        return None if isinstance(expected, dict) and expected else "must be an object with at least one member"

    def score(self, result: Value, expected: Value) -> float:
        return float(all(_same(_member(result, path), wanted) for path, wanted in expected.items()))


def _member(value: Value, path: str) -> Value:
    if isinstance(value, dict) and path in value:
        return value[path]
    head, _, rest = path.partition(".")
    if not rest or not isinstance(value, dict) or head not in value:
        return MISSING
    return _member(value[head], rest)


def _same(actual: Value, wanted: Value) -> bool:
    if wanted is None:
        return actual is MISSING or actual is None
    if actual is MISSING or actual is None:
        return False
    if isinstance(wanted, bool) or isinstance(actual, bool):
        return normal.text(actual) == normal.text(wanted)
    if isinstance(wanted, list) and isinstance(actual, list):
        return sorted(map(normal.text, actual)) == sorted(map(normal.text, wanted))
    numbers = normal.number(actual), normal.number(wanted)
    if None not in numbers:
        return numbers[0] == numbers[1]
    return normal.text(actual) == normal.text(wanted)
