"""Whether probabilities that a model gives are as often right as they say."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .rates import Interval, wilson


@dataclass(frozen=True, slots=True)
class Bin:
    """Choices of similar probability."""

    low: float
    high: float
    n: int
    right: int
    mean_probability: float

    @property
    def rate(self) -> float:
        """How many of them were right."""
        return self.right / self.n

    @property
    def interval(self) -> Interval:
        """95 % Wilson interval of the rate."""
        return wilson(self.right, self.n)


@dataclass(frozen=True, slots=True)
class Reliability:
    """Bins that are not empty, from the least probability to the greatest, and two sums over all choices."""

    bins: tuple[Bin, ...]
    n: int
    error: float
    """Expected calibration error: distance of rate and mean probability in a bin, weighted by its choices."""
    brier: float
    """Mean squared distance of probability and outcome."""


def reliability(choices: Iterable[tuple[float, bool]], bins: int = 10) -> Reliability:
    """How well probabilities agree with outcomes; ``choices`` are pairs of a probability and whether it was right.

    >>> found = reliability([(0.9, True), (0.9, True), (0.9, False), (0.2, False)])
    >>> [(one.n, one.right) for one in found.bins], round(found.error, 3)
    ([(1, 0), (3, 2)], 0.225)
    """
    sorted_in: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, right in choices:
        if not 0 <= probability <= 1:
            raise ValueError(f"{probability} is no probability")
        sorted_in[min(bins - 1, int(probability * bins))].append((probability, right))
    found = tuple(_bin(number / bins, (number + 1) / bins, part) for number, part in enumerate(sorted_in) if part)
    every = [choice for part in sorted_in for choice in part]
    total = len(every)
    if not total:
        return Reliability((), 0, 0.0, 0.0)
    error = math.fsum(one.n * abs(one.rate - one.mean_probability) for one in found) / total
    brier = math.fsum((probability - right) ** 2 for probability, right in every) / total
    return Reliability(found, total, error, brier)


def _bin(low: float, high: float, choices: Sequence[tuple[float, bool]]) -> Bin:
    mean = math.fsum(probability for probability, _ in choices) / len(choices)
    return Bin(low, high, len(choices), sum(right for _, right in choices), mean)


def probabilities(journal: Iterable[str]) -> dict[int, float]:
    """The probability of each decision in the lines of an ``agent.jsonl``, by its number; broken lines are left out."""
    found = {}
    for line in journal:
        try:
            note = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(note, dict) or note.get("kind") != "decision":
            continue
        number, value = note.get("number"), note.get("probability")
        if isinstance(number, int) and isinstance(value, int | float) and 0 <= value <= 1:
            found[number] = float(value)
    return found
