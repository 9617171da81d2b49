"""Several attempts at the same task: what they say about the agent, and with what certainty.

Repeats of one task are alike, so they say less than as many different tasks. Every interval here
takes the task, not the episode, as what was sampled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .rates import Z95, Interval, score_interval, wilson


class Repeats(NamedTuple):
    """One agent's graded attempts at one task; unscored ones are not counted."""

    passed: int
    graded: int


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over ``n`` tasks with its 95 % interval."""

    value: float
    n: int
    interval: Interval


def pass_at_k(passed: int, graded: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of ``k`` attempts passes.

    M. Chen et al., 2021, arXiv 2107.03374. `ValueError` if fewer than ``k`` attempts were graded.
    """
    _require_enough(passed, graded, k)
    return 1 - math.comb(graded - passed, k) / math.comb(graded, k)


def all_k(passed: int, graded: int, k: int) -> float:
    """Unbiased estimate of the chance that all of ``k`` attempts pass ("pass^k").

    S. Yao et al., 2024, arXiv 2406.12045. `ValueError` if fewer than ``k`` attempts were graded.
    """
    _require_enough(passed, graded, k)
    return math.comb(passed, k) / math.comb(graded, k)


def disagreement(passed: int, graded: int) -> float:
    """Unbiased estimate of the chance that two attempts at the task end differently.

    `ValueError` if fewer than two attempts were graded.
    """
    _require_enough(passed, graded, 2)
    return 2 * passed * (graded - passed) / (graded * (graded - 1))


def _require_enough(passed: int, graded: int, k: int) -> None:
    if not (0 <= passed <= graded and 1 <= k <= graded):
        raise ValueError(f"{passed} of {graded} passed says nothing about {k} attempts")


def pass_rate(tasks: Iterable[Repeats]) -> Share | None:
    """The success rate, which is pass@1: mean over tasks of the share of attempts that passed.

    None if nothing was graded. The interval is never narrower than for as many independent
    attempts, and never wider than for one attempt per task, for which it is Wilson's exactly.
    """
    graded = [task for task in tasks if task.graded]
    if not graded:
        return None
    shares = [task.passed / task.graded for task in graded]
    # The variance of this mean, had all attempts been independent, is that of so many of them.
    most = len(graded) ** 2 / math.fsum(1 / task.graded for task in graded)
    return mean_share(shares, most=most)


def clustered_interval(tasks: Sequence[Repeats], z: float = Z95) -> Interval:
    """95 % interval of passed / graded over all attempts, where attempts at one task are alike.

    It is Wilson's interval with the effective number of attempts: as many independent ones as would
    make the rate as certain as the spread between tasks says it is (linearized variance of a
    ratio), corrected for estimating that spread from few tasks (E. L. Korn and B. I. Graubard,
    1998, Survey Methodology 24, 193). It is never more than the attempts, and never less than if
    all attempts at a task always ended alike (L. Kish, 1965): with equally many attempts per task,
    that is the number of tasks. With one attempt per task this is Wilson's interval exactly.
    """
    tasks = [task for task in tasks if task.graded]
    attempts = sum(task.graded for task in tasks)
    passed = sum(task.passed for task in tasks)
    if attempts == len(tasks):
        return wilson(passed, attempts, z)
    rate = passed / attempts
    spread = sum((task.passed - rate * task.graded) ** 2 for task in tasks) / attempts**2
    least = attempts**2 / sum(task.graded**2 for task in tasks)
    by_spread = _effective(rate, spread, tasks=len(tasks), z=z)
    return score_interval(rate, min(attempts, max(by_spread, least)), z)


def mean_share(values: Sequence[float], *, most: float = math.inf) -> Share | None:
    """Mean of one value from 0 to 1 per task, with an interval of the same kind; None if empty.

    ``most`` is the largest effective number of tasks that the interval may rest on.
    """
    if not values:
        return None
    n, mean = len(values), math.fsum(values) / len(values)
    mean = min(1.0, max(0.0, mean))
    if all(value in (0, 1) for value in values):
        return Share(mean, n, wilson(int(sum(values)), n))
    spread = math.fsum((value - mean) ** 2 for value in values) / n**2
    # No values from 0 to 1 spread more than zeros and ones do, so n tasks say at least this much.
    effective = max(n, _effective(mean, spread, tasks=n, z=Z95))
    return Share(mean, n, score_interval(mean, min(most, effective)))


def _effective(rate: float, variance: float, *, tasks: int, z: float) -> float:
    """How many independent trials have this variance of their rate; 0 if it cannot be estimated.

    ``variance`` is still without Bessel's correction, m / (m - 1) for m tasks.
    """
    if tasks == 1 or variance <= 0:
        return 0.0
    shrink = (z / student(tasks - 1, z)) ** 2
    return rate * (1 - rate) / (variance * tasks / (tasks - 1)) * shrink


def student(freedom: int, z: float = Z95) -> float:
    """Student's t quantile with the same probability as the normal quantile ``z``.

    Cornish and Fisher's expansion: 0.3 % low for 4 degrees of freedom, better for more, and too low
    by a quarter for 1.
    """
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    parts = [term / float(freedom) ** power for power, term in enumerate(terms, start=1)]
    return z + math.fsum(parts)
