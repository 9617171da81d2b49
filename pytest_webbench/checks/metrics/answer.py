"""The metric over the agent's answer."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import regex
from pydantic import Field

from .. import answers, numbers, paths, rules
from ..answers import Answer
from ..base import MISSING, Flaw, Metric, Value
from ..prose import Prose, kind_of, literals
from .objects import path_flaws

_WHOLE = (".", "")


class AnswerMatch(Metric):
    """The agent's answer states the expected value, in words or as JSON, and no other value of its kind.

    A plain value or a rule is about the whole answer; an object ``{path: rule}`` also looks into the answer's JSON,
    where a value that contradicts the rule is final. ``also`` lists numbers and texts that the question brings up.
    """

    name: ClassVar[str] = "answer_match"
    also: list[float | str] = Field(default_factory=list, description="numbers and texts the question brings up")
    partial: bool = False
    case_sensitive: bool = False
    ignore_literal_whitespace: bool = False
    locale: numbers.Locale = "en"

    def flaws(self, expected: Value) -> list[Flaw]:
        if isinstance(expected, dict) and not rules.is_rule(expected):
            return path_flaws(expected)
        if isinstance(expected, list) and (not expected or any(isinstance(one, dict | list) for one in expected)):
            return [Flaw("a list holds values that must all be stated; for rules write {all: [...]} or {any: [...]}")]
        if expected is None or (isinstance(expected, str) and not expected.strip()):
            return [Flaw("must be a value, a rule or an object {path: rule}")]
        return list(rules.flaws(expected))

    def score(self, result: Value, expected: Value) -> float:
        answer = answers.view(result)
        if answer is None:
            return 0.0
        by_path = expected if isinstance(expected, dict) and not rules.is_rule(expected) else {".": expected}
        scope = rules.Scope(
            case_sensitive=self.case_sensitive, ignore_space=self.ignore_literal_whitespace, locale=self.locale
        )
        everything = tuple(by_path.values())
        prose = Prose(answer.text, scope, everything, tuple(self.also))
        aside = Prose(answer.prose, scope, everything, tuple(self.also))
        hits = [_holds(answer, prose, aside, path, rule) for path, rule in by_path.items()]
        return sum(hits) / len(hits) if self.partial and hits else float(bool(hits) and all(hits))


def _holds(answer: Answer, prose: Prose, aside: Prose, path: str, rule: Value) -> bool:
    if path in _WHOLE:
        return _whole_holds(answer, prose, rule) and not _disputed(answer, prose, aside, rule)
    found = [values for block in answer.blocks if (values := paths.select(block, path))]
    if found:
        # Blocks that disagree with each other are a guess, so every one that speaks of this path has to be right.
        agreed = all(any(_value_holds(value, rule, prose) for value in values) for values in found)
        return agreed and not _contradicts(aside, path, rule)
    if rules.is_rule(rule) or rule is None:
        rules.reject(rule)
        if any(isinstance(block, dict) for block in answer.blocks) and rules.holds(MISSING, rule, prose.scope):
            return True
    return prose.states(rule)


def _whole_holds(answer: Answer, prose: Prose, rule: Value) -> bool:
    blocks = answer.blocks if answer.whole or isinstance(rule, list) else ()
    if any(rules.holds(block, rule, prose.scope) for block in blocks):
        return True
    lists = [block for block in answer.blocks if isinstance(block, list)]
    if lists and (isinstance(rule, list) or (not rules.is_rule(rule) and any(len(one) > 1 for one in lists))):
        return False
    return prose.states(rule)


def _disputed(answer: Answer, prose: Prose, aside: Prose, rule: Value) -> bool:
    """Whether the JSON gives another text for the answer than the rule asks for, or the words give another than it."""
    texts = list(literals(rule, prose.scope.locale))
    if not texts or not answer.blocks:
        return False
    loose = replace(prose, scope=replace(prose.scope, case_sensitive=False))

    def agrees(value: Value) -> bool:
        return _value_holds(value, rule, loose) or _is_known(value, texts, loose)

    members = [one for block in answer.blocks for one in answers.members(block)]
    names = {one.name for one in members if isinstance(one.value, str) and agrees(one.value)}
    for one in (one for block in answer.blocks for one in answers.candidates(block)):
        # Under another name than the value has there, it is another fact.
        other_fact = one.name and names - {"", one.name}
        if not other_fact and _is_rival(one.value, texts) and not agrees(one.value):
            return True
    return bool(names) and any(aside.claims_another(text, names, agrees) for text in texts)


def _is_rival(value: Value, texts: list[str]) -> bool:
    """Whether a value is of the kind of these texts; names and small words are one kind here."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        return False
    kinds = {"word": "name"}
    return kinds.get(kind := kind_of(str(value)), kind) in {kinds.get(kind := kind_of(text), kind) for text in texts}


def _is_known(value: Value, texts: list[str], prose: Prose) -> bool:
    """Whether a value is what ``also`` lists or what a text begins with: Sparta for ``Sparta, Tennessee``."""
    heads = [regex.split(r"\s*[,;:(]\s*|\s[-–—]\s", text.strip())[0] for text in texts]
    return any(rules.equal(value, one, prose.scope) for one in (*heads, *prose.also))


def _value_holds(value: Value, rule: Value, prose: Prose) -> bool:
    """A text within the JSON may be a small answer in words of its own: ``{"founded": "in 1984"}``."""
    if rules.holds(value, rule, prose.scope):
        return True
    return isinstance(value, str) and Prose(value, prose.scope, prose.expected, prose.also).states(rule)


def _contradicts(aside: Prose, path: str, rule: Value) -> bool:
    """Whether the words around the JSON assign another value to the same name: ``price: 98``."""
    if isinstance(rule, dict | list | bool) or rule is None:
        return False
    key = regex.findall(r"[^.\[\]]+", path)[-1:]
    if not key or not key[0].strip("_- "):
        return False
    name = regex.escape(key[0], special_only=True).replace("_", "[_ ]")
    is_number = numbers.quantity(rule, aside.scope.locale) is not None
    joint = "is|was|are|were|:|=" if is_number else ":|="
    for said in regex.finditer(rf"(?i)\b{name}\W{{0,3}}\s?(?:{joint})\s?([^;\n]{{1,80}})", aside.raw):
        clause = Prose(said[1], aside.scope)
        relevant = bool(numbers.quantities(numbers.prepare(said[1]), aside.scope.locale)) if is_number else True
        if relevant and not clause.states(rule, strict=False):
            return True
    return False
