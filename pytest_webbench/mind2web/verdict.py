"""What was measured of a step, as a verdict: reports show steps as they show episodes."""

from __future__ import annotations

from ..evidence.models import Ending
from ..judge import CheckState, Outcome, Verdict
from ..judge.verdict import CheckResult
from .records import RecordedStep
from .scoring import StepResult


def succeeded(result: StepResult) -> bool:
    """Step success by the dataset's definition; without a model, whether the target is covered."""
    if result.prediction is None:
        return bool(result.official.covered)
    return bool(result.official.step)


def verdict_of(
    step: RecordedStep, result: StepResult, *, task_digest: str, evidence_digest: str
) -> Verdict:
    """Coverage and, if a model was asked, element and operation: one check each."""
    checks = [_coverage(step, result)]
    if result.prediction is not None:
        checks += [_element(step, result), _operation(step, result)]
    return Verdict(
        task=step.name,
        task_digest=task_digest,
        evidence_digest=evidence_digest,
        outcome=Outcome.PASSED if succeeded(result) else Outcome.FAILED,
        ending=Ending.DONE,
        score=sum(check.state is CheckState.HOLDS for check in checks) / len(checks),
        checks=tuple(checks),
    )


def _check(
    name: str, holds: bool | None, *, expected: str, found: str, why: str = ""
) -> CheckResult:
    return CheckResult(
        name=name,
        metric="mind2web",
        state=CheckState.HOLDS if holds else CheckState.FAILS,
        score=float(bool(holds)),
        expected=expected,
        found=found,
        why=why,
    )


def _coverage(step: RecordedStep, result: StepResult) -> CheckResult:
    expected = "no target: the recording has lost it"
    if result.targets:
        expected = _target(step, result)
    found = f"none of {result.page.refs} elements"
    if result.cover.covered:
        found = f"{result.cover.kind}: {', '.join(result.cover.accepted)}"
    return _check(
        "the target can be chosen", result.official.covered, expected=expected, found=found
    )


def _target(step: RecordedStep, result: StepResult) -> str:
    """What was to be chosen, as a person would call it, and its nodes in the recording."""
    name = step.gold_repr or step.role or "the target"
    return f"{name} (nodes {', '.join(result.targets) or 'none'})"


def _element(step: RecordedStep, result: StepResult) -> CheckResult:
    chosen = result.prediction
    assert chosen is not None, "asked for with a prediction only"
    miss = (chosen.miss or "").replace("_", " ")
    return _check(
        "the right element",
        result.official.element,
        expected=_target(step, result),
        found=f"{chosen.ref or 'nothing'} (node {chosen.node or 'none'})",
        why=" ".join(part for part in (miss, chosen.detail) if part),
    )


def _operation(step: RecordedStep, result: StepResult) -> CheckResult:
    chosen, f1 = result.prediction, result.official.operation
    assert chosen is not None, "asked for with a prediction only"
    return _check(
        "the right operation and value",
        f1 == 1.0,
        expected=f"{step.op} {step.value!r}",
        found=f"{chosen.op or 'nothing'} {chosen.value!r}",
        why="" if f1 in (None, 1.0) else f"F1 {f1:.2f}",
    )
