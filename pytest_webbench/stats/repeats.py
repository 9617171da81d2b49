"""Several attempts at the same task: what they say about the agent, and how sure that is.

Repeats of one task are alike, so they are worth less than as many different tasks. Every interval here takes the task,
not the episode, as what was drawn at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .rates import Z95, Interval, score_interval, wilson


class Repeats(NamedTuple):
    """The graded attempts at one task by one agent; unscored ones are not in it."""

    passed: int
    graded: int


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over ``n`` tasks with its 95 % interval."""

    value: float
    n: int
    interval: Interval


def pass_at_k(passed: int, graded: int, k: int) -> float:
    """Chance that at least one of ``k`` attempts passes, without bias from ``graded`` attempts of which ``passed`` did.

    M. Chen et al., 2021, arXiv 2107.03374. ``ValueError`` if fewer than ``k`` attempts were graded.
    """
    _possible(passed, graded, k)
    return 1 - math.comb(graded - passed, k) / math.comb(graded, k)


def all_k(passed: int, graded: int, k: int) -> float:
    """Chance that all of ``k`` attempts pass ("pass^k"; S. Yao et al., 2024, arXiv 2406.12045), without bias."""
    _possible(passed, graded, k)
    return math.comb(passed, k) / math.comb(graded, k)


def disagreement(passed: int, graded: int) -> float:
    """Chance that two attempts at the task end differently, without bias; at least two graded attempts are needed."""
    _possible(passed, graded, 2)
    return 2 * passed * (graded - passed) / (graded * (graded - 1))


def _possible(passed: int, graded: int, k: int) -> None:
    if not (0 <= passed <= graded and 1 <= k <= graded):
        raise ValueError(f"{passed} of {graded} passed cannot tell about {k} attempts")


def clustered_interval(tasks: Sequence[Repeats], z: float = Z95) -> Interval:
    """95 % interval of passed / graded over all attempts, where attempts at one task are alike.

    Wilson's interval with the effective number of attempts: as many independent ones as would make the rate as sure as
    the spread between tasks shows it to be (linearised variance of a ratio), corrected for estimating that spread from
    few tasks (E. L. Korn and B. I. Graubard, 1998, Survey Methodology 24, 193). Never fewer than the tasks after that
    correction, never more than the attempts. With one attempt per task it is Wilson's interval exactly.
    """
    tasks = [task for task in tasks if task.graded]
    attempts, passed = sum(task.graded for task in tasks), sum(task.passed for task in tasks)
    if attempts == len(tasks):
        return wilson(passed, attempts, z)
    rate = passed / attempts
    spread = sum((task.passed - rate * task.graded) ** 2 for task in tasks)
    return score_interval(rate, _effective(rate, spread / attempts**2, len(tasks), attempts, z), z)


def mean_share(values: Sequence[float]) -> Share | None:
    """Mean of one value from 0 to 1 per task, with the same kind of interval; None of no tasks."""
    if not values:
        return None
    n, mean = len(values), math.fsum(values) / len(values)
    mean = min(1.0, max(0.0, mean))
    if all(value in (0, 1) for value in values):
        return Share(mean, n, wilson(int(sum(values)), n))
    spread = math.fsum((value - mean) ** 2 for value in values) / n**2
    return Share(mean, n, score_interval(mean, _effective(mean, spread, n, math.inf, Z95)))


def _effective(rate: float, variance: float, tasks: int, most: float, z: float) -> float:
    """Number of independent trials with this variance of their rate; ``variance`` lacks the factor m / (m - 1)."""
    if tasks == 1:
        return 1.0
    shrink = (z / student(tasks - 1, z)) ** 2
    variance *= tasks / (tasks - 1)
    by_spread = rate * (1 - rate) / variance if variance > 0 else tasks
    return min(most, max(by_spread * shrink, tasks * shrink))


def student(freedom: int, z: float = Z95) -> float:
    """Student's t quantile that belongs to a normal quantile (Cornish and Fisher's expansion: 0.3 % low for 4 degrees
    of freedom, better for more, and too low by a quarter for 1)."""
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
