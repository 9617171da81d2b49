"""The metric over objects (parameters, controls, storage), and what answers share with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ...errors import RuleError
from .. import numbers, paths, rules
from ..base import MISSING, Issue, Value
from ..comparison import Comparison


def path_issues(expected: Value) -> list[Issue]:
    """Everything wrong with an object ``{path: rule}``."""
    if not isinstance(expected, dict) or not expected:
        return [Issue("must be an object {path: rule} with at least one member")]
    found = []
    for path, rule in expected.items():
        try:
            paths.parse(path)
        except RuleError as error:
            found.append(Issue(str(error), (path,)))
        found += [issue.within(path) for issue in rules.issues(rule)]
    return found


class JsonObjectMatch(Comparison):
    """An object's members satisfy the expected rules; members not named do not matter.

    A path reaches into nested values (``form.checked``, ``items[0]``, ``items[*].name``: any of
    them). ``null`` demands that the member is absent.
    """

    name: ClassVar[str] = "json_object_match"
    partial: bool = False
    case_sensitive: bool = False
    expect_in_result: bool = True
    """If false, it is the other way round: every member of the result must be expected."""
    ignore_literal_whitespace: bool = False
    locale: numbers.Locale = "en"

    def issues(self, expected: Value) -> list[Issue]:
        return [*path_issues(expected), *self.issues_of_seen(expected)]

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(expected, dict) or not expected:
            raise RuleError("expected must be an object {path: rule} with at least one member")
        if self.expect_in_result:
            hits = [holds for *_, holds in self.members(result, expected)]
        else:
            hits = _are_expected(result, expected, self._scope())
        if self.partial and hits:
            return sum(hits) / len(hits)
        return float(bool(hits) and all(hits))

    def members(
        self, result: Value, expected: dict[str, Any]
    ) -> Iterator[tuple[str, list[Value], bool]]:
        """Each expected path, the values found there, and whether one of them is right."""
        scope = self._scope()
        for path, rule in expected.items():
            found = paths.select(result, path) or [MISSING]
            yield path, found, any(rules.holds(value, rule, scope) for value in found)

    def _scope(self) -> rules.Scope:
        return rules.Scope(
            case_sensitive=self.case_sensitive,
            ignore_space=self.ignore_literal_whitespace,
            locale=self.locale,
        )


def _are_expected(result: Value, expected: dict[str, Any], scope: rules.Scope) -> list[bool]:
    if not isinstance(result, dict):
        return []
    return [
        key in expected and rules.holds(value, expected[key], scope)
        for key, value in result.items()
    ]
