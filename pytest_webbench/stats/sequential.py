"""Comparing while episodes still come in: evidence that may be looked at after every task.

Nothing uses this yet. It is the seam for a session that stops when the matter is decided: feed it the counts after each
task that both agents were graded on, and stop at ``1 / alpha``.
"""

from __future__ import annotations

import math


def evidence_of_a_difference(only_a: int, only_b: int) -> float:
    """How many times better than "A and B are equal" a difference explains the tasks that one of them alone solved.

    An e-value: if they are equal, it ever reaches ``x`` with a chance of at most ``1 / x``, however often it is looked
    at and whenever one stops (J. Ville, 1939). It is the likelihood of a share of B's wins that is uniform between 0
    and 1, divided by that of one half.
    """
    n = only_a + only_b
    log = n * math.log(2) - math.log(n + 1) - math.log(math.comb(n, only_b))
    return math.exp(min(log, 700.0))
