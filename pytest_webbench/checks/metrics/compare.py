"""Metrics over numbers and sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from pydantic import Field

from ...errors import RuleError
from .. import numbers, rules
from ..base import MISSING, Flaw, Metric, Value


class CountInRange(Metric):
    """A number, or the length of a list, lies within ``{min: ..., max: ...}`` (bounds included) or obeys a rule."""

    name: ClassVar[str] = "count_in_range"
    locale: numbers.Locale = "en"

    def flaws(self, expected: Value) -> list[Flaw]:
        if not isinstance(expected, dict):
            return [] if numbers.number(expected) is not None else [Flaw("must be a number, {min, max} or a rule")]
        if not expected or set(expected) - {"min", "max"}:
            return list(rules.flaws(expected)) if rules.is_rule(expected) else [Flaw("must be {min, max} or a rule")]
        return [
            Flaw(f"{key} must be a number", (key,)) for key, bound in expected.items() if numbers.number(bound) is None
        ]

    def score(self, result: Value, expected: Value) -> float:
        if flaws := self.flaws(expected):
            raise RuleError(f"expected {flaws[0].what}")
        size: Value = numbers.number(result, self.locale)
        if size is None:
            if not isinstance(result, str | list | dict):
                return 0.0
            size = len(result)
        rule = expected
        if isinstance(expected, dict) and not rules.is_rule(expected):
            rule = {{"min": "ge", "max": "le"}[key]: bound for key, bound in expected.items()}
        return float(rules.holds(size, rule, rules.Scope()))


class NumericClose(Metric):
    """A number equals the expected one within ``tol``, to the last digit by default; ``relative`` makes it a share."""

    name: ClassVar[str] = "numeric_close"
    tol: float = Field(0.0, ge=0)
    relative: bool = False
    locale: numbers.Locale = "en"

    def flaws(self, expected: Value) -> list[Flaw]:
        return [] if numbers.number(expected) is not None else [Flaw("must be a number")]

    def score(self, result: Value, expected: Value) -> float:
        rule = {"approx": expected, "tol": self.tol, "relative": self.relative}
        return float(rules.holds(result, rule, rules.Scope(locale=self.locale)))


class SetMatch(Metric):
    """Two collections hold the same texts and numbers, in any order; or one holds the other."""

    name: ClassVar[str] = "set_match"
    mode: Literal["equal", "subset", "superset"] = "equal"
    case_sensitive: bool = False
    locale: numbers.Locale = "en"

    def flaws(self, expected: Value) -> list[Flaw]:
        if isinstance(expected, dict) or expected is None or expected == []:
            return [Flaw("must be a list of texts or numbers")]
        return []

    def score(self, result: Value, expected: Value) -> float:
        if result is MISSING or result is None:
            return 0.0
        found, wanted = set(self._keys(result)), set(self._keys(expected))
        return float({"equal": found == wanted, "subset": found <= wanted, "superset": found >= wanted}[self.mode])

    def _keys(self, value: Value) -> Iterable[tuple[object, ...]]:
        scope = rules.Scope(case_sensitive=self.case_sensitive, locale=self.locale)
        return (rules.key(one, scope) for one in (value if isinstance(value, list) else [value]))
