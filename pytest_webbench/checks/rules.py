"""The rule language: what a task may demand of a value.

A rule is a plain value (equal, as people compare) or an object of operators, all of which must hold:
``{ge: 10, lt: 20}``, ``{re: '^A'}``, ``{any: [{eq: 3}, {contains: three}]}``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from ..errors import RuleError
from . import normal, numbers, patterns
from .base import MISSING, Flaw, Value
from .naming import unknown

PARAMETERS: Final = ("case_sensitive", "closed", "flags", "relative", "tol")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How texts and numbers are read while a rule is applied."""

    case_sensitive: bool = False
    ignore_space: bool = False
    locale: str = "en"

    def text(self, value: Value) -> str:
        """``value`` as comparable text."""
        plain = normal.text(value, case_sensitive=self.case_sensitive)
        return normal.unspaced(plain) if self.ignore_space else plain

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
    if value is MISSING and name not in ("exists", "any", "all"):
        return name == "eq" and holds(value, rule[name], scope)
    return OPERATORS[name].holds(value, rule[name], rule, scope)


def reject(rule: Value) -> None:
    """`RuleError` if ``rule`` is malformed."""
    if flaw := next(flaws(rule), None):
        raise RuleError(flaw.what + (f"; allowed: {flaw.allowed}" if flaw.allowed else ""))


def equal(value: Value, wanted: Value, scope: Scope) -> bool:
    """Whether two plain values are the same to people: numbers as numbers, texts by `normal.text`, lists in any order.

    ``null`` stands for "nothing there".
    """
    if wanted is None or wanted is MISSING or value is None or value is MISSING:
        return wanted is None and (value is None or value is MISSING)
    if isinstance(wanted, dict):
        return bool(value == wanted)
    if isinstance(value, list) and isinstance(wanted, list):
        return Counter(key(one, scope) for one in value) == Counter(key(one, scope) for one in wanted)
    pair = numbers.quantity(wanted, scope.locale), numbers.quantity(value, scope.locale)
    if pair[0] is not None and pair[1] is not None:
        return numbers.same(pair[0], pair[1])
    return scope.text(value) == scope.text(wanted)


def key(value: Value, scope: Scope) -> tuple[object, ...]:
    found = numbers.quantity(value, scope.locale)
    return ("text", scope.text(value)) if found is None else ("number", found.value, found.unit)


def compare(name: str, actual: Decimal, rule: Mapping[str, Any]) -> bool:
    """Whether a number satisfies the numeric operator ``name`` of ``rule``."""
    argument = rule[name]
    if name == "range":
        low, high = map(_bound, argument)
        closed = rule.get("closed", "cc")
        return (low < actual or (closed[0] == "c" and low == actual)) and (
            actual < high or (closed[1] == "c" and actual == high)
        )
    wanted = _bound(argument)
    if name == "approx":
        tolerance = _bound(rule.get("tol", 0)) * (abs(wanted) if rule.get("relative") else 1)
        return abs(actual - wanted) <= tolerance
    return {"lt": actual < wanted, "le": actual <= wanted, "gt": actual > wanted, "ge": actual >= wanted}[name]


def _bound(value: Value) -> Decimal:
    found = numbers.number(value)
    assert found is not None, "rules are checked before they are applied"
    return found


# -- operators ---------------------------------------------------------------------------------------------------------

Holds = Callable[[Value, Any, dict[str, Any], Scope], bool]
Check = Callable[[Any], Iterator[Flaw]]


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
    wanted = argument if isinstance(argument, list) else [argument]
    string = normal.plain(value)
    flags = rule.get("flags")
    return any(normal.found(one, string, case_sensitive=scope.case_sensitive, extra=flags) for one in wanted)


def _contains(value: Value, needle: Any, scope: Scope) -> bool:
    if isinstance(value, list):
        return any(equal(one, needle, scope) for one in value)
    return scope.text(needle) in scope.text(value)


def _contains_all(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return all(_contains(value, needle, scope) for needle in needles(argument))


def _contains_none(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return not any(_contains(value, needle, scope) for needle in needles(argument))


def needles(argument: Any) -> list[Any]:
    """The argument of ``contains`` as a list."""
    return argument if isinstance(argument, list) else [argument]


def _len(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    return isinstance(value, str | list | dict) and holds(len(value), argument, scope)


def _not(operator: Holds) -> Holds:
    return lambda value, argument, rule, scope: not operator(value, argument, rule, scope)


def _eq(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    del rule
    # White space is ignored in plain text rules only; `eq` asks for the text as it is.
    return holds(value, argument, replace(scope, ignore_space=False))


def _in(value: Value, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
    return any(_eq(value, one, rule, scope) for one in argument)


# -- what arguments must look like -------------------------------------------------------------------------------------


def flaws(rule: Value) -> Iterator[Flaw]:
    """Everything wrong with a rule."""
    if not isinstance(rule, dict):
        return
    if not is_rule(rule):
        yield from _no_operator(rule)
        return
    for key, argument in rule.items():
        if key in OPERATORS:
            yield from (flaw._replace(at=(key, *flaw.at)) for flaw in OPERATORS[key].check(argument))
        elif key not in PARAMETERS:
            yield Flaw(unknown("operator", key, OPERATORS), (key,), ", ".join(sorted({*OPERATORS, *PARAMETERS})))
        elif problem := _parameter_problem(key, argument):
            yield Flaw(f"{key} {problem}", (key,))


def _no_operator(rule: dict[str, Any]) -> Iterator[Flaw]:
    """A typo in the only operator would make a literal of the object, so literals are not taken here."""
    if not rule:
        yield Flaw("an empty object is no rule", allowed=", ".join(sorted(OPERATORS)))
    for key in rule:
        yield Flaw(unknown("operator", key, OPERATORS), (key,), ", ".join(sorted(OPERATORS)))


def _parameter_problem(key: str, value: Any) -> str | None:
    if key == "flags":
        good = value is None or (isinstance(value, str) and normal.flags(value) is not None)
        return None if good else "must be letters of i, m, s, x"
    if key == "closed":
        good = isinstance(value, str) and len(value) == 2 and set(value) <= {"c", "o"}
        return None if good else "must be two letters of c and o"
    if key == "tol":
        tolerance = None if isinstance(value, str) else numbers.number(value)
        return None if tolerance is not None and tolerance >= 0 else "must be a number, 0 or more"
    return None if isinstance(value, bool) else "must be true or false"


def _check_number(argument: Any) -> Iterator[Flaw]:
    if numbers.number(argument) is None:
        yield Flaw("must be a number")


def _check_pair(argument: Any) -> Iterator[Flaw]:
    if not isinstance(argument, list) or len(argument) != 2 or any(numbers.number(one) is None for one in argument):
        yield Flaw("must be [lowest, highest]")


def _check_bool(argument: Any) -> Iterator[Flaw]:
    if not isinstance(argument, bool):
        yield Flaw("must be true or false")


def _check_patterns(argument: Any) -> Iterator[Flaw]:
    yield from patterns.flaws(argument)


def _check_rules(argument: Any) -> Iterator[Flaw]:
    if not isinstance(argument, list):
        yield Flaw("must be a list")
        return
    for index, one in enumerate(argument):
        yield from (flaw._replace(at=(index, *flaw.at)) for flaw in flaws(one))


def _check_needles(argument: Any) -> Iterator[Flaw]:
    wanted = needles(argument)
    if not wanted or not all(isinstance(one, str | int | float) and normal.text(one) for one in wanted):
        yield Flaw("must be a text or a list of texts, none of them empty")


OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(
    {
        "all": Operator(lambda value, rules, _, scope: all(holds(value, one, scope) for one in rules), _check_rules),
        "any": Operator(lambda value, rules, _, scope: any(holds(value, one, scope) for one in rules), _check_rules),
        "approx": Operator(_numeric("approx"), _check_number),
        "contains": Operator(_contains_all, _check_needles),
        "eq": Operator(_eq, flaws),
        "exists": Operator(lambda value, wanted, _, __: (value is not MISSING) == wanted, _check_bool),
        "ge": Operator(_numeric("ge"), _check_number),
        "gt": Operator(_numeric("gt"), _check_number),
        "in": Operator(_in, _check_rules),
        "le": Operator(_numeric("le"), _check_number),
        "len": Operator(_len, flaws),
        "lt": Operator(_numeric("lt"), _check_number),
        "ne": Operator(_not(_eq), flaws),
        "not": Operator(lambda value, rule, _, scope: not holds(value, rule, scope), flaws),
        "not_contains": Operator(_contains_none, _check_needles),
        "not_in": Operator(_not(_in), _check_rules),
        "not_re": Operator(_not(_re), _check_patterns),
        "range": Operator(_numeric("range"), _check_pair),
        "re": Operator(_re, _check_patterns),
    }
)
NUMERIC: Final = ("approx", "ge", "gt", "le", "lt", "range")
