"""Getters (one value read from evidence), metrics (one comparison) and the registry of both."""

from .base import MISSING, Flaw, Getter, Metric, Missing, Probe, Value
from .registry import GETTERS, METRICS

__all__ = ["GETTERS", "METRICS", "MISSING", "Flaw", "Getter", "Metric", "Missing", "Probe", "Value"]
