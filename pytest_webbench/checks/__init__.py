"""Getters (one value read from evidence), metrics (one comparison) and the registry of both."""

from .base import MISSING, Getter, Issue, Metric, Missing, Probe, Value
from .registry import BUILT_IN, Registry, installed_checks

__all__ = [
    "BUILT_IN",
    "MISSING",
    "Getter",
    "Issue",
    "Metric",
    "Missing",
    "Probe",
    "Registry",
    "Value",
    "installed_checks",
]
