"""The words of a goal: which of them matter, and which belong together.

Pure, for English, and written without any particular task in mind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_TOKEN: Final = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_QUOTED: Final = re.compile(r"[\"“„]([^\"“”„]{1,100})[\"”“]")
_NAME: Final = re.compile(
    r"[A-ZÀ-Þ][^\W_]*(?:[ -](?:(?:of|of the|de|du|von) )?(?:[A-ZÀ-Þ][^\W_]*|\d+)(?=\W|$)){0,6}"
)
_SENTENCE_START: Final = re.compile(r"(?:^|(?<=[.!?:] ))[A-ZÀ-Þ][^\W_]*")
_CLAUSE: Final = re.compile(
    r"[.;:!?](?=\s|$)|,\s+(?:and |then )?"
    r"|\s+(?:and|then)\s+(?=[a-z]+ (?:the|it|its|them|all|only|that|by)\b)"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_LITTLE_MEANING: Final = """
a about above after again all also an and any are as at be been below but by can do does
down each exactly few for from get had has have her here his how i if in into is it its
itself leave least like list make many me more most my new no not now of off on one only
open or other our out over own page pages please results same say see show so some such than
that the their them then there these they this those through to too until up use very was we
were what when where which who will with without you your it's
"""
_STOP_WORDS: Final = frozenset(_LITTLE_MEANING.split())
_SYNONYMS: Final = (
    ("refuse", "reject", "decline", "deny"),
    ("sort", "order", "orderby"),
    ("search", "find", "lookup"),
    ("picture", "image", "photo"),
    ("delete", "remove"),
    ("accept", "agree", "allow"),
)
_FIRST_SYNONYM: Final = {word: group[0] for group in _SYNONYMS for word in group}
_PLURAL_ENDINGS: Final = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("s", ""),
)


def stem(word: str) -> str:
    """A form of ``word`` that it shares with its plural and with its synonyms."""
    singular = _singular(word.casefold().replace("’", "'").removesuffix("'s"))
    return _FIRST_SYNONYM.get(singular, singular)


def _singular(word: str) -> str:
    if word.endswith("ss"):
        return word
    for ending, replacement in _PLURAL_ENDINGS:
        if word.endswith(ending) and len(word) > max(3, len(ending) + 1):
            return word.removesuffix(ending) + replacement
    return word


def tokens(text: str) -> list[str]:
    """The stems of the words of a text, in order."""
    return [stem(word) for word in _TOKEN.findall(text)]


def keywords(text: str) -> list[str]:
    """The stems of the words of a text, without words that mean little by themselves."""
    return [word for word in tokens(text) if word not in _STOP_WORDS]


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


@dataclass(frozen=True)
class Goal:
    """A goal taken apart."""

    text: str

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What stands in quotation marks, in order."""
        found = (quote.strip() for quote in _QUOTED.findall(self.text))
        return _unique(filter(None, found))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What is written with capitals within sentences, in order: mostly names."""
        inner = _SENTENCE_START.sub(" ", self.text)
        return _unique(name.strip() for name in _NAME.findall(inner) if len(name) > 2)

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """What could be typed into a search box, the likeliest first."""
        return _unique((*self.quoted, *self.names))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Its numbers, in order."""
        return _unique(_NUMBER.findall(self.text))

    @cached_property
    def clauses(self) -> tuple[frozenset[str], ...]:
        """The keywords of each of its parts, in the order in which they are to be done."""
        parts = (frozenset(keywords(part)) for part in _CLAUSE.split(self.text))
        return tuple(filter(None, parts)) or (frozenset(),)

    def clause_of(self, text: str, start: int = 0) -> int | None:
        """The part, from ``start`` on, that shares most words with ``text``.

        The first of several; None if no part has any of its words.
        """
        words = set(tokens(text))
        counts = [len(words & part) for part in self.clauses[start:]]
        if not any(counts):
            return None
        return start + counts.index(max(counts))

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much each keyword says: those in quotes, names and numbers more than others."""
        weights = dict.fromkeys(keywords(self.text), 1.0)
        for phrases, weight in ((self.names, 1.3), (self.numbers, 1.3), (self.quoted, 1.5)):
            for word in keywords(" ".join(phrases)):
                weights[word] = max(weight, weights.get(word, 0.0))
        return weights

    def count_near(self, phrase: str, words: Iterable[str], within: int = 5) -> int:
        """How many of ``words`` occur near ``phrase``, at most ``within`` words away."""
        goal = tokens(self.text)
        wanted = tokens(phrase)
        if not wanted:
            return 0
        outside = set(words) - set(wanted) - _STOP_WORDS
        best = 0
        for start in range(len(goal) - len(wanted) + 1):
            end = start + len(wanted)
            if goal[start:end] == wanted:
                window = goal[max(0, start - within) : end + within]
                best = max(best, len(outside.intersection(window)))
        return best
