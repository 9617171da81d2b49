"""The metric over changes of state: everything that was asked for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from ...errors import RuleError
from .. import rules
from ..base import Issue, Metric, Value

_OPERATIONS: Final = ("insert", "update", "delete")
_KEYS: Final = {"insert": ("row",), "update": ("row", "to"), "delete": ("row",)}


class ChangesMatch(Metric):
    """Every expected change happened exactly once, and no other did.

    An expected change is ``{insert: table, row: {column: rule}}``, ``{update: table, row, to}`` or
    ``{delete: table, row}``. Columns that ``row`` does not name do not matter; ``to`` has to name
    every column that has changed.
    """

    name: ClassVar[str] = "changes_match"
    allow: list[str] = Field([], description="tables of which any row may change besides")
    case_sensitive: bool = True

    def issues(self, expected: Value) -> list[Issue]:
        if not isinstance(expected, list):
            return [Issue("must be a list of changes; an empty one means that nothing changed")]
        found = []
        for index, change in enumerate(expected):
            found += [issue.within(index) for issue in _issues_of(change)]
        return found

    def score(self, result: Value, expected: Value) -> float:
        if self.issues(expected) or not isinstance(result, list):
            raise RuleError("changes_match compares a list of changes with a list of them")
        changes = [one for one in result if _table_of(one) not in self.allow]
        if len(changes) != len(expected):
            return 0.0
        fits = [
            [number for number, change in enumerate(changes) if self._fits(change, wanted)]
            for wanted in expected
        ]
        return float(_each_has_its_own(fits))

    def _fits(self, change: dict[str, Any], wanted: dict[str, Any]) -> bool:
        operation = _operation_of(wanted)
        if change.get(operation) != wanted[operation]:
            return False
        if "to" in wanted and set(wanted["to"]) != set(change["to"]):
            return False
        return all(self._holds(change[key], wanted[key]) for key in ("row", "to") if key in wanted)

    def _holds(self, row: dict[str, Any], wanted: dict[str, Any]) -> bool:
        scope = rules.Scope(case_sensitive=self.case_sensitive)
        return all(
            name in row and rules.holds(row[name], rule, scope) for name, rule in wanted.items()
        )


def _each_has_its_own(fits: Sequence[Sequence[int]]) -> bool:
    """Whether one can give each of the expected changes one of its own of those that fit it."""
    taken: dict[int, int] = {}

    def place(wanted: int, tried: set[int]) -> bool:
        for change in fits[wanted]:
            if change not in tried:
                tried.add(change)
                if change not in taken or place(taken[change], tried):
                    taken[change] = wanted
                    return True
        return False

    return all(place(wanted, set()) for wanted in range(len(fits)))


def _operation_of(change: dict[str, Any]) -> str:
    return next(name for name in _OPERATIONS if name in change)


def _table_of(change: dict[str, Any]) -> str:
    return str(change[_operation_of(change)])


def _issues_of(change: Any) -> Iterator[Issue]:
    named = [name for name in _OPERATIONS if isinstance(change, dict) and name in change]
    if len(named) != 1:
        yield Issue(
            "must be an object that says what happened to which table: {insert: shop.orders}"
        )
        return
    operation = named[0]
    allowed = (operation, *_KEYS[operation])
    if not isinstance(change[operation], str) or change[operation].count(".") > 1:
        yield Issue("must be a site and a table, such as shop.orders", (operation,))
    for key, value in change.items():
        if key not in allowed:
            yield Issue(f"unknown key {key!r}", (key,), ", ".join(allowed))
        elif key != operation and (not isinstance(value, dict) or not value):
            yield Issue("must be an object {column: rule}", (key,))
        elif key != operation:
            for column, rule in value.items():
                yield from (issue.within(key, column) for issue in rules.issues(rule))
    if operation == "update" and "to" not in change:
        yield Issue("must say which columns have which value now", ("to",))
