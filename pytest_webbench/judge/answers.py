"""Wrong answers made from a right one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..checks import numbers, rules

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DECOYS = ("Springfield", "Riverdale", "Lakewood", "Fairview")


class _Place(NamedTuple):
    """Where the right value stands in the answer, and wrong values of its kind."""

    start: int
    end: int
    others: tuple[str, ...]


def answer_mutants(goal: str, answer: str, expected: Any) -> Iterator[tuple[str, str | None]]:
    """Wrong answers by family; `None` is no answer at all."""
    for nothing in (None, "", "I could not find out.", goal):
        yield "no-answer", nothing
    key = next((path for path in expected if path.strip(".")), "answer") if _by_path(expected) else "answer"
    for place in _places(answer, expected):
        right = answer[place.start : place.end]
        first = place.others[0]

        def put(text: str, place: _Place = place) -> str:
            return answer[: place.start] + text + answer[place.end :]

        for other in place.others[:3]:
            yield "neighbour-number" if _NUMBER.fullmatch(right) else "other-answer", put(other)
        for hedge in (f"either {right} or {first}", f"{right} or {first}", f"{first} or {right}"):
            yield "hedged-answer", put(hedge)
        yield "shotgun-answer", put(", ".join((*place.others, right)))
        yield "shotgun-answer", put("\n".join((right, *place.others)))
        yield "negated-answer", put(f"not {right}")
        yield "negated-answer", put(f"not {right} but {first}")
        yield "contradicting-json", f"{answer}\n{json.dumps({key: first})}"
        yield "contradicting-json", f"{json.dumps({key: right})}\nThe {key} is {first}."


def _by_path(expected: Any) -> bool:
    return isinstance(expected, dict) and not rules.is_rule(expected)


def _places(answer: str, expected: Any) -> Iterator[_Place]:
    """Every value in the answer that the expectation speaks of."""
    leaves = list(_leaves(expected))
    wanted = {number for leaf in leaves if (number := numbers.number(leaf)) is not None}
    for match in _NUMBER.finditer(answer):
        if numbers.number(match[0]) in wanted:
            yield _Place(match.start(), match.end(), tuple(_near(match[0])))
    for text in (leaf for leaf in leaves if isinstance(leaf, str) and numbers.number(leaf) is None):
        at = answer.casefold().find(text.casefold())
        if text and at >= 0:
            yield _Place(at, at + len(text), tuple(one for one in _DECOYS if one.casefold() != text.casefold()))


def _leaves(rule: Any) -> Iterator[Any]:
    if isinstance(rule, dict):
        for one in rule.values():
            yield from _leaves(one)
    elif isinstance(rule, list):
        for one in rule:
            yield from _leaves(one)
    elif not isinstance(rule, bool) and rule is not None:
        yield rule


def _near(text: str) -> Iterator[str]:
    """Numbers written like ``text`` whose last digits are others."""
    digits = re.sub(r"\D", "", text)
    for step in (1, -1, 2, 10):
        number = int(digits) + step
        if number >= 0:
            fresh = iter(str(number).rjust(len(digits), "0"))
            longer = len(str(number)) > len(digits)
            yield str(number) if longer else re.sub(r"\d", lambda _match: next(fresh), text)  # noqa: B023 - used at once
