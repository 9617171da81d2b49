"""Counts of outcomes, and the rate, interval and bounds that follow from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


class Interval(NamedTuple):
    """A closed interval of rates, each from 0 to 1."""

    low: float
    high: float


def wilson(successes: int, n: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a proportion, 95 % by default; 0..1 if ``n`` is 0.

    E. B. Wilson, 1927, Journal of the American Statistical Association 22, 209.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} are impossible")
    if n == 0:
        return Interval(0.0, 1.0)
    return score_interval(successes / n, n, z)


def score_interval(rate: float, n: float, z: float = Z95) -> Interval:
    """Wilson's interval of a rate that is as certain as one of ``n`` independent trials.

    ``n`` may be a fraction.
    """
    square = z * z
    centre = (rate + square / (2 * n)) / (1 + square / n)
    half = z * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    # Rounding must not leave a trace at the ends, nor the rate outside.
    low = max(0.0, min(rate, centre - half)) if rate > 0 else 0.0
    high = min(1.0, max(rate, centre + half)) if rate < 1 else 1.0
    return Interval(low, high)


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes of a group of items: every item is in exactly one of the three."""

    passed: int = 0
    failed: int = 0
    unscored: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, outcomes: Iterable[tuple[str, str]]) -> Tally:
        """From pairs of an outcome and, if it is unscored, the reason."""
        counts: Counter[str] = Counter()
        unscored: Counter[str] = Counter()
        for outcome, reason in outcomes:
            counts[outcome] += 1
            if outcome == "unscored":
                unscored[reason or "unknown"] += 1
        odd = set(counts) - {"passed", "failed", "unscored"}
        if odd:
            raise ValueError(f"unknown outcomes {sorted(odd)}: use passed, failed, unscored")
        return cls(counts["passed"], counts["failed"], unscored)

    @property
    def graded(self) -> int:
        """Items with a verdict."""
        return self.passed + self.failed

    @property
    def n(self) -> int:
        """All items."""
        return self.graded + self.unscored.total()

    @property
    def rate(self) -> float | None:
        """The headline: passed of graded; None if nothing is graded."""
        return self.passed / self.graded if self.graded else None

    @property
    def interval(self) -> Interval:
        """95 % interval of the rate on tasks like these."""
        return wilson(self.passed, self.graded)

    @property
    def bounds(self) -> Interval:
        """The rate if every unscored item had failed, and if every one had passed."""
        if not self.n:
            return Interval(0, 1)
        return Interval(self.passed / self.n, (self.passed + self.unscored.total()) / self.n)
