"""The metric over the agent's answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import regex
from pydantic import Field

from .. import answers, attribution, numbers, paths, rules
from ..answers import Member, ParsedAnswer
from ..base import MISSING, Issue, Value
from ..claims import kind_of
from ..comparison import Comparison
from ..free_text import Prose, literals
from .objects import path_issues

MOST_CHARACTERS: Final = 20_000
_TIMES_AS_LONG: Final = 20
_WHOLE: Final = (".", "")
"""Paths that mean the answer itself."""


class AnswerMatch(Comparison):
    """The answer states the expected value, in words or as JSON, and no other of its kind.

    A plain value or a rule is about the whole answer; an object ``{path: rule}`` also looks into
    the answer's JSON, where a value that contradicts the rule is final. ``also`` lists numbers and
    texts that the question brings up.
    """

    name: ClassVar[str] = "answer_match"
    also: list[float | str] = Field(
        default_factory=list, description="numbers and texts the question brings up"
    )
    partial: bool = False
    case_sensitive: bool = False
    ignore_literal_whitespace: bool = False
    locale: numbers.Locale = "en"

    def issues(self, expected: Value) -> list[Issue]:
        if _is_by_path(expected):
            return [*path_issues(expected), *self.issues_of_seen(expected)]
        if isinstance(expected, list) and not _is_list_of_values(expected):
            what = (
                "a list holds values that must all be stated; "
                "for rules write {all: [...]} or {any: [...]}"
            )
            return [Issue(what)]
        if expected is None or (isinstance(expected, str) and not expected.strip()):
            return [Issue("must be a value, a rule or an object {path: rule}")]
        return list(rules.issues(expected))

    def score(self, result: Value, expected: Value) -> float:
        if isinstance(result, str) and len(result) > _most_characters(expected):
            return 0.0  # whoever writes everything down has not answered
        answer = answers.parse_answer(result)
        if answer is None:
            return 0.0
        by_path = expected if _is_by_path(expected) else {".": expected}
        scope = rules.Scope(
            case_sensitive=self.case_sensitive,
            ignore_space=self.ignore_literal_whitespace,
            locale=self.locale,
        )
        everything = tuple(by_path.values())
        view = _View(
            answer,
            Prose(answer.text, scope, everything, tuple(self.also)),
            Prose(answer.prose, scope, everything, tuple(self.also)),
        )
        hits = [view.holds(path, rule) for path, rule in by_path.items()]
        if all(hits) and not view.is_attributed(by_path):
            return 0.0
        if self.partial and hits:
            return sum(hits) / len(hits)
        return float(bool(hits) and all(hits))


def _most_characters(expected: Value) -> int:
    """How long an answer may be: more where much is asked for."""
    asked = expected if isinstance(expected, str) else json.dumps(expected, default=str)
    return max(MOST_CHARACTERS, _TIMES_AS_LONG * len(asked))


def _is_by_path(expected: Value) -> bool:
    return isinstance(expected, dict) and not rules.is_rule(expected)


def _is_list_of_values(expected: list[Any]) -> bool:
    return bool(expected) and not any(isinstance(one, dict | list) for one in expected)


@dataclass(frozen=True, slots=True)
class _View:
    """An answer as it is judged: its JSON, all of it as words, and the words around the JSON."""

    answer: ParsedAnswer
    prose: Prose
    aside: Prose

    def holds(self, path: str, rule: Value) -> bool:
        """Whether the answer, or what its JSON has at ``path``, satisfies the rule."""
        if path in _WHOLE:
            return self._whole_holds(rule) and not self._is_disputed(rule)
        found = list(self._values_at(path))
        if found:
            # Blocks that disagree are a guess, so each one that has this path has to be right.
            agreed = all(self._some_value_holds(values, rule) for values in found)
            return agreed and not self._is_contradicted(path, rule)
        if rules.is_rule(rule) or rule is None:
            rules.reject(rule)
            if self._has_object() and rules.holds(MISSING, rule, self.prose.scope):
                return True
        return self.prose.states(rule)

    def is_attributed(self, by_path: dict[str, Value]) -> bool:
        """Whether values that are given in words stand beside the words of their own keys."""
        in_words = [
            path
            for path, rule in by_path.items()
            if path not in _WHOLE and _is_value(rule) and not any(self._values_at(path))
        ]
        if len(in_words) < 2:
            return True

        def states(path: str, said: str) -> bool:
            return replace(self.prose, raw=said).states(by_path[path], strict=False)

        return attribution.is_attributed(self.prose.spelling, in_words, states)

    def _values_at(self, path: str) -> Iterator[list[Value]]:
        """What each block that has the path has there."""
        for block in self.answer.blocks:
            if values := paths.select(block, path):
                yield values

    def _has_object(self) -> bool:
        return any(isinstance(block, dict) for block in self.answer.blocks)

    def _some_value_holds(self, values: list[Value], rule: Value) -> bool:
        return any(_value_holds(value, rule, self.prose) for value in values)

    def _whole_holds(self, rule: Value) -> bool:
        if self.answer.whole or isinstance(rule, list):
            for block in self.answer.blocks:
                if rules.holds(block, rule, self.prose.scope):
                    return True
        lists = [block for block in self.answer.blocks if isinstance(block, list)]
        if lists and isinstance(rule, list):
            return False
        if not rules.is_rule(rule) and any(len(one) > 1 for one in lists):
            return False
        return self.prose.states(rule)

    def _is_disputed(self, rule: Value) -> bool:
        """Whether the JSON or the words around it give another text as the answer."""
        texts = list(literals(rule, self.prose.scope.locale))
        if not texts or not self.answer.blocks:
            return False
        loose = replace(self.prose, scope=replace(self.prose.scope, case_sensitive=False))

        def agrees(value: Value) -> bool:
            return _value_holds(value, rule, loose) or _is_known(value, texts, loose)

        names: set[str] = set()
        for member in self._members():
            if isinstance(member.value, str) and agrees(member.value):
                names.add(member.name)
        for one in self._candidates():
            # Under another name than the value has there, it is another fact.
            is_other_fact = one.name and names - {"", one.name}
            if not is_other_fact and _is_rival(one.value, texts) and not agrees(one.value):
                return True
        return bool(names) and any(self.aside.claims_another(one, names, agrees) for one in texts)

    def _members(self) -> Iterator[Member]:
        for block in self.answer.blocks:
            yield from answers.members(block)

    def _candidates(self) -> Iterator[Member]:
        for block in self.answer.blocks:
            yield from answers.candidates(block)

    def _is_contradicted(self, path: str, rule: Value) -> bool:
        """Whether the words around the JSON give the same name another value: ``price: 98``."""
        if isinstance(rule, dict | list | bool) or rule is None:
            return False
        keys = regex.findall(r"[^.\[\]]+", path)
        if not keys or not keys[-1].strip("_- "):
            return False
        name = regex.escape(keys[-1], special_only=True).replace("_", "[_ ]")
        locale = self.aside.scope.locale
        is_number = numbers.quantity(rule, locale) is not None
        # A word after "is" may be anything; a number after it is mostly the value.
        joint = "is|was|are|were|:|=" if is_number else ":|="
        assignment = rf"(?i)\b{name}\W{{0,3}}\s?(?:{joint})\s?([^;\n]{{1,80}})"
        for said in regex.finditer(assignment, self.aside.raw):
            if is_number and not numbers.quantities(numbers.prepare(said[1]), locale):
                continue
            if not Prose(said[1], self.aside.scope).states(rule, strict=False):
                return True
        return False


def _is_value(rule: Value) -> bool:
    """Whether a rule asks for a value that can stand beside a key's words."""
    if rules.is_rule(rule):
        return bool({"eq", "in", "any", *rules.NUMERIC} & set(rule))
    return isinstance(rule, str | int | float) and not isinstance(rule, bool)


def _is_rival(value: Value, texts: list[str]) -> bool:
    """Whether a value is of the kind of these texts; names and small words are one kind here."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    shown = str(value)
    return bool(shown.strip()) and _broad_kind(shown) in map(_broad_kind, texts)


def _broad_kind(text: str) -> str:
    kind = kind_of(text)
    return "name" if kind == "word" else kind


def _is_known(value: Value, texts: list[str], prose: Prose) -> bool:
    """Whether a value is what ``also`` lists or what a text begins with.

    Sparta is the beginning of ``Sparta, Tennessee``.
    """
    heads = [regex.split(r"\s*[,;:(]\s*|\s[-–—]\s", text.strip())[0] for text in texts]
    return any(rules.equal(value, one, prose.scope) for one in (*heads, *prose.also))


def _value_holds(value: Value, rule: Value, prose: Prose) -> bool:
    if rules.holds(value, rule, prose.scope):
        return True
    if not isinstance(value, str):
        return False
    # A text within the JSON may be a small answer in words of its own: {"founded": "in 1984"}.
    return replace(prose, raw=value).states(rule)
