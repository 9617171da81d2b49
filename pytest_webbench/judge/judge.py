"""``judge(task, evidence) -> Verdict``."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ..checks import MISSING, Value
from ..errors import GetterError, RuleError
from ..evidence.models import Ending, Evidence
from ..task import Check, Task
from .verdict import CheckResult, CheckState, Outcome, Verdict

LONGEST_SHOWN = 300


class Decision(NamedTuple):
    """An outcome with the reason for it."""

    outcome: Outcome
    reason: str = ""
    detail: str = ""


def judge(task: Task, evidence: Evidence) -> Verdict:
    """The verdict on an episode: a function of the task and the recorded evidence, and of nothing else."""
    results = judge_checks(task.checks, evidence)
    decision = _decide(task, evidence, results)
    return Verdict(
        task=task.id,
        task_digest=task.digest(),
        evidence_digest=evidence.digest(),
        outcome=decision.outcome,
        reason=decision.reason,
        detail=decision.detail,
        ending=evidence.ending,
        checks=tuple(results.values()),
    )


def judge_checks(checks: list[Check], evidence: Evidence) -> dict[str, CheckResult]:
    """Every check's result by name, in the task's order."""
    results: dict[str, CheckResult] = {}
    for check in checks:
        unmet = [name for name in check.requires if results[name].state is not CheckState.HOLDS]
        results[check.name] = _gated(check, unmet, results) if unmet else _evaluate(check, evidence)
    return results


def _gated(check: Check, unmet: list[str], results: dict[str, CheckResult]) -> CheckResult:
    broken = [name for name in unmet if results[name].state is CheckState.BROKEN]
    state = CheckState.BROKEN if broken else CheckState.GATED
    return CheckResult(
        name=check.name,
        metric=check.metric,
        state=state,
        score=None if broken else 0.0,
        why=f"requires {', '.join(repr(name) for name in broken or unmet)}, which "
        + ("could not be evaluated" if broken else "did not hold"),
    )


def _evaluate(check: Check, evidence: Evidence) -> CheckResult:
    result: Value = MISSING
    expected: Value = check.expected
    try:
        result = check.getter.read(evidence)
        if check.expected_getter is not None:
            expected = check.expected_getter.read(evidence)
        score = check.rule.score(result, expected)
    except (GetterError, RuleError) as error:
        return CheckResult(
            name=check.name, metric=check.metric, state=CheckState.BROKEN, expected=show(expected), why=str(error)
        )
    return CheckResult(
        name=check.name,
        metric=check.metric,
        state=CheckState.HOLDS if score >= 1.0 else CheckState.FAILS,
        score=score,
        expected=show(expected),
        found=show(result),
    )


def _decide(task: Task, evidence: Evidence, results: dict[str, CheckResult]) -> Decision:
    """The outcome, in this order: lost browser, crashed agent, unreadable page, broken checks, the checks themselves."""
    if evidence.ending is Ending.BROWSER_LOST:
        return Decision(Outcome.UNSCORED, "infra", "; ".join(evidence.gaps) or "the browser was lost")
    if evidence.ending is Ending.AGENT_CRASHED:
        return Decision(Outcome.FAILED, detail="the agent raised an exception")
    if unreadable := _by_health(evidence):
        return unreadable
    states = [result.state for result in results.values()]
    if task.conj == "or" and CheckState.HOLDS in states:
        return Decision(Outcome.PASSED)
    if evidence.page is None:
        return Decision(Outcome.FAILED, detail="the agent left no page open that could be judged")
    broken = [result for result in results.values() if result.state is CheckState.BROKEN]
    if broken and (task.conj == "or" or not _fails_anyway(states)):
        return Decision(
            Outcome.UNSCORED, "verifier_error", "; ".join(f"{result.name}: {result.why}" for result in broken)
        )
    return Decision(Outcome.PASSED if all(state is CheckState.HOLDS for state in states) else Outcome.FAILED)


def _fails_anyway(states: list[CheckState]) -> bool:
    """Under ``and`` one check that does not hold settles the matter, whatever a broken one would have said."""
    return CheckState.FAILS in states or CheckState.GATED in states


def _by_health(evidence: Evidence) -> Decision | None:
    health = evidence.health
    if health.state == "ok":
        return None
    if health.by_agent or health.state == "unresponsive":
        return Decision(Outcome.FAILED, detail=f"the agent ended on a page that cannot be read: {health.detail}")
    blocked = health.state in ("bot_wall", "http_error")
    return Decision(Outcome.UNSCORED, "blocked" if blocked else "infra", health.detail)


def show(value: Any) -> str:
    """A value as people read it in a report, cut after some hundred characters."""
    if value is MISSING:
        return "(nothing)"
    text = value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def _plain(value: Any) -> Any:
    if value is MISSING:
        return "(nothing)"
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value
