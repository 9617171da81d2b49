"""What was measured of a step, as checks: so that reports tell of steps as they tell of episodes."""

from __future__ import annotations

from ..evidence.models import Ending
from ..judge import CheckState, Outcome, Verdict
from ..judge.verdict import CheckResult
from .records import RecordedStep
from .scoring import StepResult


def succeeded(result: StepResult) -> bool:
    """Step success by the dataset's definition; without a model, whether the target is covered."""
    return bool(result.official.covered if result.prediction is None else result.official.step)


def verdict_of(step: RecordedStep, result: StepResult, *, task_digest: str, evidence_digest: str) -> Verdict:
    """Coverage, element and operation as one check each."""
    checks = [_coverage(result)]
    if result.prediction is not None:
        checks += [_element(result), _operation(step, result)]
    return Verdict(
        task=step.name,
        task_digest=task_digest,
        evidence_digest=evidence_digest,
        outcome=Outcome.PASSED if succeeded(result) else Outcome.FAILED,
        ending=Ending.DONE,
        score=sum(check.state is CheckState.HOLDS for check in checks) / len(checks),
        checks=tuple(checks),
    )


def _check(name: str, holds: bool | None, expected: str, found: str, why: str = "") -> CheckResult:
    state = CheckState.HOLDS if holds else CheckState.FAILS
    return CheckResult(
        name=name, metric="mind2web", state=state, score=float(bool(holds)), expected=expected, found=found, why=why
    )


def _coverage(result: StepResult) -> CheckResult:
    wanted = f"nodes {', '.join(result.targets)}" if result.targets else "no target: the recording has lost it"
    cover = result.cover
    found = f"{cover.kind}: {', '.join(cover.accepted)}" if cover.covered else f"none of {result.page.refs} elements"
    return _check("the target can be chosen", result.official.covered, wanted, found)


def _element(result: StepResult) -> CheckResult:
    chosen = result.prediction
    assert chosen is not None, "asked for with a prediction only"
    found = f"{chosen.ref or 'nothing'} (node {chosen.node or 'none'})"
    why = " ".join(part for part in ((chosen.miss or "").replace("_", " "), chosen.detail) if part)
    return _check("the right element", result.official.element, f"nodes {', '.join(result.targets)}", found, why)


def _operation(step: RecordedStep, result: StepResult) -> CheckResult:
    chosen = result.prediction
    assert chosen is not None, "asked for with a prediction only"
    same = result.official.operation == 1.0
    why = "" if same or result.official.operation is None else f"F1 {result.official.operation:.2f}"
    expected, found = f"{step.op} {step.value!r}", f"{chosen.op or 'nothing'} {chosen.value!r}"
    return _check("the right operation and value", same, expected, found, why)
