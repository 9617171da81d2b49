"""Values that move: a comparison that also accepts what a page showed during the episode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

import regex
from pydantic import AfterValidator, Field

from ..evidence.models import Evidence
from . import normal, rules
from .base import MISSING, Issue, Metric, Value
from .events import Pattern

_MOST_SEEN: Final = 100
"""Values that are tried, those of the newest pages first."""


def _one_group(pattern: str) -> str:
    if regex.compile(pattern).groups != 1:
        raise ValueError("must have one group, which holds the value: 'Wind: (\\d+) mph'")
    return pattern


OneGroup = Annotated[Pattern, AfterValidator(_one_group)]


class Comparison(Metric):
    """Base of the metrics that compare one value."""

    or_seen: OneGroup | None = Field(
        None, description="pattern with one group: a value that a page seen showed will also do"
    )

    def issues_of_seen(self, expected: Value) -> list[Issue]:
        """`or_seen` is about one value, so an object of several cannot be meant."""
        if self.or_seen is None or rules.is_rule(expected) or not isinstance(expected, dict):
            return []
        if len(expected) == 1:
            return []
        return [Issue("with `or_seen` only one value may be expected: make it a check of its own")]

    def seen(self, expected: Value, evidence: Evidence) -> Iterator[Value]:
        """What might be expected instead: one expectation for each value that a page showed.

        `GetterError` if the record of the pages is not complete.
        """
        if self.or_seen is None:
            return
        evidence.require_complete("pages_seen")
        found: dict[str, None] = {}
        for text in _texts(evidence):
            found.update(dict.fromkeys(normal.groups(self.or_seen, text)))
        for value in list(found)[:_MOST_SEEN]:
            other = self.instead(expected, value)
            if not self.issues(other):
                yield other

    def instead(self, expected: Value, value: str) -> Value:
        """``expected`` with the value that was seen in its place."""
        if not isinstance(expected, dict):
            return value
        if "approx" in expected:
            return {**expected, "approx": value}
        if rules.is_rule(expected):
            return value
        return dict.fromkeys(expected, value)


def _texts(evidence: Evidence) -> Iterator[str]:
    """What pages showed, the newest first."""
    if evidence.page is not None:
        yield evidence.page.text
    for page in reversed(evidence.pages_seen):
        yield from filter(None, (page.text_left, page.text))


def score_of(rule: Metric, result: Value, expected: Value, evidence: Evidence) -> float:
    """The score of a comparison, or the best by a value that was seen."""
    # Where the page does not show what is to be found, nothing found can be right.
    score = 0.0 if expected is MISSING else rule.score(result, expected)
    if score < 1.0 and isinstance(rule, Comparison):
        others = [rule.score(result, other) for other in rule.seen(expected, evidence)]
        score = max((score, *others))
    return score
