"""Rates with their doubt."""

from .rates import Interval, Tally, wilson

__all__ = ["Interval", "Tally", "wilson"]
