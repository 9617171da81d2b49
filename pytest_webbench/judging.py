"""Judging stored episodes: from a task and its evidence to a verdict, without a browser."""

from .evidence.models import Evidence
from .judge import CheckResult, CheckState, Outcome, Verdict, judge
from .stats.calibration import Reliability, reliability
from .task import Task

__all__ = [
    "CheckResult",
    "CheckState",
    "Evidence",
    "Outcome",
    "Reliability",
    "Task",
    "Verdict",
    "judge",
    "reliability",
]
