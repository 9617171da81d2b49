"""Calibration: whether a model's choices are right as often as the probabilities it gives say."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
        """Share of the choices that were right."""
        return self.right / self.n

    @property
    def interval(self) -> Interval:
        """95 % Wilson interval of the rate."""
        return wilson(self.right, self.n)


@dataclass(frozen=True, slots=True)
class Reliability:
    """Choices in bins by their probability, and two figures over all ``n`` choices."""

    bins: tuple[Bin, ...]
    """Bins that are not empty, the least probability first."""
    n: int
    error: float
    """Expected calibration error: mean distance of rate and mean probability, by bin size."""
    brier: float
    """Mean squared distance of probability and outcome."""


def reliability(choices: Iterable[tuple[float, bool]], bins: int = 10) -> Reliability:
    """How well probabilities agree with outcomes, in ``bins`` bins of equal width.

    ``choices`` are pairs of a probability from 0 to 1 and whether the choice was right.
    `ValueError` if one is not a probability.

    >>> found = reliability([(0.9, True), (0.9, True), (0.9, False), (0.2, False)])
    >>> [(one.n, one.right) for one in found.bins], round(found.error, 3)
    ([(1, 0), (3, 2)], 0.225)
    """
    parts: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    squares: list[float] = []
    for probability, right in choices:
        if not 0 <= probability <= 1:
            raise ValueError(f"{probability} is not a probability")
        parts[min(bins - 1, int(probability * bins))].append((probability, right))
        squares.append((probability - right) ** 2)
    if not squares:
        return Reliability((), 0, 0.0, 0.0)
    found = [_bin(number / bins, (number + 1) / bins, parts[number]) for number in sorted(parts)]
    distances = [one.n * abs(one.rate - one.mean_probability) for one in found]
    n = len(squares)
    return Reliability(tuple(found), n, math.fsum(distances) / n, math.fsum(squares) / n)


def _bin(low: float, high: float, choices: Sequence[tuple[float, bool]]) -> Bin:
    mean = math.fsum(probability for probability, _ in choices) / len(choices)
    return Bin(low, high, len(choices), sum(right for _, right in choices), mean)


def probabilities(notes: Iterable[Mapping[str, Any]]) -> dict[int, float]:
    """The probability of each decision in an agent's journal, by the decision's number."""
    found = {}
    for note in notes:
        if note.get("kind") != "decision":
            continue
        number, value = note.get("number"), note.get("probability")
        if isinstance(number, int) and isinstance(value, int | float) and 0 <= value <= 1:
            found[number] = float(value)
    return found
