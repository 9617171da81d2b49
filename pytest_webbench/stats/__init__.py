"""Rates with intervals, repeats, paired comparisons, planning: numbers in, numbers out.

Standard library only.
"""

from .paired import bootstrap_mean, difference_interval, holm, mcnemar, sign_flip
from .planning import Design, discordance, least_gap
from .rates import Interval, Tally, wilson
from .repeats import (
    Repeats,
    Share,
    all_k,
    clustered_interval,
    disagreement,
    mean_share,
    pass_at_k,
    pass_rate,
)

__all__ = [
    "Design",
    "Interval",
    "Repeats",
    "Share",
    "Tally",
    "all_k",
    "bootstrap_mean",
    "clustered_interval",
    "difference_interval",
    "disagreement",
    "discordance",
    "holm",
    "least_gap",
    "mcnemar",
    "mean_share",
    "pass_at_k",
    "pass_rate",
    "sign_flip",
    "wilson",
]
