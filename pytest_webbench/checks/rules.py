"""The rule language: what a task file may demand of a value.

A rule is a plain value (equal, as people compare), or an object of operators that must all hold:
``{ge: 10, lt: 20}``, ``{re: '^A'}``, ``{any: [{eq: 3}, {contains: three}]}``.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from .._suggest import unknown
from ..errors import RuleError
from . import normal, numbers, patterns
from .base import MISSING, Issue, Value, as_list


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How texts and numbers are read while a rule is applied."""

    case_sensitive: bool = False
    ignore_space: bool = False
    locale: str = "en"

    def text(self, value: Value) -> str:
        """``value`` as comparable text."""
        plain = normal.text(value, case_sensitive=self.case_sensitive)
        if self.ignore_space:
            return normal.unspaced(plain)
        return plain

    def whole(self, value: Value) -> str:
        """``value`` as text that is compared with another as a whole."""
        return "".join(normal.parts_at_units(self.text(value)))

    def within(self, rule: Mapping[str, Any]) -> Scope:
        """The scope inside an operator object, which may set ``case_sensitive`` for itself."""
        return replace(self, case_sensitive=rule.get("case_sensitive", self.case_sensitive))


def is_rule(value: Value) -> bool:
    """Whether ``value`` is an operator object (and not a plain value)."""
    return isinstance(value, dict) and any(key in OPERATORS for key in value)


def holds(value: Value, rule: Value, scope: Scope) -> bool:
    """Whether ``value`` satisfies ``rule``; `RuleError` if the rule is malformed."""
    if not is_rule(rule):
        return equal(value, rule, scope)
    reject(rule)
    inner = scope.within(rule)
    return all(_holds_one(name, value, rule, inner) for name in sorted(rule) if name in OPERATORS)


def _holds_one(name: str, value: Value, rule: dict[str, Any], scope: Scope) -> bool:
    if value is MISSING and name not in ("exists", "any", "all", "at_least"):
        return name == "eq" and holds(value, rule[name], scope)
    return OPERATORS[name].holds(value, rule[name], rule, scope)


def reject(rule: Value) -> None:
    """`RuleError` if ``rule`` is malformed."""
    for issue in issues(rule):
        allowed = f"; allowed: {issue.allowed}" if issue.allowed else ""
        raise RuleError(f"{issue.what}{allowed}")


def equal(value: Value, wanted: Value, scope: Scope) -> bool:
    """Whether two plain values are the same to people.

    Numbers are compared as numbers, texts by `normal.text`, lists in any order; a ``wanted`` of
    ``null`` stands for "nothing there".
    """
    if _is_nothing(wanted) or _is_nothing(value):
        return wanted is None and _is_nothing(value)
    if isinstance(wanted, dict):
        return bool(value == wanted)
    if isinstance(value, list) and isinstance(wanted, list):
        return _keys(value, scope) == _keys(wanted, scope)
    number = numbers.quantity(wanted, scope.locale)
    actual = numbers.quantity(value, scope.locale)
    if number is not None and actual is not None:
        return numbers.same(number, actual)
    return scope.whole(value) == scope.whole(wanted)


def _is_nothing(value: Value) -> bool:
    return value is None or value is MISSING


def _keys(values: list[Value], scope: Scope) -> Counter[tuple[object, ...]]:
    return Counter(key(one, scope) for one in values)


def key(value: Value, scope: Scope) -> tuple[object, ...]:
    """What two values have in common that are the same member of a set."""
    if isinstance(value, dict):
        return ("object", frozenset((name, key(one, scope)) for name, one in value.items()))
    found = numbers.quantity(value, scope.locale)
    if found is None:
        return ("text", scope.whole(value))
    return ("number", found.value, found.unit)


def asked_for(rule: Mapping[str, Any]) -> Iterator[Value]:
    """What the operators of ``rule`` ask a value to be or to hold."""
    for name in ("eq", "in", "any", "all", "contains"):
        if name in rule:
            yield rule[name]
    if isinstance(rule.get("at_least"), dict):
        yield rule["at_least"].get("of")


def compare(name: str, actual: Decimal, rule: Mapping[str, Any]) -> bool:
    """Whether a number satisfies the numeric operator ``name`` of ``rule``."""
    if name == "range":
        return _is_within(actual, rule)
    wanted = _bound(rule[name])
    if name == "approx":
        tolerance = _bound(rule.get("tol", 0))
        if rule.get("relative"):
            tolerance *= abs(wanted)
        return abs(actual - wanted) <= tolerance
    return _COMPARISONS[name](actual, wanted)


def _is_within(actual: Decimal, rule: Mapping[str, Any]) -> bool:
    low, high = map(_bound, rule["range"])
    at_low, at_high = rule.get("closed", "cc")
    above = low < actual or (at_low == "c" and low == actual)
    below = actual < high or (at_high == "c" and actual == high)
    return above and below


_COMPARISONS: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def _bound(value: Value) -> Decimal:
    found = numbers.number(value)
    assert found is not None, "rules are checked before they are applied"
    return found


# -- operators -----------------------------------------------------------------------------------

Holds = Callable[[Value, Any, dict[str, Any], Scope], bool]
Check = Callable[[Any], Iterator[Issue]]


@dataclass(frozen=True, slots=True)
class Operator:
    """What an operator demands of a value, and of its own argument."""

    holds: Holds
    check: Check


def _numeric(name: str) -> Holds:
    def hold(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
        del argument
        actual = numbers.number(value, scope.locale)
        return actual is not None and compare(name, actual, rule)

    return hold


def _re(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    return any_found(as_list(argument), normal.plain(value), rule, scope)


def any_found(patterns: list[str], string: str, rule: Mapping[str, Any], scope: Scope) -> bool:
    """Whether one of several patterns is found, with the flags of the operator object ``rule``."""
    strict, flags = scope.case_sensitive, rule.get("flags")
    return any(normal.found(one, string, case_sensitive=strict, extra=flags) for one in patterns)


def _contains(value: Value, needle: Any, scope: Scope) -> bool:
    if isinstance(value, list):
        return any(equal(one, needle, scope) for one in value)
    return scope.text(needle) in scope.text(value)


def _contains_all(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return all(_contains(value, needle, scope) for needle in as_list(argument))


def _contains_none(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return not any(_contains(value, needle, scope) for needle in as_list(argument))


def _len(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return isinstance(value, str | list | dict) and holds(len(value), argument, scope)


def _negated(positive: Holds) -> Holds:
    return lambda value, argument, rule, scope: not positive(value, argument, rule, scope)


def _not(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return not holds(value, argument, scope)


def _exists(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule, scope
    return (value is not MISSING) == bool(argument)


def _all(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return all(holds(value, one, scope) for one in argument)


def _any(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return any(holds(value, one, scope) for one in argument)


def _at_least(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    held = sum(holds(value, one, scope) for one in argument["of"])
    return held >= int(argument["count"])


def _eq(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    # White space is ignored in plain text rules only; `eq` asks for the text as it is.
    return holds(value, argument, replace(scope, ignore_space=False))


def _in(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    return any(_eq(value, one, rule, scope) for one in argument)


# -- what arguments must look like ---------------------------------------------------------------


def issues(rule: Value) -> Iterator[Issue]:
    """Everything wrong with a rule."""
    if not isinstance(rule, dict):
        return
    if not is_rule(rule):
        yield from _no_operator(rule)
        return
    for key, argument in rule.items():
        if key in OPERATORS:
            for issue in OPERATORS[key].check(argument):
                yield issue.within(key)
        elif key in PARAMETERS:
            is_good, wanted = PARAMETERS[key]
            if not is_good(argument):
                yield Issue(f"{key} must be {wanted}", (key,))
        else:
            allowed = ", ".join(sorted({*OPERATORS, *PARAMETERS}))
            yield Issue(unknown("operator", key, OPERATORS), (key,), allowed)


def _no_operator(rule: dict[str, Any]) -> Iterator[Issue]:
    # A typo in the only operator would make a literal of the object, so none are accepted here.
    allowed = ", ".join(sorted(OPERATORS))
    if not rule:
        yield Issue("an empty object is not a rule", allowed=allowed)
    for key in rule:
        yield Issue(unknown("operator", key, OPERATORS), (key,), allowed)


def _are_flags(value: Any) -> bool:
    return value is None or (isinstance(value, str) and normal.flags(value) is not None)


def _is_closed(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 2 and set(value) <= {"c", "o"}


def _is_tolerance(value: Any) -> bool:
    tolerance = None if isinstance(value, str) else numbers.number(value)
    return tolerance is not None and tolerance >= 0


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


PARAMETERS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "case_sensitive": (_is_bool, "true or false"),
    "closed": (_is_closed, "two letters of c and o"),
    "flags": (_are_flags, "letters of i, m, s, x"),
    "relative": (_is_bool, "true or false"),
    "tol": (_is_tolerance, "a number, 0 or more"),
}


def _check_number(argument: Any) -> Iterator[Issue]:
    if numbers.number(argument) is None:
        yield Issue("must be a number")


def _check_pair(argument: Any) -> Iterator[Issue]:
    bounds = as_list(argument)
    if len(bounds) != 2 or None in map(numbers.number, bounds):
        yield Issue("must be [lowest, highest]")


def _check_bool(argument: Any) -> Iterator[Issue]:
    if not isinstance(argument, bool):
        yield Issue("must be true or false")


def _check_rules(argument: Any) -> Iterator[Issue]:
    if not isinstance(argument, list):
        yield Issue("must be a list")
        return
    for index, one in enumerate(argument):
        for issue in issues(one):
            yield issue.within(index)


def _check_at_least(argument: Any) -> Iterator[Issue]:
    if not isinstance(argument, dict) or set(argument) != {"count", "of"}:
        yield Issue("must be {count: number, of: [rules]}")
        return
    count, of = argument["count"], argument["of"]
    for issue in _check_rules(of):
        yield issue.within("of")
    if not isinstance(of, list):
        return
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= len(of):
        yield Issue(f"must be a whole number from 1 to {len(of)}, the number of rules", ("count",))


def _check_needles(argument: Any) -> Iterator[Issue]:
    wanted = as_list(argument)
    if not wanted or not all(map(_is_needle, wanted)):
        yield Issue("must be a text or a list of texts, none of them empty")


def _is_needle(value: Any) -> bool:
    return isinstance(value, str | int | float) and normal.text(value) != ""


OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(
    {
        "all": Operator(_all, _check_rules),
        "any": Operator(_any, _check_rules),
        "approx": Operator(_numeric("approx"), _check_number),
        "at_least": Operator(_at_least, _check_at_least),
        "contains": Operator(_contains_all, _check_needles),
        "eq": Operator(_eq, issues),
        "exists": Operator(_exists, _check_bool),
        "ge": Operator(_numeric("ge"), _check_number),
        "gt": Operator(_numeric("gt"), _check_number),
        "in": Operator(_in, _check_rules),
        "le": Operator(_numeric("le"), _check_number),
        "len": Operator(_len, issues),
        "lt": Operator(_numeric("lt"), _check_number),
        "ne": Operator(_negated(_eq), issues),
        "not": Operator(_not, issues),
        "not_contains": Operator(_contains_none, _check_needles),
        "not_in": Operator(_negated(_in), _check_rules),
        "not_re": Operator(_negated(_re), patterns.issues),
        "range": Operator(_numeric("range"), _check_pair),
        "re": Operator(_re, patterns.issues),
    }
)
NUMERIC: Final = ("approx", "ge", "gt", "le", "lt", "range")
