"""``judge(task, evidence) -> Verdict``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from .._text import clip
from .._url import host_of
from .._worlds import LIVE
from ..checks import MISSING, Getter, Value
from ..checks.answer_schema import misfit
from ..checks.comparison import score_of
from ..errors import CanaryError, DriftedError, GetterError, RuleError, VerifierError
from ..evidence.models import Ending, Evidence
from ..task import Check, Task
from .integrity import flags_of
from .trouble import is_agents_browser_loss, is_agents_page, on_site
from .verdict import CheckResult, CheckState, Outcome, Verdict

LONGEST_SHOWN: Final = 300
"""Characters of a value in a verdict."""
_NEEDS_JUDGE: Final = (
    "no check can decide this; the evidence is kept for a person or a model to judge"
)


class _Ruling(NamedTuple):
    """An outcome with the reason for it."""

    outcome: Outcome
    reason: str = ""
    detail: str = ""


def judge(task: Task, evidence: Evidence, *, task_digest: str | None = None) -> Verdict:
    """The verdict on an episode: a function of the task and its evidence, and of nothing else.

    ``task_digest`` is for callers that judge one task many times and have computed it once.
    """
    ruling = _by_world(evidence) or _by_evidence(task, evidence) or _by_refusal(task, evidence)
    heard = evidence
    if task.answer_schema is not None and (why := misfit(evidence.answer, task.answer_schema)):
        # What does not fit is no answer, to the checks as well.
        heard = evidence.model_copy(update={"answer": None})
        ruling = ruling or _Ruling(Outcome.FAILED, detail=f"the answer does not fit: {why}")
    results = judge_checks(task.checks, heard, elsewhere=_elsewhere(task, evidence))
    ruling = ruling or _by_checks(task, heard, results)
    return Verdict(
        task=task.id,
        task_digest=task_digest or task.digest(),
        evidence_digest=evidence.digest(),
        outcome=ruling.outcome,
        reason=ruling.reason,
        detail=ruling.detail,
        ending=evidence.ending,
        score=_score(task, list(results.values())),
        checks=tuple(results.values()),
        flags=flags_of(task, evidence) if ruling.outcome is Outcome.PASSED else (),
    )


# -- checks --------------------------------------------------------------------------------------


def judge_checks(
    checks: list[Check], evidence: Evidence, *, elsewhere: str = ""
) -> dict[str, CheckResult]:
    """Every check's result by name, in the task's order.

    ``elsewhere`` says why the final page cannot be the right one; empty if it can.
    """
    results: dict[str, CheckResult] = {}
    for check in checks:
        unmet = [
            results[name] for name in check.requires if results[name].state is not CheckState.HOLDS
        ]
        if unmet:
            results[check.name] = _gated(check, unmet)
        else:
            results[check.name] = _evaluate(check, evidence, elsewhere)
    return results


def _gated(check: Check, unmet: list[CheckResult]) -> CheckResult:
    """The result of a check whose requirements are not met; it is not evaluated at all."""
    failed = [result for result in unmet if result.state is not CheckState.BROKEN]
    names = ", ".join(repr(result.name) for result in failed or unmet)
    if failed:
        return _without_values(check, CheckState.GATED, f"requires {names}, which did not hold")
    why = f"requires {names}, which could not be evaluated"
    return _without_values(check, CheckState.BROKEN, why)


def _without_values(check: Check, state: CheckState, why: str) -> CheckResult:
    return CheckResult(
        name=check.name,
        metric=check.metric,
        state=state,
        score=None if state is CheckState.BROKEN else 0.0,
        why=why,
    )


def _evaluate(check: Check, evidence: Evidence, elsewhere: str) -> CheckResult:
    result: Value = MISSING
    expected: Value = check.expected
    try:
        result = check.getter.read(evidence)
        if check.expected_getter is not None:
            expected = _live(check, _read_expected(check.expected_getter, evidence))
        score = score_of(check.rule, result, expected, evidence)
    except (GetterError, RuleError) as error:
        compared = _not_compared(check, error, elsewhere)
    else:
        state = CheckState.HOLDS if score >= 1.0 else CheckState.FAILS
        compared = CheckResult(name=check.name, metric=check.metric, state=state, score=score)
    return compared.model_copy(update={"expected": show(expected), "found": show(result)})


def _not_compared(check: Check, error: GetterError | RuleError, elsewhere: str) -> CheckResult:
    # The mark of the right page is missing on any other; that is no fault of the check. A check
    # whose `requires` hold is on the right page by its author's word.
    if isinstance(error, CanaryError) and elsewhere and not check.requires:
        return _without_values(check, CheckState.FAILS, f"{error}: {elsewhere}")
    return _without_values(check, CheckState.BROKEN, str(error))


def _elsewhere(task: Task, evidence: Evidence) -> str:
    """Why the final page cannot be the one that the task is about; empty if it may be."""
    page = evidence.page
    if page is None:
        return "no page was left open"
    if page.status in (404, 410):
        return f"there is no page at {page.url} (HTTP status {page.status})"
    if on_site(task, page.url):
        return ""
    return f"the agent ended on {host_of(page.url) or page.url}, not on {task.site}"


def _read_expected(getter: Getter, evidence: Evidence) -> Value:
    """What a page gives to expect.

    The agent has no part in a page that the harness opened: what is missing there has drifted.
    """
    value = getter.read(evidence)
    probe = getter.probe()
    if probe is not None and probe.at is not None and _lacks(value):
        what = f"what is to be expected is not on the page at {probe.at}: {show(value)}"
        raise GetterError(what, missing=True)
    return value


def _lacks(value: Value) -> bool:
    if isinstance(value, dict):
        return any(map(_lacks, value.values()))
    return value is MISSING


def _has_drifted(task: Task, evidence: Evidence, results: Mapping[str, CheckResult]) -> bool:
    """Whether a change of the live site is all that keeps checks from being evaluated.

    A replica does not change: there the check or the double is wrong.
    """
    if evidence.world != LIVE:
        return False
    broken = [check for check in task.checks if results[check.name].state is CheckState.BROKEN]
    return all(
        _misses_its_page(check, evidence)
        for check in broken
        # The others were not evaluated, because a check that they require is broken.
        if all(results[name].state is CheckState.HOLDS for name in check.requires)
    )


def _misses_its_page(check: Check, evidence: Evidence) -> bool:
    """Whether a check is broken because a page lacks what it is known to have."""
    try:
        check.getter.read(evidence)
        if check.expected_getter is not None:
            _read_expected(check.expected_getter, evidence)
    except GetterError as error:
        return error.missing
    return False


def _live(check: Check, expected: Value) -> Value:
    """An expectation as the page gives it; `RuleError` if the metric cannot use it."""
    if expected is MISSING:
        return expected
    for issue in check.rule.issues(expected):
        raise RuleError(f"what the page gives to expect cannot be used: {issue.what}")
    return expected


def _score(task: Task, results: list[CheckResult]) -> float | None:
    """How far the checks hold, from 0 to 1; None if one could not be evaluated.

    Only a full score is a success.
    """
    scores = [result.score for result in results if result.score is not None]
    if not scores or len(scores) < len(results):
        return None
    if task.conj == "or":
        return max(scores)
    if task.conj == "and":
        return sum(scores) / len(scores) if all(scores) else 0.0
    total, weights = 0.0, 0.0
    for check, score in zip(task.checks, scores, strict=True):
        total += score * check.weight
        weights += check.weight
    return total / weights


# -- outcome -------------------------------------------------------------------------------------


def _by_world(evidence: Evidence) -> _Ruling | None:
    """Nothing counts where a page of the world's own has failed."""
    if evidence.health.state != "world_error":
        return None
    return _Ruling(Outcome.UNSCORED, "infra", evidence.health.detail)


def _by_evidence(task: Task, evidence: Evidence) -> _Ruling | None:
    """The outcome where the evidence decides, whatever the checks say.

    The browser was lost, the agent crashed, or the final page cannot be read.
    """
    if evidence.ending is Ending.BROWSER_LOST:
        return _by_browser_loss(evidence)
    if evidence.ending is Ending.AGENT_CRASHED:
        what = f": {evidence.ending_detail}" if evidence.ending_detail else ""
        return _Ruling(Outcome.FAILED, detail=f"the agent crashed{what}")
    if evidence.page is None:
        return _Ruling(Outcome.FAILED, detail="the agent left no page open that could be judged")
    health = evidence.health
    if health.state == "ok":
        return None
    if is_agents_page(task, evidence):
        detail = f"the agent ended on a page that cannot be read: {health.detail}"
        return _Ruling(Outcome.FAILED, detail=detail)
    reason = "blocked" if health.state in ("bot_wall", "http_error") else "infra"
    return _Ruling(Outcome.UNSCORED, reason, health.detail)


def _by_refusal(task: Task, evidence: Evidence) -> _Ruling | None:
    """What cannot be done is failed by everybody who does not say so."""
    if task.feasible or evidence.ending is Ending.GAVE_UP:
        return None
    return _Ruling(Outcome.FAILED, detail="this cannot be done, and the agent did not say so")


def _by_browser_loss(evidence: Evidence) -> _Ruling:
    if is_agents_browser_loss(evidence):
        return _Ruling(Outcome.FAILED, detail="the browser ended after the agent had acted")
    return _Ruling(Outcome.UNSCORED, "infra", "; ".join(evidence.gaps) or "the browser was lost")


def _by_checks(task: Task, evidence: Evidence, results: Mapping[str, CheckResult]) -> _Ruling:
    """The outcome that the checks give; a broken one counts only where the others do not decide."""
    states = {result.state for result in results.values()}
    some_hold = CheckState.HOLDS in states
    if not states or (some_hold and (task.conj == "or" or len(states) == 1)):
        if task.needs_judge:
            return _Ruling(Outcome.UNSCORED, "needs_judge", _NEEDS_JUDGE)
        return _Ruling(Outcome.PASSED)
    settled = task.conj != "or" and states & {CheckState.FAILS, CheckState.GATED}
    if CheckState.BROKEN in states and not settled:
        drifted = _has_drifted(task, evidence, results)
        error = DriftedError if drifted else VerifierError
        return _Ruling(Outcome.UNSCORED, error.reason, _why_broken(results.values()))
    return _Ruling(Outcome.FAILED)


def _why_broken(results: Iterable[CheckResult]) -> str:
    broken = [one for one in results if one.state is CheckState.BROKEN]
    return "; ".join(f"{one.name}: {one.why}" for one in broken)


def show(value: Any) -> str:
    """A value as people read it in a report, in at most `LONGEST_SHOWN` characters."""
    text = _plain(value)
    if not isinstance(text, str):
        text = json.dumps(text, ensure_ascii=False, sort_keys=True)
    return clip(text, LONGEST_SHOWN)


def _plain(value: Any) -> Any:
    if value is MISSING:
        return "(nothing)"
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value
