"""The metric over objects (parameters, controls, storage), and what answers share with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ...errors import RuleError
from .. import numbers, paths, rules
from ..base import MISSING, Flaw, Metric, Value


def path_flaws(expected: Value) -> list[Flaw]:
    """Everything wrong with an object ``{path: rule}``."""
    if not isinstance(expected, dict) or not expected:
        return [Flaw("must be an object {path: rule} with at least one member")]
    found = []
    for path, rule in expected.items():
        try:
            paths.parse(path)
        except RuleError as error:
            found.append(Flaw(str(error), (path,)))
        found.extend(flaw._replace(at=(path, *flaw.at)) for flaw in rules.flaws(rule))
    return found


class JsonObjectMatch(Metric):
    """An object's members satisfy the expected rules; members not named do not matter.

    A path reaches into nested values (``form.checked``, ``items[0]``, ``items[*].name``: any of them). ``null`` demands
    that the member is absent.
    """

    name: ClassVar[str] = "json_object_match"
    partial: bool = False
    case_sensitive: bool = False
    expect_in_result: bool = True
    """If false, it is the other way round: every member of the result must be expected."""
    ignore_literal_whitespace: bool = False
    locale: numbers.Locale = "en"

    def flaws(self, expected: Value) -> list[Flaw]:
        return path_flaws(expected)

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(expected, dict) or not expected:
            raise RuleError("expected must be an object {path: rule} with at least one member")
        if self.expect_in_result:
            hits = [holds for *_, holds in self.members(result, expected)]
        else:
            hits = _backward(result, expected, self._scope())
        return sum(hits) / len(hits) if self.partial and hits else float(bool(hits) and all(hits))

    def members(self, result: Value, expected: dict[str, Any]) -> Iterator[tuple[str, list[Value], bool]]:
        """Each path expected, the values found there, and whether one of them is as it should be."""
        scope = self._scope()
        for path, rule in expected.items():
            found = paths.select(result, path) or [MISSING]
            yield path, found, any(rules.holds(value, rule, scope) for value in found)

    def _scope(self) -> rules.Scope:
        return rules.Scope(
            case_sensitive=self.case_sensitive, ignore_space=self.ignore_literal_whitespace, locale=self.locale
        )


def _backward(result: Value, expected: dict[str, Any], scope: rules.Scope) -> list[bool]:
    if not isinstance(result, dict):
        return []
    return [key in expected and rules.holds(value, expected[key], scope) for key, value in result.items()]
