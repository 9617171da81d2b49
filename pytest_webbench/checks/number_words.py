"""Numbers written as English words: ``twenty-one``, ``one hundred and five``, ``two million``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import regex

_UP_TO_NINETEEN: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SIMPLE: Final = {word: value for value, word in enumerate(_UP_TO_NINETEEN)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, 2)
}
SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HUNDRED: Final = "hundred"

_WORD: Final = "|".join((*_SIMPLE, _HUNDRED, *SCALES))
_RUN: Final = regex.compile(
    r"(?<![\w])(?P<minus>(?:minus|negative)\s+)?"
    r"(?P<words>(?:a\s+(?=hundred|thousand|million|billion|trillion))?"
    rf"(?:{_WORD})(?:(?:\s+and\s+|\s+|-)(?:{_WORD}))*)(?!\w)"
)
_NOT_A_NUMBER: Final = regex.compile(
    r"\b(?:no|any|every|each|some|which|that|this|the|another)[\s-]$"
)


class Spelt(NamedTuple):
    """A number in words, and where it begins."""

    value: int
    start: int
    lone_one: bool
    """Whether it is just the word "one", which mostly is a pronoun."""


def spelt(folded: str) -> Iterator[Spelt]:
    """Every number spelt out in a case-folded text."""
    for run in _RUN.finditer(folded):
        words = regex.findall(r"[a-z]+", run["words"])
        lone_one = words == ["one"]
        if lone_one and _NOT_A_NUMBER.search(folded[max(0, run.start() - 10) : run.start()]):
            continue
        values = _values(words)
        if run["minus"] and len(values) == 1:
            values = [-values[0]]
        for value in values:
            yield Spelt(value, run.start(), lone_one)


def _values(words: list[str]) -> list[int]:
    """The numbers in a run of number words: ``five six`` are two, ``five hundred six`` is one."""
    sum_ = _Sum()
    for word in words:
        sum_.add(word)
    sum_.end()
    return sum_.values


_LARGEST_SCALE: Final = 10**15
"""Larger than every scale, so that any of them may come first."""


class _Sum:
    """Adds number words up as they come, and begins a new number where one does not go on."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self._begin()

    def _begin(self) -> None:
        self._open = False
        self._joined = False
        """Whether the word before was "and"."""
        self._total = 0
        """What has a scale already: 3000 of "three thousand five"."""
        self._current = 0
        self._room = 1000
        """The next simple number has to be smaller: 10 after "twenty", 100 after "hundred"."""
        self._scale_room = _LARGEST_SCALE

    def add(self, word: str) -> None:
        """Take the next word of the run."""
        if word == "and":
            self._joined = True
            return
        if word in _SIMPLE or word == "a":
            self._add_simple(_SIMPLE.get(word, 1))
        elif word == _HUNDRED and 0 < self._current < 100:
            self._current, self._room = self._current * 100, 100
        elif word in SCALES and self._current and SCALES[word] < self._scale_room:
            self._total += self._current * SCALES[word]
            self._current, self._room, self._scale_room = 0, 1000, SCALES[word]
        self._joined = False

    def _add_simple(self, value: int) -> None:
        fits = value < self._room and not (self._joined and self._room < 100)
        if self._open and (value == 0 or not fits):
            self.end()
        self._current += value
        self._open = True
        self._room = 10 if value >= 20 else 0

    def end(self) -> None:
        """The number so far is complete."""
        if self._open:
            self.values.append(self._total + self._current)
        self._begin()
