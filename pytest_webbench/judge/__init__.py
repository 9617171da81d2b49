"""From a task and its evidence to a verdict: pure, the same for live and stored episodes."""

from .judge import judge
from .verdict import CheckResult, CheckState, Outcome, Verdict

__all__ = ["CheckResult", "CheckState", "Outcome", "Verdict", "judge"]
