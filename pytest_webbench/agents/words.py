"""The words of a goal: which of them matter, which belong together. Pure, English, and without any task in mind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_TOKEN: Final = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_QUOTED: Final = re.compile(r"[\"“„]([^\"“”„]{1,100})[\"”“]")
_NAME: Final = re.compile(r"[A-ZÀ-Þ][^\W_]*(?:[ -](?:(?:of|of the|de|du|von) )?(?:[A-ZÀ-Þ][^\W_]*|\d+)(?=\W|$)){0,6}")
_CLAUSE: Final = re.compile(
    r"[.;:!?](?=\s|$)|,\s+(?:and |then )?|\s+(?:and|then)\s+(?=[a-z]+ (?:the|it|its|them|all|only|that|by)\b)"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_SAY_LITTLE: Final = """
a about above after again all also an and any are as at be been below but by can do does down each exactly few
for from get had has have her here his how i if in into is it its itself leave least like list make many me
more most my new no not now of off on one only open or other our out over own page pages please results same
say see show so some such than that the their them then there these they this those through to too until up
use very was we were what when where which who will with without you your it's
"""
_STOP: Final = frozenset(_SAY_LITTLE.split())
_ALIKE: Final = (
    ("refuse", "reject", "decline", "deny"),
    ("sort", "order", "orderby"),
    ("search", "find", "lookup"),
    ("picture", "image", "photo"),
    ("delete", "remove"),
    ("accept", "agree", "allow"),
)
_SAME: Final = {word: group[0] for group in _ALIKE for word in group}
_ENDINGS: Final = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


def stem(word: str) -> str:
    """A word in a form in which plural and singular, and words for the same, are alike."""
    plain = word.casefold().replace("’", "'").removesuffix("'s")
    for ending, instead in _ENDINGS:
        if plain.endswith(ending) and len(plain) > max(3, len(ending) + 1) and not plain.endswith("ss"):
            plain = plain.removesuffix(ending) + instead
            break
    return _SAME.get(plain, plain)


def tokens(text: str) -> list[str]:
    """The stems of the words of a text, in order."""
    return [stem(found) for found in _TOKEN.findall(text)]


def content(text: str) -> list[str]:
    """The same without words that mean little by themselves."""
    return [word for word in tokens(text) if word not in _STOP]


@dataclass(frozen=True)
class Goal:
    """A goal taken apart."""

    text: str

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """What stands in quotation marks, in order."""
        return tuple(dict.fromkeys(found.strip() for found in _QUOTED.findall(self.text) if found.strip()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What is written with capitals within sentences, in order: names, mostly."""
        bare = re.sub(r"(?:^|(?<=[.!?:] ))[A-ZÀ-Þ][^\W_]*", " ", self.text)
        return tuple(dict.fromkeys(found.strip() for found in _NAME.findall(bare) if len(found) > 2))

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """What could be typed into a search box, the likeliest first."""
        return tuple(dict.fromkeys((*self.quoted, *self.names)))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Its numbers, in order."""
        return tuple(dict.fromkeys(_NUMBER.findall(self.text)))

    @cached_property
    def clauses(self) -> tuple[frozenset[str], ...]:
        """The words of each of its parts, in order: what comes first is to be done first."""
        parts = (frozenset(content(part)) for part in _CLAUSE.split(self.text))
        return tuple(part for part in parts if part) or (frozenset(),)

    def clause_of(self, text: str, start: int = 0) -> int | None:
        """The part, from ``start`` on, that has most of a text's words, the first of several; None if none has any."""
        words = set(tokens(text))
        counts = [len(words & part) for part in self.clauses[start:]]
        return start + counts.index(max(counts)) if any(counts) else None

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much each of its words tells: quoted ones, names and numbers more than others."""
        weights = dict.fromkeys(content(self.text), 1.0)
        for phrases, weight in ((self.names, 1.3), (self.numbers, 1.3), (self.quoted, 1.5)):
            weights |= {word: max(weight, weights.get(word, 0.0)) for phrase in phrases for word in content(phrase)}
        return weights

    def near(self, phrase: str, words: Iterable[str], within: int = 5) -> int:
        """How many of ``words`` stand near ``phrase``, and not in it."""
        all_words, wanted = tokens(self.text), tokens(phrase)
        inner, around = set(wanted), set(words)
        best = 0
        for start in range(len(all_words) - len(wanted) + 1):
            if wanted and all_words[start : start + len(wanted)] == wanted:
                window = all_words[max(0, start - within) : start + len(wanted) + within]
                best = max(best, len((set(window) - inner - _STOP) & around))
        return best
