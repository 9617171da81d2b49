"""Metrics over texts."""

from __future__ import annotations

from typing import ClassVar, Final

from ...errors import RuleError
from .. import normal, patterns
from ..base import Issue, Metric, Value, as_list
from ..comparison import Comparison


def _is_scalar(value: Value) -> bool:
    return isinstance(value, str | int | float | bool)


def _alternative_issues(expected: Value) -> list[Issue]:
    wanted = as_list(expected)
    if wanted and all(_is_scalar(one) or one is None for one in wanted):
        return []
    return [Issue("must be a text or a list of texts, one of which is enough")]


class ExactMatch(Comparison):
    """The text equals the expected one (or one of several), case and white space aside."""

    name: ClassVar[str] = "exact_match"
    case_sensitive: bool = False
    collapse_ws: bool = True

    def issues(self, expected: Value) -> list[Issue]:
        return _alternative_issues(expected)

    def score(self, result: Value, expected: Value) -> float:
        return float(self._text(result) in map(self._text, as_list(expected)))

    def _text(self, value: Value) -> str:
        return normal.text(value, case_sensitive=self.case_sensitive, collapse_ws=self.collapse_ws)


class LiteralMatch(Comparison):
    """The text equals the expected one (or one of several) to the letter."""

    name: ClassVar[str] = "literal_match"

    def issues(self, expected: Value) -> list[Issue]:
        return _alternative_issues(expected)

    def score(self, result: Value, expected: Value) -> float:
        return float(normal.plain(result) in map(normal.plain, as_list(expected)))


_KEYS: Final = ("must_include", "must_exclude")


class IncludeExclude(Metric):
    """The text has all of ``must_include`` and none of ``must_exclude``.

    A list means ``must_include``. An empty text includes nothing and so never passes.
    """

    name: ClassVar[str] = "include_exclude"
    case_sensitive: bool = False
    partial: bool = False

    def issues(self, expected: Value) -> list[Issue]:
        if isinstance(expected, list):
            expected = {"must_include": expected}
        if not isinstance(expected, dict):
            what = "must be a list of texts or an object with must_include and/or must_exclude"
            return [Issue(what)]
        found = []
        for key, needles in expected.items():
            if key not in _KEYS:
                found.append(Issue(f"unknown key {key!r}", (key,), ", ".join(_KEYS)))
            elif not isinstance(needles, list) or not all(map(_is_needle, needles)):
                found.append(Issue(f"{key} must be a list of texts, none of them empty", (key,)))
        if not found and not any(expected.values()):
            found.append(Issue("must name at least one text"))
        return found

    def score(self, result: Value, expected: Value) -> float:
        if issues := self.issues(expected):
            raise RuleError(f"expected: {issues[0].what}")
        rule = {"must_include": expected} if isinstance(expected, list) else expected
        text = self._text(result)
        if not text:
            return 0.0
        hits = [self._text(one) in text for one in rule.get("must_include", [])]
        hits += [self._text(one) not in text for one in rule.get("must_exclude", [])]
        if self.partial:
            return sum(hits) / len(hits)
        return float(all(hits))

    def _text(self, value: Value) -> str:
        return normal.text(value, case_sensitive=self.case_sensitive)


def _is_needle(value: Value) -> bool:
    return _is_scalar(value) and normal.text(value) != ""


class AnyItemMatches(Metric):
    """Some item of a list (addresses visited, actions done) matches a pattern.

    Of several patterns each has to match some item.
    """

    name: ClassVar[str] = "any_item_matches"

    def issues(self, expected: Value) -> list[Issue]:
        return list(patterns.issues(expected))

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, list):
            return 0.0
        items = list(map(normal.plain, result))
        return float(all(_is_in_some(pattern, items) for pattern in as_list(expected)))


def _is_in_some(pattern: str, items: list[str]) -> bool:
    return any(normal.found(pattern, item) for item in items)
