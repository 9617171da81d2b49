"""Wrong answers made from a right one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

from ..checks import numbers, rules

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_DECOYS: Final = ("Springfield", "Riverdale", "Lakewood", "Fairview")


class _Span(NamedTuple):
    """Where the answer has the right value, and wrong values of its kind."""

    start: int
    end: int
    others: tuple[str, ...]


def answer_mutants(goal: str, answer: str, expected: Any) -> Iterator[tuple[str, str | None]]:
    """Wrong answers by family; `None` is no answer at all."""
    for nothing in (None, "", "I could not find out.", goal):
        yield "no-answer", nothing
    yield from _swapped(answer, expected)
    key = _key(expected)
    for span in spans_of(answer, expected):
        yield from _wrong_values(answer, span)
        right, other = answer[span.start : span.end], span.others[0]
        yield "contradicting-json", f"{answer}\n{json.dumps({key: other})}"
        yield "contradicting-json", f"{json.dumps({key: right})}\nThe {key} is {other}."


def _swapped(answer: str, expected: Any) -> Iterator[tuple[str, str]]:
    """The answer with the values of two keys in each other's place."""
    if not isinstance(expected, dict) or rules.is_rule(expected):
        return
    spans = sorted(spans_of(answer, expected))
    for one, other in pairwise(spans):
        first, second = answer[one.start : one.end], answer[other.start : other.end]
        if one.end <= other.start and first != second:
            between = answer[one.end : other.start]
            swapped = f"{second}{between}{first}"
            yield "values-swapped", answer[: one.start] + swapped + answer[other.end :]


def _wrong_values(answer: str, span: _Span) -> Iterator[tuple[str, str]]:
    right, first = answer[span.start : span.end], span.others[0]

    def put(text: str) -> str:
        return answer[: span.start] + text + answer[span.end :]

    family = "neighbour-number" if _NUMBER.fullmatch(right) else "other-answer"
    for other in span.others[:3]:
        yield family, put(other)
    for hedge in (f"either {right} or {first}", f"{right} or {first}", f"{first} or {right}"):
        yield "hedged-answer", put(hedge)
    yield "shotgun-answer", put(", ".join((*span.others, right)))
    yield "shotgun-answer", put("\n".join((right, *span.others)))
    yield "negated-answer", put(f"not {right}")
    yield "negated-answer", put(f"not {right} but {first}")


def _key(expected: Any) -> str:
    """What JSON may call the answer: the first path that is expected, if any."""
    if isinstance(expected, dict) and not rules.is_rule(expected):
        for path in expected:
            if path.strip("."):
                return str(path)
    return "answer"


def spans_of(answer: str, expected: Any) -> Iterator[_Span]:
    """Every value in the answer that the expectation speaks of."""
    leaves = list(leaves_of(expected))
    wanted = set(map(numbers.number, leaves)) - {None}
    for match in _NUMBER.finditer(answer):
        if numbers.number(match[0]) in wanted:
            yield _Span(match.start(), match.end(), tuple(_near(match[0])))
    for text in leaves:
        if not isinstance(text, str) or not text or numbers.number(text) is not None:
            continue
        at = answer.casefold().find(text.casefold())
        if at >= 0:
            decoys = tuple(one for one in _DECOYS if one.casefold() != text.casefold())
            yield _Span(at, at + len(text), decoys)


def leaves_of(rule: Any) -> Iterator[Any]:
    """Every plain value in an expectation."""
    if isinstance(rule, dict):
        for one in rule.values():
            yield from leaves_of(one)
    elif isinstance(rule, list):
        for one in rule:
            yield from leaves_of(one)
    elif not isinstance(rule, bool) and rule is not None:
        yield rule


def _near(text: str) -> Iterator[str]:
    """Numbers written like ``text`` whose last digits are others."""
    digits = re.sub(r"\D", "", text)
    for step in (1, -1, 2, 10):
        number = int(digits) + step
        if number >= 0:
            yield _written_like(text, str(number).rjust(len(digits), "0"))


def _written_like(text: str, digits: str) -> str:
    """``digits`` with the points and commas of ``text``; as they are if ``text`` has fewer."""
    if len(digits) > len(re.findall(r"\d", text)):
        return digits
    fresh = iter(digits)
    return re.sub(r"\d", lambda _: next(fresh), text)
