"""What a judgement says, as it is written to ``verdict.json``."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from ..evidence.models import Ending, Record, canonical_json

JUDGE_VERSION = 1
"""Raised whenever the same task and evidence could be judged differently than before."""


class Outcome(StrEnum):
    """*failed*: the agent did not do it. *unscored*: we cannot know."""

    PASSED = "passed"
    FAILED = "failed"
    UNSCORED = "unscored"


class CheckState(StrEnum):
    """*broken*: the check itself could not be evaluated. *gated*: a check it requires did not hold."""

    HOLDS = "holds"
    FAILS = "fails"
    GATED = "gated"
    BROKEN = "broken"


class CheckResult(Record):
    """How one check came out."""

    name: str
    metric: str
    state: CheckState
    score: float | None = None
    expected: str = ""
    found: str = ""
    why: str = ""


class Verdict(Record):
    """All check results and the outcome. Holds no clock and no path, so equal evidence gives equal bytes."""

    version: Literal[1] = 1
    judge_version: int = JUDGE_VERSION
    task: str
    task_digest: str
    evidence_digest: str
    outcome: Outcome
    reason: str = ""
    """For *unscored* one of infra, blocked, drifted, verifier_error, needs_judge."""
    detail: str = ""
    ending: Ending
    score: float | None = None
    """How far the checks hold, from 0 to 1; None if one could not be evaluated."""
    checks: tuple[CheckResult, ...] = ()

    def to_json(self) -> str:
        """The bytes of ``verdict.json``."""
        return canonical_json(self.model_dump(mode="json")) + "\n"
