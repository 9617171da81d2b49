"""Metrics over numbers and sets."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from pydantic import Field

from ...errors import RuleError
from .. import numbers, rules
from ..base import MISSING, Issue, Metric, Value, as_list
from ..comparison import Comparison

_BOUNDS: Final = {"min": "ge", "max": "le"}
"""The operator that each bound of a range stands for."""


class CountInRange(Comparison):
    """A number, or a list's length, is within ``{min: ..., max: ...}`` or satisfies a rule.

    The bounds are included.
    """

    name: ClassVar[str] = "count_in_range"
    locale: numbers.Locale = "en"

    def issues(self, expected: Value) -> list[Issue]:
        if not isinstance(expected, dict):
            if numbers.number(expected) is None:
                return [Issue("must be a number, {min, max} or a rule")]
            return []
        if rules.is_rule(expected):
            return list(rules.issues(expected))
        if not expected or set(expected) - set(_BOUNDS):
            return [Issue("must be {min, max} or a rule")]
        return [
            Issue(f"{key} must be a number", (key,))
            for key, bound in expected.items()
            if numbers.number(bound) is None
        ]

    def score(self, result: Value, expected: Value) -> float:
        if issues := self.issues(expected):
            raise RuleError(f"expected {issues[0].what}")
        size: Value = numbers.number(result, self.locale)
        if size is None:
            if not isinstance(result, str | list | dict):
                return 0.0
            size = len(result)
        rule = expected
        if isinstance(expected, dict) and not rules.is_rule(expected):
            rule = {_BOUNDS[key]: bound for key, bound in expected.items()}
        return float(rules.holds(size, rule, rules.Scope()))


class NumericClose(Comparison):
    """A number equals the expected one within ``tol``, by default to the last digit.

    ``relative`` makes ``tol`` a share of the expected number.
    """

    name: ClassVar[str] = "numeric_close"
    tol: float = Field(0.0, ge=0)
    relative: bool = False
    locale: numbers.Locale = "en"

    def issues(self, expected: Value) -> list[Issue]:
        if numbers.number(expected) is None:
            return [Issue("must be a number")]
        return []

    def score(self, result: Value, expected: Value) -> float:
        rule = {"approx": expected, "tol": self.tol, "relative": self.relative}
        return float(rules.holds(result, rule, rules.Scope(locale=self.locale)))


class SetMatch(Metric):
    """Two collections hold the same texts and numbers, in any order; or one holds the other."""

    name: ClassVar[str] = "set_match"
    mode: Literal["equal", "subset", "superset"] = "equal"
    case_sensitive: bool = False
    locale: numbers.Locale = "en"

    def issues(self, expected: Value) -> list[Issue]:
        if isinstance(expected, dict) or expected is None or expected == []:
            return [Issue("must be a list of texts or numbers")]
        return []

    def score(self, result: Value, expected: Value) -> float:
        if result is MISSING or result is None:
            return 0.0
        found, wanted = self._keys(result), self._keys(expected)
        if self.mode == "subset":
            return float(found <= wanted)
        if self.mode == "superset":
            return float(found >= wanted)
        return float(found == wanted)

    def _keys(self, value: Value) -> set[tuple[object, ...]]:
        scope = rules.Scope(case_sensitive=self.case_sensitive, locale=self.locale)
        return {rules.key(one, scope) for one in as_list(value)}
