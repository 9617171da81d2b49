"""Numbers written as English words: ``twenty-one``, ``one hundred and five``, ``two million``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import regex

_UP_TO_NINETEEN: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SIMPLE: Final = {word: value for value, word in enumerate(_UP_TO_NINETEEN)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, 2)
}
SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HUNDRED: Final = "hundred"

_WORD: Final = "|".join((*_SIMPLE, _HUNDRED, *SCALES))
_RUN: Final = regex.compile(
    r"(?<![\w])(?P<minus>(?:minus|negative)\s+)?"
    rf"(?P<words>(?:a\s+(?=hundred|thousand|million|billion|trillion))?(?:{_WORD})(?:(?:\s+and\s+|\s+|-)(?:{_WORD}))*)(?!\w)"
)
_NOT_A_NUMBER: Final = regex.compile(r"\b(?:no|any|every|each|some|which|that|this|the|another)[\s-]$")


class Spelt(NamedTuple):
    """A number in words, and where it begins."""

    value: int
    start: int
    lone_one: bool


def spelt(folded: str) -> Iterator[Spelt]:
    """Every number spelt out in a case-folded text; a lone "one" is marked, since it is mostly a pronoun."""
    for run in _RUN.finditer(folded):
        words = regex.findall(r"[a-z]+", run["words"])
        if words == ["one"] and _NOT_A_NUMBER.search(folded[max(0, run.start() - 10) : run.start()]):
            continue
        values = list(_values(["one" if word == "a" else word for word in words]))
        for value in values:
            yield Spelt(-value if run["minus"] and len(values) == 1 else value, run.start(), words == ["one"])


def _values(words: list[str]) -> Iterator[int]:
    """The numbers in a run of number words: ``five six`` are two, ``five hundred six`` is one."""
    total = current = 0
    room, scale_room, open_, joined = 1000, 10**15, False, False
    for word in words:
        if word == "and":
            joined = True
            continue
        if word in _SIMPLE:
            value = _SIMPLE[word]
            fits = value < room and not (joined and room < 100) and not (value == 0 and open_)
            if open_ and not fits:
                yield total + current
                total, current, scale_room = 0, 0, 10**15
            current, open_ = current + value, True
            room = 10 if value >= 20 else 0
        elif word == _HUNDRED and 0 < current < 100:
            current, room = current * 100, 100
        elif word in SCALES and current and SCALES[word] < scale_room:
            total, current, room, scale_room = total + current * SCALES[word], 0, 1000, SCALES[word]
        joined = False
    if open_:
        yield total + current
