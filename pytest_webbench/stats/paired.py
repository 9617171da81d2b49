"""Paired comparisons: A and B had the same tasks, so every task is compared with itself."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from .rates import Z95, Interval

_DRAWS: Final = 10_000
_WORK: Final = 4_000_000
"""Most operations of one interval or test; they take about a second."""


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided p-value of McNemar's exact test; 1 if the two agree on every task.

    The arguments count the tasks that only A and only B solved.
    """
    n = only_a + only_b
    tail = ways = 1
    for k in range(min(only_a, only_b)):
        ways = ways * (n - k) // (k + 1)
        tail += ways
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def sign_flip(differences: Sequence[Fraction]) -> float:
    """Two-sided p-value of a sign-flip (paired permutation) test on one difference per task.

    Had a coin swapped A and B on each task, how often would the sum be as far from 0 as it is?
    The count is exact; for differences of -1, 0 and 1 this is McNemar's exact test. Where counting
    would take too long (hundreds of tasks that differ, with many repeats) it is the normal
    approximation without continuity correction.
    """
    moving = [difference for difference in differences if difference]
    scale = math.lcm(*(difference.denominator for difference in moving))
    sizes = sorted(abs(int(difference * scale)) for difference in moving)
    seen = abs(int(sum(moving) * scale))
    if sum(sizes) * len(sizes) > _WORK:
        return math.erfc(seen / math.sqrt(2 * sum(size * size for size in sizes)))
    as_far = sum(count for total, count in _signed_sums(sizes).items() if abs(total) >= seen)
    return float(Fraction(as_far, 2 ** len(sizes)))


def _signed_sums(sizes: Sequence[int]) -> dict[int, int]:
    """Every sum of the sizes with any signs, and in how many ways it comes about."""
    ways = {0: 1}
    for size in sizes:
        grown: dict[int, int] = {}
        for total, count in ways.items():
            grown[total + size] = grown.get(total + size, 0) + count
            grown[total - size] = grown.get(total - size, 0) + count
        ways = grown
    return ways


def difference_interval(
    differences: Mapping[str, Sequence[float]], *, seed: int = 0, draws: int = _DRAWS
) -> Interval:
    """95 % interval of the mean difference per task, from -1 to 1; -1..1 if there are no tasks.

    ``differences`` holds a group's (a site's) differences by its name. It is a percentile bootstrap
    that draws whole groups, the same for the same input and seed. It is widened to the interval of
    A. Agresti and Y. Min (2005, Statistics in Medicine 24, 729) where that is wider: that one adds
    half a task in favour of each side and so does not shrink to nothing where no task differs.
    """
    names = sorted(name for name, values in differences.items() if values)
    if not names:
        return Interval(-1.0, 1.0)
    groups = [(math.fsum(differences[name]), len(differences[name])) for name in names]
    drawn = _bootstrap(groups, seed=seed, draws=draws)
    adjusted = _adjusted([value for values in differences.values() for value in values])
    low, high = min(drawn.low, adjusted.low), max(drawn.high, adjusted.high)
    return Interval(max(-1.0, low), min(1.0, high))


def bootstrap_mean(groups: Sequence[tuple[float, int]], *, seed: int = 0) -> Interval:
    """95 % interval of a mean of values in groups, each given as its sum and its count.

    A percentile bootstrap that draws whole groups, the same for the same input and seed.
    """
    return _bootstrap(groups, seed=seed, draws=_DRAWS)


def _bootstrap(groups: Sequence[tuple[float, int]], *, seed: int, draws: int) -> Interval:
    source = random.Random(seed)
    draws = min(draws, max(1_000, _WORK // len(groups)))
    means: list[float] = []
    for _ in range(draws):
        chosen = source.choices(groups, k=len(groups))
        # Lists, not generators: this line is where the time goes.
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
    """The p-values in their order, corrected for multiple comparisons.

    S. Holm, 1979, Scandinavian Journal of Statistics 6, 65.
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    by_size = sorted(range(len(p_values)), key=lambda index: p_values[index])
    for rank, index in enumerate(by_size):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = highest
    return adjusted
