"""Metrics over texts."""

from __future__ import annotations

from typing import ClassVar

from ...errors import RuleError
from .. import normal, patterns
from ..base import MISSING, Metric, Value


def _is_scalar(value: Value) -> bool:
    return isinstance(value, str | int | float | bool)


class ExactMatch(Metric):
    """The text equals the expected one (or one of several), case and white space aside."""

    name: ClassVar[str] = "exact_match"
    case_sensitive: bool = False

    def score(self, result: Value, expected: Value) -> float:
        wanted = expected if isinstance(expected, list) else [expected]
        plain = normal.text(result, case_sensitive=self.case_sensitive)
        return float(any(plain == normal.text(one, case_sensitive=self.case_sensitive) for one in wanted))


class LiteralMatch(Metric):
    """The text equals the expected one to the letter."""

    name: ClassVar[str] = "literal_match"

    def score(self, result: Value, expected: Value) -> float:
        wanted = expected if isinstance(expected, list) else [expected]
        return float(any(str(result) == str(one) for one in wanted))


class IncludeExclude(Metric):
    """All of ``must_include`` and none of ``must_exclude`` stand in the text; a list means ``must_include``."""

    name: ClassVar[str] = "include_exclude"
    case_sensitive: bool = False

    def validate_expected(self, expected: Value) -> str | None:
        if isinstance(expected, list):
            expected = {"must_include": expected}
        if not isinstance(expected, dict) or set(expected) - {"must_include", "must_exclude"}:
            return "must be a list of texts or an object with must_include and/or must_exclude"
        for key, needles in expected.items():
            if not isinstance(needles, list) or not all(_is_scalar(one) and normal.text(one) for one in needles):
                return f"{key} must be a list of texts, none of them empty"
        return None if any(expected.values()) else "must name at least one text"

    def score(self, result: Value, expected: Value) -> float:
        problem = self.validate_expected(expected)
        if problem:
            raise RuleError(f"expected {problem}")
        rule = {"must_include": expected} if isinstance(expected, list) else expected
        plain = normal.text(result, case_sensitive=self.case_sensitive)
        if not plain:
            return 0.0
        include, exclude = (
            [normal.text(one, case_sensitive=self.case_sensitive) in plain for one in rule.get(key, [])]
            for key in ("must_include", "must_exclude")
        )
        return float(all(include) and not any(exclude))


class AnswerMatch(Metric):
    """The agent's answer states the expected value, and no other value of its kind.

    A number must be the only number in the answer that differs from none of ``also`` (numbers that the question
    itself brings up); a text must stand in the answer as whole words.
    """

    name: ClassVar[str] = "answer_match"
    also: list[float] = []

    def score(self, result: Value, expected: Value) -> float:
        if result is MISSING or not isinstance(result, str):
            return 0.0
        wanted = expected if isinstance(expected, list) else [expected]
        return float(any(self._states(result, one) for one in wanted))

    def _states(self, answer: str, value: Value) -> bool:
        number = normal.number(value)
        if number is not None:
            others = [one for one in normal.numbers_in(answer) if one not in self.also]
            return bool(others) and all(one == number for one in others)
        needle = normal.text(value)
        pattern = rf"(?<!\w){normal.regex.escape(needle, special_only=True)}(?!\w)"
        return bool(needle) and normal.found(pattern, normal.text(answer))


class AnyItemMatches(Metric):
    """Some item of a list (addresses visited, actions done) matches a pattern; several patterns: each in some item."""

    name: ClassVar[str] = "any_item_matches"

    def validate_expected(self, expected: Value) -> str | None:
        return patterns.refuse_any(expected)

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, list):
            return 0.0
        wanted = expected if isinstance(expected, list) else [expected]
        return float(all(any(normal.found(pattern, str(item)) for item in result) for pattern in wanted))
