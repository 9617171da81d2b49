"""A getter and a metric. The names of their entry points are what task files call them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from pytest_webbench.checks import MISSING, Getter, Issue, Metric, Value
from pytest_webbench.evidence.models import Evidence


class WordCount(Getter):
    """How many words the final page shows; missing if it shows none."""

    type: Literal["word_count"] = "word_count"

    def read(self, evidence: Evidence) -> Value:
        words = evidence.final_page().visible_text.split()
        return len(words) or MISSING


class WithinFactor(Metric):
    """A number is at most ``factor`` times the expected one, and at least one ``factor``-th."""

    name: ClassVar[str] = "within_factor"
    factor: float = Field(2.0, ge=1)

    def issues(self, expected: Value) -> list[Issue]:
        if isinstance(expected, int | float) and expected > 0:
            return []
        return [Issue("must be a number greater than 0")]

    def score(self, result: Value, expected: Value) -> float:
        if not isinstance(result, int | float):
            return 0.0
        return float(expected / self.factor <= result <= expected * self.factor)
