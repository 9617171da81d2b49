"""Is B better than A? Both were given the same tasks, so every task is compared with itself."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from .rates import Z95, Interval

_DRAWS: Final = 10_000
_WORK: Final = 4_000_000
"""Operations that one interval or test may take; about a second."""


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p-value of McNemar's test from the tasks that only A and only B solved; 1 if there are none."""
    n = only_a + only_b
    tail = ways = 1
    for k in range(min(only_a, only_b)):
        ways = ways * (n - k) // (k + 1)
        tail += ways
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def sign_flip(differences: Sequence[Fraction]) -> float:
    """Two-sided p-value for differences per task: had A and B been swapped on each task by the toss of a coin, how
    often would their sum be as far from 0?

    Exact; for differences of -1, 0 and 1 it is McNemar's exact test. By the normal approximation, without continuity
    correction, where counting would take too long: some hundred tasks that differ, with many repeats.
    """
    moving = [difference for difference in differences if difference]
    scale = math.lcm(*(difference.denominator for difference in moving))
    sizes = sorted(abs(int(difference * scale)) for difference in moving)
    seen = abs(int(sum(moving) * scale))
    if sum(sizes) * len(sizes) > _WORK:
        return math.erfc(seen / math.sqrt(2 * sum(size * size for size in sizes)))
    ways = {0: 1}
    for size in sizes:
        grown: dict[int, int] = {}
        for total, count in ways.items():
            grown[total + size] = grown.get(total + size, 0) + count
            grown[total - size] = grown.get(total - size, 0) + count
        ways = grown
    return float(Fraction(sum(count for total, count in ways.items() if abs(total) >= seen), 2 ** len(sizes)))


def difference_interval(differences: Mapping[str, Sequence[float]], *, seed: int = 0, draws: int = _DRAWS) -> Interval:
    """95 % interval of the mean difference per task, of tasks in groups (sites) that are drawn as a whole.

    Percentile bootstrap over the groups, the same for the same input and seed. It is widened where it is narrower than
    the interval of A. Agresti and Y. Min (2005, Statistics in Medicine 24, 729), which adds one task to each side's
    favour by halves and so does not shrink to nothing where no task differs. -1..1 of no tasks.
    """
    groups = [(math.fsum(values), len(values)) for _, values in sorted(differences.items()) if values]
    if not groups:
        return Interval(-1.0, 1.0)
    drawn, adjusted = _bootstrap(groups, seed, draws), _adjusted([x for values in differences.values() for x in values])
    return Interval(max(-1.0, min(drawn.low, adjusted.low)), min(1.0, max(drawn.high, adjusted.high)))


def bootstrap_mean(groups: Sequence[tuple[float, int]], *, seed: int = 0) -> Interval:
    """95 % interval of a mean of values that come in groups, each told as its sum and its count.

    Percentile bootstrap: groups are drawn as a whole, the same for the same input and seed.
    """
    return _bootstrap(groups, seed, _DRAWS)


def _bootstrap(groups: Sequence[tuple[float, int]], seed: int, draws: int) -> Interval:
    source = random.Random(seed)
    draws = min(draws, max(1_000, _WORK // len(groups)))
    means = []
    for _ in range(draws):
        chosen = source.choices(groups, k=len(groups))
        means.append(sum([total for total, _ in chosen]) / sum([count for _, count in chosen]))
    means.sort()
    return Interval(means[math.floor(0.025 * (draws - 1))], means[math.ceil(0.975 * (draws - 1))])


def _adjusted(differences: Sequence[float]) -> Interval:
    n = len(differences) + 2
    centre = math.fsum(differences) / n
    variance = (math.fsum(value * value for value in differences) + 1) / n - centre**2
    half = Z95 * math.sqrt(variance / n)
    return Interval(centre - half, centre + half)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values, each corrected for there being several (S. Holm, 1979, Scand. J. Stat. 6, 65), in their order."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = highest
    return adjusted
