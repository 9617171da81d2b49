"""Metrics over texts."""

from __future__ import annotations

from typing import ClassVar

from ...errors import RuleError
from .. import normal, patterns
from ..base import Flaw, Metric, Value


def _is_scalar(value: Value) -> bool:
    return isinstance(value, str | int | float | bool)


def _alternatives(expected: Value) -> list[Value]:
    return expected if isinstance(expected, list) else [expected]


def _alternative_flaws(expected: Value) -> list[Flaw]:
    wanted = _alternatives(expected)
    good = wanted and all(_is_scalar(one) or one is None for one in wanted)
    return [] if good else [Flaw("must be a text or a list of texts, one of which is enough")]


class ExactMatch(Metric):
    """The text equals the expected one (or one of several), case and white space aside."""

    name: ClassVar[str] = "exact_match"
    case_sensitive: bool = False
    collapse_ws: bool = True

    def flaws(self, expected: Value) -> list[Flaw]:
        return _alternative_flaws(expected)

    def score(self, result: Value, expected: Value) -> float:
        plain = self._text(result)
        return float(any(plain == self._text(one) for one in _alternatives(expected)))

    def _text(self, value: Value) -> str:
        return normal.text(value, case_sensitive=self.case_sensitive, collapse_ws=self.collapse_ws)


class LiteralMatch(Metric):
    """The text equals the expected one (or one of several) to the letter."""

    name: ClassVar[str] = "literal_match"

    def flaws(self, expected: Value) -> list[Flaw]:
        return _alternative_flaws(expected)

    def score(self, result: Value, expected: Value) -> float:
        wanted = [normal.plain(one) for one in _alternatives(expected)]
        return float(normal.plain(result) in wanted)


class IncludeExclude(Metric):
    """All of ``must_include`` and none of ``must_exclude`` stand in the text; a list means ``must_include``.

    An empty text includes nothing and so never passes.
    """

    name: ClassVar[str] = "include_exclude"
    case_sensitive: bool = False
    partial: bool = False

    def flaws(self, expected: Value) -> list[Flaw]:
        if isinstance(expected, list):
            expected = {"must_include": expected}
        if not isinstance(expected, dict):
            return [Flaw("must be a list of texts or an object with must_include and/or must_exclude")]
        found = [Flaw(f"unknown key {key!r}", (key,), _KEYS) for key in expected if key not in _KEYS.split(", ")]
        for key in set(expected) & set(_KEYS.split(", ")):
            needles = expected[key]
            if not isinstance(needles, list) or not all(_is_scalar(one) and normal.text(one) for one in needles):
                found.append(Flaw(f"{key} must be a list of texts, none of them empty", (key,)))
        return found or ([] if any(expected.values()) else [Flaw("must name at least one text")])

    def score(self, result: Value, expected: Value) -> float:
        if flaws := self.flaws(expected):
            raise RuleError(f"expected: {flaws[0].what}")
        rule = {"must_include": expected} if isinstance(expected, list) else expected
        plain = normal.text(result, case_sensitive=self.case_sensitive)
        if not plain:
            return 0.0
        hits = [self._needle(one) in plain for one in rule.get("must_include", [])]
        hits += [self._needle(one) not in plain for one in rule.get("must_exclude", [])]
        return sum(hits) / len(hits) if self.partial else float(all(hits))

    def _needle(self, value: Value) -> str:
        return normal.text(value, case_sensitive=self.case_sensitive)


_KEYS = "must_include, must_exclude"


class AnyItemMatches(Metric):
    """Some item of a list (addresses visited, actions done) matches a pattern; several patterns: each in some item."""

    name: ClassVar[str] = "any_item_matches"

    def flaws(self, expected: Value) -> list[Flaw]:
        return list(patterns.flaws(expected))

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, list):
            return 0.0
        items = [normal.plain(item) for item in result]
        return float(all(any(normal.found(pattern, item) for item in items) for pattern in _alternatives(expected)))
