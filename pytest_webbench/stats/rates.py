"""Counts of outcomes and what may be said from them."""

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
    """Wilson's score interval for a proportion (E. B. Wilson, 1927, J. Am. Stat. Assoc. 22, 209); 0..1 if n is 0."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} are impossible")
    if n == 0:
        return Interval(0.0, 1.0)
    return score_interval(successes / n, n, z)


def score_interval(rate: float, n: float, z: float = Z95) -> Interval:
    """Wilson's interval around a rate that is as sure as one from ``n`` independent trials; ``n`` may be a fraction."""
    square = z * z
    centre = (rate + square / (2 * n)) / (1 + square / n)
    half = z * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    return Interval(max(0.0, centre - half) if rate > 0 else 0.0, min(1.0, centre + half) if rate < 1 else 1.0)


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes of a group of items: every item is in exactly one of the three."""

    passed: int = 0
    failed: int = 0
    unscored: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, outcomes: Iterable[tuple[str, str]]) -> Tally:
        """From pairs of outcome and, for unscored ones, the reason."""
        pairs = list(outcomes)
        counts = Counter(outcome for outcome, _ in pairs)
        if odd := set(counts) - {"passed", "failed", "unscored"}:
            raise ValueError(f"unknown outcomes {sorted(odd)}: use passed, failed, unscored")
        unscored = Counter(reason or "unknown" for outcome, reason in pairs if outcome == "unscored")
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
        """Where the rate of this agent on tasks like these lies, with 95 % confidence."""
        return wilson(self.passed, self.graded)

    @property
    def bounds(self) -> Interval:
        """What the rate would be if every unscored item had failed, and if every one had passed."""
        return (
            Interval(self.passed / self.n, (self.passed + self.unscored.total()) / self.n) if self.n else Interval(0, 1)
        )
