"""Planning: how many tasks and repeats show a gap between two agents, and how small a gap."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Final

_EXACT: Final = 1_000
"""Up to this many tasks with one attempt each, power is exact; beyond, the normal approximation."""
_MOST: Final = 1_000_000


def discordance(rate: float, other: float, correlation: float) -> float:
    """Chance that two agents end differently on a task.

    ``rate`` and ``other`` are their success rates, ``correlation`` that of their outcomes (phi).
    """
    together = correlation * math.sqrt(rate * (1 - rate) * other * (1 - other))
    discordant = rate * (1 - other) + other * (1 - rate) - 2 * together
    return max(abs(rate - other), min(1.0, discordant))


def least_gap(
    power_at: Callable[[float], float], *, most: float = 1.0, power: float = 0.8
) -> float | None:
    """Smallest gap up to ``most`` at which ``power_at`` is ``power``, to 0.001; None if none is."""
    low, high = 0.0, most
    if most <= 0 or power_at(most) < power:
        return None
    while high - low > 0.0005:
        middle = (low + high) / 2
        if power_at(middle) >= power:
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is assumed of a comparison of two agents."""

    discordant: float
    """Chance that one attempt of A and one of B at the same task end differently."""
    flake: float = 0.0
    """Chance that two attempts of the same agent do; counts with several ``repeats`` only."""
    repeats: int = 1
    """Attempts of each agent at each task."""
    alpha: float = 0.05
    """Level of significance."""

    def power(self, gap: float, tasks: int) -> float:
        """Chance that a true difference of ``gap`` between the rates comes out significant."""
        discordant = max(self.discordant, gap)
        if self.repeats == 1 and tasks <= _EXACT:
            return _exact_power(gap, discordant, tasks, self.alpha)
        within = self.flake if self.repeats > 1 else 0.0
        variance = max(discordant - gap**2 - within, 0.0) + within / self.repeats
        quantile = NormalDist().inv_cdf(1 - self.alpha / 2)
        distance = gap * math.sqrt(tasks) - quantile * math.sqrt(variance + gap**2)
        if variance == 0:
            return float(distance >= 0)
        return NormalDist().cdf(distance / math.sqrt(variance))

    def tasks_needed(self, gap: float, power: float = 0.8) -> int | None:
        """About the least number of tasks that show ``gap``; None if a million do not.

        An exact test's power rises in steps with small dips between them, so that a few tasks fewer
        may do as well.
        """
        low, high = 1, 2
        while self.power(gap, high) < power:
            low, high = high, high * 2
            if high > _MOST:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            if self.power(gap, middle) >= power:
                high = middle
            else:
                low = middle
        return high

    def least_gap(self, tasks: int, power: float = 0.8) -> float | None:
        """Smallest gap that ``tasks`` tasks show, to 0.001; None if they show none."""
        return least_gap(lambda gap: self.power(gap, tasks), power=power)


def _exact_power(gap: float, discordant: float, tasks: int, alpha: float) -> float:
    """Power of McNemar's exact test, summed over how many tasks A and B can differ on."""
    if discordant <= 0:
        return 0.0
    share = min(1.0, (discordant + gap) / (2 * discordant))
    # Beyond eight standard deviations from the mean there is nothing that a float would show.
    reach = 8 * math.sqrt(tasks * discordant * (1 - discordant)) + 1
    first = max(0, int(tasks * discordant - reach))
    last = min(tasks, math.ceil(tasks * discordant + reach))
    parts: list[float] = []
    for differing in range(first, last + 1):
        critical = _critical(differing, alpha)
        if critical <= differing:
            significant = _tail(critical, differing, share) + _tail(critical, differing, 1 - share)
            parts.append(_binomial(differing, tasks, discordant) * significant)
    return math.fsum(parts)


@lru_cache(maxsize=4096)
def _critical(n: int, alpha: float) -> int:
    """How many of ``n`` differing tasks one side must win for p <= alpha.

    It is ``n + 1`` if winning all of them is not enough.
    """
    chance, total, k = 0.5**n, 0.0, n
    while 2 * (total + chance) <= alpha:
        total += chance
        chance *= k / (n - k + 1)
        k -= 1
    return k + 1


def _tail(least: int, n: int, share: float) -> float:
    """Chance of at least ``least`` successes in ``n``."""
    if share <= 0 or share >= 1:
        return float(share >= 1)
    chance, total = _binomial(least, n, share), 0.0
    for k in range(least, n + 1):
        total += chance
        chance *= (n - k) / (k + 1) * share / (1 - share)
    return total


def _binomial(k: int, n: int, share: float) -> float:
    if share >= 1:
        return float(k == n)
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log + k * math.log(share) + (n - k) * math.log1p(-share))
