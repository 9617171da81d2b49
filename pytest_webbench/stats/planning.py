"""How many tasks and repeats it takes to see a gap between two agents, and which gap a suite is too small to show."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Final

_EXACT: Final = 1_000
"""Up to so many tasks with one attempt each, power is that of the exact test; beyond, the normal approximation."""
_MOST: Final = 1_000_000


def discordance(rate: float, other: float, correlation: float) -> float:
    """Chance that two agents with these rates end differently on a task, if their outcomes correlate so (phi)."""
    together = correlation * math.sqrt(rate * (1 - rate) * other * (1 - other))
    return max(abs(rate - other), min(1.0, rate * (1 - other) + other * (1 - rate) - 2 * together))


def least_gap(power_at: Callable[[float], float], *, most: float = 1.0, power: float = 0.8) -> float | None:
    """Smallest gap up to ``most`` that is seen with this power, to 0.001; None if there is none."""
    low, high = 0.0, most
    if most <= 0 or power_at(most) < power:
        return None
    while high - low > 0.0005:
        middle = (low + high) / 2
        low, high = (low, middle) if power_at(middle) >= power else (middle, high)
    return high


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is assumed of a comparison.

    ``discordant`` is the chance that one attempt of A and one of B at the same task end differently; ``flake`` the
    chance that two attempts of the same agent do; the latter only counts with ``repeats``.
    """

    discordant: float
    flake: float = 0.0
    repeats: int = 1
    alpha: float = 0.05

    def power(self, gap: float, tasks: int) -> float:
        """Chance that a true difference of ``gap`` between the rates comes out significant."""
        discordant = max(self.discordant, gap)
        if self.repeats == 1 and tasks <= _EXACT:
            return _exact_power(gap, discordant, tasks, self.alpha)
        within = self.flake if self.repeats > 1 else 0.0
        variance = max(discordant - gap**2 - within, 0.0) + within / self.repeats
        normal = NormalDist()
        distance = gap * math.sqrt(tasks) - normal.inv_cdf(1 - self.alpha / 2) * math.sqrt(variance + gap**2)
        return normal.cdf(distance / math.sqrt(variance)) if variance > 0 else float(distance >= 0)

    def tasks_needed(self, gap: float, power: float = 0.8) -> int | None:
        """About the least number of tasks that shows ``gap`` with this power; None if a million do not.

        An exact test's power goes up in steps, with small dips between them: a few tasks fewer may do as well.
        """
        low, high = 1, 2
        while self.power(gap, high) < power:
            low, high = high, high * 2
            if high > _MOST:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(gap, middle) >= power else (middle, high)
        return high

    def least_gap(self, tasks: int, power: float = 0.8) -> float | None:
        """Smallest difference that so many tasks show with this power, to 0.001; None if they cannot show any."""
        return least_gap(lambda gap: self.power(gap, tasks), power=power)

    def with_repeats(self, repeats: int) -> Design:
        """The same with so many attempts per task."""
        return replace(self, repeats=repeats)


def _exact_power(gap: float, discordant: float, tasks: int, alpha: float) -> float:
    """Power of McNemar's exact test, over all numbers of tasks that A and B may end differently on."""
    if discordant <= 0:
        return 0.0
    share = min(1.0, (discordant + gap) / (2 * discordant))
    reach = 8 * math.sqrt(tasks * discordant * (1 - discordant)) + 1
    first, last = max(0, int(tasks * discordant - reach)), min(tasks, math.ceil(tasks * discordant + reach))
    return math.fsum(
        _binomial(differing, tasks, discordant)
        * (_tail(critical, differing, share) + _tail(critical, differing, 1 - share))
        for differing in range(first, last + 1)
        if (critical := _critical(differing, alpha)) <= differing
    )


@lru_cache(maxsize=4096)
def _critical(n: int, alpha: float) -> int:
    """So many of ``n`` tasks must be solved by one side alone for p <= alpha; ``n + 1`` if even all are too few."""
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
