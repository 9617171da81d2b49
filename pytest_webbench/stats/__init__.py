"""Rates with their doubt, repeats, paired comparisons, planning. Numbers in, numbers out; standard library only."""

from .paired import bootstrap_mean, difference_interval, holm, mcnemar, sign_flip
from .planning import Design, discordance, least_gap
from .rates import Interval, Tally, wilson
from .repeats import Repeats, Share, all_k, clustered_interval, disagreement, mean_share, pass_at_k
from .sequential import evidence_of_a_difference

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
    "evidence_of_a_difference",
    "holm",
    "least_gap",
    "mcnemar",
    "mean_share",
    "pass_at_k",
    "sign_flip",
    "wilson",
]
