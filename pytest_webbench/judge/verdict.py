"""What a judgement says, as it is written to ``verdict.json``."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

from .._json import canonical_json
from ..evidence.models import Ending, Record

JUDGE_VERSION: Final = 2
"""Raised whenever the same task and evidence could be judged differently than before."""


class Outcome(StrEnum):
    """*failed*: the agent did not do it. *unscored*: we cannot know."""

    PASSED = "passed"
    FAILED = "failed"
    UNSCORED = "unscored"


class FlagKind(StrEnum):
    """Why a pass is not to be taken on trust."""

    NO_ACTION = "no action"
    """The task needs actions, and none was observed."""
    TYPED = "opened by address"
    """The way to the final page leads over an address that the agent opened."""
    NOT_REPEATED = "not repeated"
    """The observed actions, done again in a clean browser, do not pass."""
    UNDELIVERED = "not delivered"
    """No server delivered a document that was shown."""
    INTERCEPTED = "intercepted"
    """Requests were answered within the browser."""
    REWRITTEN = "rewritten"
    """A script opened a document anew and filled it."""
    UNRECORDED = "not recorded"
    """The record of actions has gaps."""
    REFUSED = "left the web"
    """Addresses that are not on the web were tried: files, debugging ports, the browser's own."""


class Flag(Record):
    """One reason why a pass is not to be taken on trust."""

    kind: FlagKind
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind.value


class CheckState(StrEnum):
    """*broken*: the check itself could not be evaluated. *gated*: one it requires did not hold."""

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
    """All check results and the outcome.

    It has no times and no paths, so equal evidence gives equal bytes.
    """

    version: Literal[1] = 1
    judge_version: int = JUDGE_VERSION
    task: str
    task_digest: str
    evidence_digest: str
    outcome: Outcome
    reason: str = ""
    """Of an unscored one: infra, blocked, drifted, verifier_error or needs_judge."""
    detail: str = ""
    ending: Ending
    score: float | None = None
    """How far the checks hold, from 0 to 1; None if one could not be evaluated."""
    checks: tuple[CheckResult, ...] = ()
    flags: tuple[Flag, ...] = ()
    """Of a pass: why it is not to be taken on trust."""

    def to_json(self) -> str:
        """The bytes of ``verdict.json``."""
        return canonical_json(self.model_dump(mode="json")) + "\n"
