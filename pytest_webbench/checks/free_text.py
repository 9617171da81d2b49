"""What an answer in words states: a value, and not merely its mention among others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, Final

import regex

from . import attribution, claims, normal, numbers, rules
from .base import MISSING, Value, as_list
from .mentions import (
    is_denied,
    is_denied_number,
    is_doubtful,
    is_inexact,
    is_inexact_number,
    is_mentioned,
    is_unsure_number,
    places,
)
from .numbers import Quantity
from .rules import Scope

MOST_RIVALS: Final = 3
"""An item of a list with this many others of its kind is a guess, not an answer."""

_BULLET: Final = regex.compile(r"^\s*(?:[-*•+]|\(?\d{1,3}[.)])\s+")
_CODE: Final = r"(?<![\w.,:/-])\d{{{}}}(?!\w|[.,:/-]\d)"
_LONG_CODE: Final = 5
"""Digits."""
_LARGEST_CODE: Final = 10**18
_CHOICE: Final = regex.compile(r"\W*(?:or|and|[/,;])\W*")
_JOIN: Final = regex.compile(r"^(?:and|or)\s")

Matches = Callable[[Quantity], bool]
"""Whether a number is one of those called for."""


@dataclass(frozen=True)
class Prose:
    """One answer in words.

    ``expected`` and ``also`` are all the values whose presence needs no explanation.
    """

    raw: str
    scope: Scope
    expected: tuple[Value, ...] = ()
    also: tuple[Value, ...] = ()

    def states(self, rule: Value, *, strict: bool = True, scope: Scope | None = None) -> bool:
        """Whether the answer satisfies ``rule``; unless ``strict``, a mere mention is enough."""
        scope = scope or self.scope
        if rules.is_rule(rule):
            rules.reject(rule)
            return self._obeys(rule, strict, scope.within(rule))
        if isinstance(rule, list):
            return bool(rule) and all(self.states(one, strict=strict, scope=scope) for one in rule)
        if rule is None or rule is MISSING or isinstance(rule, bool | dict):
            return False
        wanted = numbers.quantity(rule, scope.locale)
        if wanted is None:
            return self._says(rule, strict, scope)
        exact = not (isinstance(rule, str) and is_inexact(rule))
        return self._counts(lambda actual: numbers.same(wanted, actual), strict, exact=exact)

    # -- operators -----------------------------------------------------------------------------

    def _obeys(self, rule: dict[str, Any], strict: bool, scope: Scope) -> bool:
        numeric = {name for name in rule if name in rules.NUMERIC}
        if numeric and not self._counts(_satisfies(rule, numeric), strict):
            return False
        others = [name for name in sorted(rule) if name in rules.OPERATORS and name not in numeric]
        return all(self._operator(name, rule[name], rule, strict, scope) for name in others)

    def _operator(
        self, name: str, argument: Any, rule: dict[str, Any], strict: bool, scope: Scope
    ) -> bool:
        if name == "ne" or name.startswith("not_"):
            return self._negated(name, argument, rule, scope)
        if name == "re":
            return rules.any_found(as_list(argument), self.raw, rule, scope)
        if name in ("exists", "len"):
            # An answer is there, and the number of its characters says nothing.
            return name == "exists" and bool(argument)
        if name == "not":
            return not self.states(argument, strict=False, scope=scope)
        if name == "at_least":
            stated = [self.states(one, strict=strict, scope=scope) for one in argument["of"]]
            return sum(stated) >= int(argument["count"])
        parts = [argument] if name == "eq" else as_list(argument)
        strict = strict and name != "contains"
        some_or_all = any if name in ("in", "any") else all
        return some_or_all(self.states(one, strict=strict, scope=scope) for one in parts)

    def _negated(self, name: str, argument: Any, rule: dict[str, Any], scope: Scope) -> bool:
        """Whether a value that must not be stated is not even mentioned."""
        positive = "eq" if name == "ne" else name.removeprefix("not_")
        parts = as_list(argument) if positive == "contains" else [argument]
        return not any(self._operator(positive, part, rule, False, scope) for part in parts)

    # -- numbers -------------------------------------------------------------------------------

    def _counts(self, matches: Matches, strict: bool, *, exact: bool = False) -> bool:
        """Whether a number of the answer matches and, if ``strict``, all others are explained.

        Where the number is to be ``exact``, a bound or a rough number is none.
        """
        for reading in self._readings:
            if not strict and any(map(matches, reading)):
                return True
            if self._counts_by_rank(reading, matches, exact=exact):
                return True
        return False

    def _counts_by_rank(self, reading: list[Quantity], matches: Matches, *, exact: bool) -> bool:
        for rank in range(numbers.RANKS):
            pool = [one for one in reading if one.rank == rank]
            if not all(map(self._explains, pool)):
                return False
            firm = [one for one in pool if self._is_firm(one, exact=exact)]
            if any(matches(one) and not self._has_rival_code(_digits(one)) for one in firm):
                return True
        return False

    def _is_firm(self, found: Quantity, *, exact: bool) -> bool:
        text, start = self._prepared, found.start
        if is_unsure_number(text, start):
            return False
        return not (exact and is_inexact_number(text, start, found.value))

    def _has_rival_code(self, code: str) -> bool:
        """Whether a code stands beside another of as many digits, and one of them begins with 0.

        Such a one is no number, so the other numbers do not tell. Short codes may be anything, so
        they are rivals only where nothing but "or", "and" or a comma is between them.
        """
        if not code:
            return False
        text, known = self._prepared, self._known(self.scope)
        places = list(regex.finditer(_CODE.format(len(code)), text))
        mine = [place for place in places if place.group() == code]
        for place in places:
            other = place.group()
            one_is_code = "0" in (other[0], code[0])
            if other == code or not one_is_code or other in known or is_denied(text, place.start()):
                continue
            if len(code) >= _LONG_CODE or any(_is_choice(text, place, one) for one in mine):
                return True
        return False

    @cached_property
    def _prepared(self) -> str:
        return numbers.prepare(self.raw)

    @cached_property
    def _readings(self) -> list[list[Quantity]]:
        text = self._prepared
        readings = []
        for spaced in (False, True):
            found = numbers.quantities(text, self.scope.locale, spaced=spaced)
            readings.append([one for one in found if not is_denied_number(text, one.start)])
        return readings

    def _explains(self, found: Quantity) -> bool:
        return any(accepts(found) for accepts in self._acceptors)

    @cached_property
    def _acceptors(self) -> list[Matches]:
        accepting: list[Matches] = []
        for rule in (*self.expected, *self.also):
            accepting += _acceptors(rule, self.scope.locale)
        return accepting

    # -- texts ---------------------------------------------------------------------------------

    def _says(self, value: Value, strict: bool, scope: Scope) -> bool:
        needle = scope.text(value)
        if scope.ignore_space:
            scope = replace(scope, ignore_space=False)
            parts = list(needle)
        else:
            parts = normal.parts_at_units(needle)
        return any(self._says_just(one, strict, scope) for one in self._spellings(parts, scope))

    def _spellings(self, parts: list[str], scope: Scope) -> set[str]:
        """How a text is written here that may have white space between its parts, or none."""
        if len(parts) < 2:
            return set(parts)
        spaced = regex.compile(r"\s*".join(map(regex.escape, parts)))
        return {place.group() for place in spaced.finditer(scope.text(self.raw))}

    def _says_just(self, needle: str, strict: bool, scope: Scope) -> bool:
        text = scope.text(self.raw)
        if not needle:
            return False
        if not strict:
            return is_mentioned(needle, text)
        firm = any(not is_doubtful(text, *place) for place in places(needle, text))
        if needle.isdecimal() and self._has_rival_code(needle):
            return False
        return firm and not self._guesses(needle, scope)

    def _guesses(self, needle: str, scope: Scope) -> bool:
        """Whether the value is just one item of a list of others of its kind."""
        known = self._known(scope) | {needle}
        if any(self._lists(needle, known, separator, scope) for separator in "\n;|,"):
            return True
        separators = "\n;" if self._pairs else "\n;|"
        return any(self._heads_a_list(needle, known, separator) for separator in separators)

    @cached_property
    def _pairs(self) -> list[str] | None:
        return attribution.values_of_pairs(self.raw)

    def _known(self, scope: Scope) -> set[str]:
        """Every text that the rules or `also` name, however deep."""
        named = _texts(self.also, scope)
        for rule in self.expected:
            named |= {scope.text(one) for one in _named(rule)}
        return named

    def _lists(self, needle: str, known: set[str], separator: str, scope: Scope) -> bool:
        parts = self._pairs if separator == "|" else None
        items = [_item(part, scope) for part in parts or self.raw.split(separator)]
        rivals = [item for item in items if item not in known and _is_name(item)]
        if needle not in items:
            return False
        if separator != ",":
            return len(rivals) >= MOST_RIVALS
        # Facts are often listed with commas, so there only a list of nothing but names is a guess.
        others = [item for item in items if item not in known]
        return len(rivals) >= MOST_RIVALS + 1 and len(rivals) == len(others)

    def _heads_a_list(self, needle: str, known: set[str], separator: str) -> bool:
        """Whether a sentence with the value is followed by other names in its stead."""
        scope = self.scope
        items = [item for item in map(_unbulleted, self.spelling.split(separator)) if item]
        kind = self._kind(needle)
        # The value itself is no rival, nor is what comes under a heading of its own.
        bare = [
            claims.is_bare(item, kind) and scope.text(item).rstrip(".") not in known
            for item in items
        ]
        for index, item in enumerate(items):
            if bare[index] or item.endswith(":") or not is_mentioned(needle, scope.text(item)):
                continue
            after = _leading(bare[index + 1 : index + 1 + MOST_RIVALS])
            before = _leading(bare[max(0, index - MOST_RIVALS) : index][::-1])
            if after and before + after >= MOST_RIVALS:
                return True
        return False

    def _kind(self, needle: str) -> str:
        # Kinds differ by their case, which the needle may have lost; the answer still has it.
        place = self.raw.lower().find(needle.lower())
        if place < 0:
            return claims.kind_of(needle)
        return claims.kind_of(self.raw[place : place + len(needle)])

    # -- other answers beside JSON -------------------------------------------------------------

    @property
    def spelling(self) -> str:
        """The answer with quotes and dashes in one form, but its case and its lines as they are."""
        return normal.text(self.raw, case_sensitive=True, collapse_ws=False)

    def claims_another(self, value: str, names: set[str], agrees: claims.Agrees) -> bool:
        """Whether these words call something else the answer than JSON gives under ``names``."""
        text = self.spelling.replace("```json", "").strip(" \n`")
        return claims.claims_another(text, value, names, agrees)


def _digits(found: Quantity) -> str:
    """The digits of a plain whole number; "" of any other."""
    is_plain = not found.unit and not found.decimals and 0 <= found.value < _LARGEST_CODE
    return str(int(found.value)) if is_plain and found.value == int(found.value) else ""


def _is_choice(text: str, one: regex.Match[str], other: regex.Match[str]) -> bool:
    first, second = sorted((one.span(), other.span()))
    return bool(_CHOICE.fullmatch(text, first[1], second[0]))


def literals(rule: Value, locale: str) -> Iterator[str]:
    """The texts (and not numbers) that a rule is satisfied by."""
    if rules.is_rule(rule):
        for name in ("eq", "in", "any"):
            for one in as_list(rule.get(name, [])):
                yield from literals(one, locale)
    elif isinstance(rule, str) and numbers.quantity(rule, locale) is None:
        yield rule


def _named(rule: Value) -> Iterator[str]:
    """Every text that a rule asks for, in whatever operator."""
    if isinstance(rule, list):
        for one in rule:
            yield from _named(one)
    elif rules.is_rule(rule):
        for asked in rules.asked_for(rule):
            yield from _named(asked)
    elif isinstance(rule, str):
        yield rule


def _texts(values: tuple[Value, ...], scope: Scope) -> set[str]:
    return {scope.text(one) for one in values if isinstance(one, str)}


def _unbulleted(part: str) -> str:
    return str(_BULLET.sub("", part)).strip()


def _item(part: str, scope: Scope) -> str:
    text = scope.text(_BULLET.sub("", part)).rstrip(".")
    return str(_JOIN.sub("", text))


def _leading(flags: list[bool]) -> int:
    """How many are true before the first that is not."""
    return len(list(takewhile(bool, flags)))


def _is_name(item: str) -> bool:
    if not item or ":" in item or len(item.split()) > 6:
        return False
    return any(map(str.isalpha, item)) and not any(map(str.isdigit, item))


def _satisfies(rule: dict[str, Any], names: set[str]) -> Matches:
    return lambda found: all(rules.compare(name, found.value, rule) for name in names)


def _acceptors(rule: Value, locale: str) -> Iterator[Matches]:
    """Which numbers a rule calls for."""
    if isinstance(rule, list):
        for one in rule:
            yield from _acceptors(one, locale)
    elif rules.is_rule(rule):
        if names := {name for name in rule if name in rules.NUMERIC}:
            yield _satisfies(rule, names)
        for asked in rules.asked_for(rule):
            yield from _acceptors(asked, locale)
    elif (wanted := numbers.quantity(rule, locale)) is not None:
        yield lambda found: numbers.same(wanted, found)
