"""What an answer in words states: a value, and not merely its mention among others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, Final

import regex

from . import normal, numbers, rules
from .base import MISSING, Value
from .numbers import Quantity
from .rules import Scope

MOST_RIVALS: Final = 3
"""An item of a list with this many others of its kind is a guess, not an answer."""

_RANKS: Final = 4
_DENIED: Final = regex.compile(
    r"(?:\b(?:not|never|nor|neither|cannot be|no longer|instead of|rather than|other than)|n't)"
    r"\s(?:(?:the|an?|in|by|at)\s)?[\"'(*]*$"
)
_HEDGED_BEFORE: Final = regex.compile(r"\b(?:either|or)\s(?:(?:the|an?|in|by|at)\s)?[\"'(*]*$")
_HEDGED_AFTER: Final = regex.compile(
    r"^[\"')*]*\s?,?\s?or\s(?!(?:more|less|so|higher|lower|later|earlier|newer|older|above|below|greater|better)\b)"
)
_WORDY: Final = regex.compile(r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}\p{N}\p{M}_]")
_DECIMAL_BEFORE: Final = regex.compile(r"\d[.,]$")
_DECIMAL_AFTER: Final = regex.compile(r"[.,]?\d|-\w")
_BULLET: Final = regex.compile(r"^\s*(?:[-*•+]|\(?\d{1,3}[.)])\s+")
_JOIN: Final = regex.compile(r"^(?:and|or)\s")

_WORD: Final = r"(?:(?:St|Mt|Ft|Dr|Mr|Mrs|Ms)\.|[\p{Lu}\p{Lo}][\w'&-]*)"
_SMALL: Final = r"(?:(?:of|the|and|de|la|le|du|des|von|van|der|den|in|on|at|for|to|a|an|y|e|&|-)\s){0,2}"
_NAME: Final = rf"{_WORD}(?:\s{_SMALL}{_WORD}){{0,5}}"
_SHAPES: Final = {
    "name": _NAME,
    "word": r"\p{Ll}[\w'-]*(?:\s\p{Ll}[\w'-]*)?",
    "code": r"[vV]?\d(?:[\w.:/-]*\w)?",
    "address": r"(?:https?://|www\.)\S+",
}
_FINISHED: Final = r"[\"'*_`)]*\s*(?:[.,;!(\n]|-\s|$"
_GOES_ON: Final = rf"{_FINISHED}|\b(?:in|near|at|on|from|by|but|with|which|and|as|for)\b)"
_ENDS: Final = {kind: rf"{_FINISHED})" if kind == "word" else _GOES_ON for kind in _SHAPES}
_DECOR: Final = r"[\s\"'*_`(]*"
_STATED: Final = {kind: regex.compile(rf"{_DECOR}({shape}){_ENDS[kind]}") for kind, shape in _SHAPES.items()}
_BARE: Final = {
    kind: regex.compile(rf"{_DECOR}({shape})(?:,\s{shape})?[\"'*_`)]*[.!]?") for kind, shape in _SHAPES.items()
}
_SAYING: Final = regex.compile(
    r"\b(?P<subject>it|this|that|(?:the|my|our)\s(?:[\w'-]+\s){0,4}?[\w-]+)"
    r"(?:'s|\s(?:is|was|are|were|must be|should be))\s(?:actually\s|really\s|in fact\s|called\s|named\s)?"
    r"(?=(?P<said>[^\n]{1,120}))",
    regex.IGNORECASE,
)
_CLAUSE: Final = regex.compile(r"[.!?;\n]|\b(?:but|however|though)\b")
_ANSWERS: Final = frozenset({"answer", "result", "solution", "value"})
_PRONOUNS: Final = frozenset({"it", "this", "that"})
_OTHERS: Final = regex.compile(
    r"\b(?:second|third|other|others|next|runner|previous|former|old|also|another|source|page|site|website|reason|link)\b"
    r"|\b(?:if|whether|not)\s(?:that\s)?(?:it|this|that|the|my|our)\b"
)
_STOCK: Final = frozenset({
    "answer", "answers", "complete", "completed", "data", "details", "done", "extracted", "final", "finished", "found",
    "great", "here", "hope", "information", "json", "note", "ok", "okay", "output", "page", "response", "result",
    "results", "search", "solution", "source", "sources", "success", "sure", "summary", "task", "thanks", "this",
    "value", "wikipedia", "yes", "it", "that", "there", "above", "below", "what", "which",
})  # fmt: skip


@dataclass(frozen=True)
class Prose:
    """One answer in words. ``expected`` and ``also`` are all the values whose presence needs no explanation."""

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
        return self._counts(lambda actual: numbers.same(wanted, actual), strict)

    def _obeys(self, rule: dict[str, Any], strict: bool, scope: Scope) -> bool:
        numeric = {name for name in rule if name in rules.NUMERIC}
        if numeric and not self._counts(_satisfies(rule, numeric), strict):
            return False
        return all(
            self._operator(name, rule[name], rule, strict, scope)
            for name in sorted(rule)
            if name in rules.OPERATORS and name not in numeric
        )

    def _operator(self, name: str, argument: Any, rule: dict[str, Any], strict: bool, scope: Scope) -> bool:
        if name.startswith("not_") or name == "ne":
            positive = {"ne": "eq"}.get(name, name.removeprefix("not_"))
            quantify = any if positive == "contains" else all
            parts = rules.needles(argument) if positive == "contains" else [argument]
            return not quantify(self._operator(positive, part, rule, False, scope) for part in parts)
        if name == "re":
            flags = rule.get("flags")
            strictly = scope.case_sensitive
            patterns = rules.needles(argument)
            return any(normal.found(one, self.raw, case_sensitive=strictly, extra=flags) for one in patterns)
        if name in ("exists", "len"):
            return name == "exists" and bool(argument)
        parts = [argument] if name in ("eq", "not") else rules.needles(argument)
        strict = strict and name not in ("contains", "not")
        stated = (self.states(one, strict=strict, scope=scope) for one in parts)
        return not all(stated) if name == "not" else any(stated) if name in ("in", "any") else all(stated)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _counts(self, matches: Callable[[Quantity], bool], strict: bool) -> bool:
        """Whether the answer gives a number that matches and, if ``strict``, none that nothing explains."""
        for reading in self._readings:
            if not strict and any(map(matches, reading)):
                return True
            for rank in range(_RANKS):
                pool = [one for one in reading if one.rank == rank]
                explained = all(map(self._explains, pool))
                if explained and any(map(matches, pool)):
                    return True
                if not explained:
                    break
        return False

    @cached_property
    def _readings(self) -> list[list[Quantity]]:
        text = numbers.prepare(self.raw)
        readings = (numbers.quantities(text, self.scope.locale, spaced=spaced) for spaced in (False, True))
        return [[one for one in reading if not _before(_DENIED, text, one.start)] for reading in readings]

    def _explains(self, found: Quantity) -> bool:
        return any(accepts(found) for accepts in self._acceptors)

    @cached_property
    def _acceptors(self) -> list[Callable[[Quantity], bool]]:
        return [accepts for rule in (*self.expected, *self.also) for accepts in _acceptors(rule, self.scope.locale)]

    # -- texts ---------------------------------------------------------------------------------------------------------

    def _says(self, value: Value, strict: bool, scope: Scope) -> bool:
        needle, text = scope.text(value), scope.text(self.raw)
        if not needle:
            return False
        if scope.ignore_space:
            return needle in text
        places = _places(needle, text)
        if not strict:
            return any(places)
        firm = any(not _doubtful(text, *place) for place in places)
        return firm and not self._guesses(needle, scope)

    def _guesses(self, needle: str, scope: Scope) -> bool:
        """Whether the value is just one item of a list of others of its kind."""
        known = {scope.text(one) for one in (*self.expected, *self.also) if isinstance(one, str)} | {needle}
        for separator in "\n;|,":
            items = [scope.text(_BULLET.sub("", item)).rstrip(".") for item in self.raw.split(separator)]
            items = [_JOIN.sub("", item) for item in items]
            rivals = [item for item in items if item not in known and _is_name(item)]
            # Facts are often listed with commas, so there only a list of nothing but names is a guess.
            enough = len(rivals) >= MOST_RIVALS + (separator == ",")
            if needle in items and enough and (separator != "," or len(rivals) == len(items) - 1):
                return True
        return any(self._heads_a_list(needle, separator, scope) for separator in "\n;|")

    def _heads_a_list(self, needle: str, separator: str, scope: Scope) -> bool:
        """Whether a sentence with the value is followed by other names in its stead."""
        known = {scope.text(one) for one in self.also if isinstance(one, str)} | {needle}
        known |= {scope.text(one) for rule in self.expected for one in literals(rule, scope.locale)}
        items = [item for part in _spelling(self.raw).split(separator) if (item := _BULLET.sub("", part).strip())]
        kind = self._kind(needle)
        # The value itself is no rival, nor is what stands under a heading of its own.
        bare = [self._bare(item, kind) and scope.text(item).rstrip(".") not in known for item in items]
        for index, item in enumerate(items):
            if bare[index] or item.endswith(":") or not any(_places(needle, scope.text(item))):
                continue
            after = len(list(takewhile(bool, bare[index + 1 :])))
            before = len(list(takewhile(bool, reversed(bare[:index]))))
            if after and before + after >= MOST_RIVALS:
                return True
        return False

    # -- other answers beside JSON -------------------------------------------------------------------------------------

    def _kind(self, needle: str) -> str:
        """The kind of a value, with its case as it stands in the answer if the needle has lost it."""
        place = self.raw.lower().find(needle.lower())
        return kind_of(self.raw[place : place + len(needle)] if place >= 0 else needle)

    @staticmethod
    def _bare(item: str, kind: str) -> bool:
        return _BARE[kind].fullmatch(item) is not None and not _STOCK & set(regex.findall(r"\w+", item.lower()))

    def claims_another(self, value: str, names: set[str], agrees: Callable[[str], bool]) -> bool:
        """Whether these words call something else the answer than a value that JSON gives under ``names``."""
        text, kind = _spelling(self.raw).replace("```json", "").strip(" \n`"), kind_of(value)
        if self._bare(text, kind) and not agrees(text):
            return True
        known = [name.split()[-1] for name in names if name]
        claims = [
            (subject, stated[1])
            for subject, said in _claims(text, known, agrees)
            if (stated := _STATED[kind].match(said)) and (kind != "code" or _alike(stated[1], value))
        ]
        repeated = {subject for subject, stated in claims if agrees(stated)}
        rivals = {subject for subject, stated in claims if not agrees(stated)}
        weighty = _ANSWERS | repeated | set(known)
        if not repeated and kind != "word":
            weighty |= _PRONOUNS if known else rivals
        return bool(rivals & weighty)


def literals(rule: Value, locale: str) -> Iterator[str]:
    """The texts (and not numbers) that a rule is satisfied by."""
    if rules.is_rule(rule):
        for name in ("eq", "in", "any"):
            for one in rules.needles(rule.get(name, [])):
                yield from literals(one, locale)
    elif isinstance(rule, str) and numbers.quantity(rule, locale) is None:
        yield rule


def kind_of(text: str) -> str:
    """Which texts could be given for one another: names, small words, codes that begin with a digit, addresses."""
    kinds = (kind for kind in ("address", "code") if regex.match(_SHAPES[kind], text.strip()))
    return next(kinds, "word" if regex.match(r"\W*\p{Ll}", text) else "name")


def _alike(code: str, other: str) -> bool:
    shapes = [regex.sub(r"\d+", "0", one.strip().lower().removeprefix("v")) for one in (code, other)]
    return len(set(shapes)) == 1


def _spelling(raw: str) -> str:
    return normal.text(raw, case_sensitive=True, collapse_ws=False)


def _claims(text: str, names: list[str], agrees: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """What the words call what: ``the town is X``, ``answer: X``, ``X is the answer``."""
    for saying in _SAYING.finditer(text):
        lead = _CLAUSE.split(text[max(0, saying.start() - 200) : saying.end("subject")])
        # A sentence that speaks of the value before its verb tells more about it.
        if not _OTHERS.search(lead[-1].lower()) and not agrees(lead[-1]):
            yield saying["subject"].lower().split()[-1], saying["said"]
    nouns = "|".join(regex.escape(one) for one in (*sorted(_ANSWERS), *names))
    for label in regex.finditer(rf"(?i)\b({nouns})[*_\"']{{0,3}}\s?[:=]([^\n]{{1,120}})", text):
        yield label[1].lower(), label[2]
    for told in regex.finditer(rf"({_NAME})\s(?:is|was)\s(?:the|my)\s(?:\w+\s){{0,2}}?(?i:({nouns}))\b", text):
        if told[1].lower() not in _STOCK:
            yield told[2].lower(), told[1]


def _is_name(item: str) -> bool:
    return bool(item) and len(item.split()) <= 6 and ":" not in item and not any(map(str.isdigit, item))


def _satisfies(rule: dict[str, Any], names: set[str]) -> Callable[[Quantity], bool]:
    return lambda found: all(rules.compare(name, found.value, rule) for name in names)


def _acceptors(rule: Value, locale: str) -> Iterator[Callable[[Quantity], bool]]:
    """Which numbers a rule calls for."""
    if isinstance(rule, list):
        for one in rule:
            yield from _acceptors(one, locale)
    elif rules.is_rule(rule):
        if names := {name for name in rule if name in rules.NUMERIC}:
            yield _satisfies(rule, names)
        for name in ("eq", "in", "any", "all", "contains"):
            if name in rule:
                yield from _acceptors(rule[name], locale)
    elif (wanted := numbers.quantity(rule, locale)) is not None:
        yield lambda found: numbers.same(wanted, found)


def _places(needle: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the needle stands as whole words; ``7.4.1`` is not in ``7.4.10`` nor in ``7.4.1-rc1``."""
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if not (_cut_before(needle[0], before) or _cut_after(needle[-1], after)):
            yield start, end
        start = text.find(needle, start + 1)


def _cut_before(edge: str, before: str) -> bool:
    if edge.isdigit() and _DECIMAL_BEFORE.search(before):
        return True
    return bool(_WORDY.match(edge) and before and _WORDY.match(before[-1]))


def _cut_after(edge: str, after: str) -> bool:
    if edge.isdigit() and _DECIMAL_AFTER.match(after):
        return True
    return bool(_WORDY.match(edge) and after and _WORDY.match(after[0]))


def _before(pattern: regex.Pattern[str], text: str, position: int) -> bool:
    return pattern.search(text[max(0, position - 40) : position].lower()) is not None


def _doubtful(text: str, start: int, end: int) -> bool:
    """Whether a mention is denied ("not X") or one of two ("X or Y")."""
    hedged = _before(_HEDGED_BEFORE, text, start) or _HEDGED_AFTER.search(text[end : end + 20].lower()) is not None
    return hedged or _before(_DENIED, text, start)
