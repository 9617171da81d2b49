"""``judge(task, evidence) -> Verdict``."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..checks import MISSING, Value
from ..errors import CanaryError, GetterError, RuleError
from ..evidence.models import Ending, Evidence
from ..task import Check, Task
from .verdict import CheckResult, CheckState, Outcome, Verdict

LONGEST_SHOWN = 300
_NEEDS_JUDGE = "no check can decide this; the evidence is kept for a person or a model to judge"


class Decision(NamedTuple):
    """An outcome with the reason for it."""

    outcome: Outcome
    reason: str = ""
    detail: str = ""


def judge(task: Task, evidence: Evidence, *, task_digest: str | None = None) -> Verdict:
    """The verdict on an episode: a function of the task and the recorded evidence, and of nothing else.

    ``task_digest`` saves the time to compute it, where one task is judged many times.
    """
    results = judge_checks(task.checks, evidence, elsewhere=_elsewhere(task, evidence))
    decision = _by_evidence(task, evidence) or _by_checks(task, list(results.values()))
    return Verdict(
        task=task.id,
        task_digest=task_digest or task.digest(),
        evidence_digest=evidence.digest(),
        outcome=decision.outcome,
        reason=decision.reason,
        detail=decision.detail,
        ending=evidence.ending,
        score=_score(task, list(results.values())),
        checks=tuple(results.values()),
    )


# -- checks ------------------------------------------------------------------------------------------------------------


def judge_checks(checks: list[Check], evidence: Evidence, *, elsewhere: str = "") -> dict[str, CheckResult]:
    """Every check's result by name, in the task's order; ``elsewhere`` says why the final page is a wrong one."""
    results: dict[str, CheckResult] = {}
    for check in checks:
        unmet = [results[name] for name in check.requires if results[name].state is not CheckState.HOLDS]
        results[check.name] = _gated(check, unmet) if unmet else _evaluate(check, evidence, elsewhere)
    return results


def _gated(check: Check, unmet: list[CheckResult]) -> CheckResult:
    """A check whose ground is missing does not count, even if it would hold; one that did not hold settles that."""
    failed = [result for result in unmet if result.state is not CheckState.BROKEN]
    names = ", ".join(repr(result.name) for result in failed or unmet)
    return CheckResult(
        name=check.name,
        metric=check.metric,
        state=CheckState.GATED if failed else CheckState.BROKEN,
        score=0.0 if failed else None,
        why=f"requires {names}, which " + ("did not hold" if failed else "could not be evaluated"),
    )


def _evaluate(check: Check, evidence: Evidence, elsewhere: str) -> CheckResult:
    result: Value = MISSING
    expected: Value = check.expected
    try:
        result = check.getter.read(evidence)
        if check.expected_getter is not None:
            expected = _live(check, check.expected_getter.read(evidence))
        # Where the page does not show what is to be found, nothing found can be right.
        score = 0.0 if expected is MISSING else check.rule.score(result, expected)
    except (GetterError, RuleError) as error:
        # That the right page's mark is missing elsewhere is no fault of the check. A check whose `requires` hold is on
        # the right page by its author's word.
        strayed = isinstance(error, CanaryError) and elsewhere and not check.requires
        return CheckResult(
            name=check.name,
            metric=check.metric,
            state=CheckState.FAILS if strayed else CheckState.BROKEN,
            score=0.0 if strayed else None,
            expected=show(expected),
            found=show(result),
            why=f"{error}: {elsewhere}" if strayed else str(error),
        )
    return CheckResult(
        name=check.name,
        metric=check.metric,
        state=CheckState.HOLDS if score >= 1.0 else CheckState.FAILS,
        score=score,
        expected=show(expected),
        found=show(result),
    )


def _elsewhere(task: Task, evidence: Evidence) -> str:
    """Why the final page cannot be the one that the task is about; empty if it may be."""
    page = evidence.page
    if page is None:
        return "no page was left open"
    if page.status in (404, 410):
        return f"there is no page at {page.url} (HTTP status {page.status})"
    return "" if _on_site(task, page.url) else f"the agent ended on {_host(page.url) or page.url}, not on {task.site}"


def _live(check: Check, expected: Value) -> Value:
    """An expectation read from the page, which nobody has looked at before; `RuleError` if the metric cannot use it."""
    flaws = [] if expected is MISSING else check.rule.flaws(expected)
    if flaws:
        raise RuleError(f"what the page gives to expect cannot be used: {flaws[0].what}")
    return expected


def _score(task: Task, results: list[CheckResult]) -> float | None:
    """How far the checks hold, from 0 to 1; None if one could not be evaluated. Only a full score is a success."""
    scores = [result.score for result in results if result.score is not None]
    if not scores or len(scores) < len(results):
        return None
    if task.conj == "or":
        return max(scores)
    if task.conj == "and":
        return sum(scores) / len(scores) if all(scores) else 0.0
    weights = [check.weight for check in task.checks]
    return sum(score * weight for score, weight in zip(scores, weights, strict=True)) / sum(weights)


# -- outcome -----------------------------------------------------------------------------------------------------------


def _by_evidence(task: Task, evidence: Evidence) -> Decision | None:
    """The outcome where the evidence decides, whatever the checks say: browser lost, agent crashed, page unreadable."""
    if evidence.ending is Ending.BROWSER_LOST:
        return Decision(Outcome.UNSCORED, "infra", "; ".join(evidence.gaps) or "the browser was lost")
    if evidence.ending is Ending.AGENT_CRASHED:
        return Decision(Outcome.FAILED, detail="the agent raised an exception")
    if evidence.page is None:
        return Decision(Outcome.FAILED, detail="the agent left no page open that could be judged")
    health = evidence.health
    if health.state == "ok":
        return None
    if health.state == "unresponsive" or _brought_itself_there(task, evidence):
        return Decision(Outcome.FAILED, detail=f"the agent ended on a page that cannot be read: {health.detail}")
    blocked = health.state in ("bot_wall", "http_error")
    return Decision(Outcome.UNSCORED, "blocked" if blocked else "infra", health.detail)


def _brought_itself_there(task: Task, evidence: Evidence) -> bool:
    """Whether the agent opened the page by address; the task's own site may put up a bot wall at any address."""
    if not evidence.health.by_agent or evidence.health.state != "bot_wall":
        return evidence.health.by_agent
    return not _on_site(task, evidence.final_page().url)


def _on_site(task: Task, url: str) -> bool:
    host = _host(url)
    return host == task.site or host.endswith(f".{task.site}")


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _by_checks(task: Task, results: list[CheckResult]) -> Decision:
    """The outcome that the checks give: a broken one counts only where the others leave the matter open."""
    states = {result.state for result in results}
    if not states or (CheckState.HOLDS in states and (task.conj == "or" or len(states) == 1)):
        return Decision(Outcome.UNSCORED, "needs_judge", _NEEDS_JUDGE) if task.needs_judge else Decision(Outcome.PASSED)
    settled = task.conj != "or" and states & {CheckState.FAILS, CheckState.GATED}
    if CheckState.BROKEN in states and not settled:
        broken = (f"{result.name}: {result.why}" for result in results if result.state is CheckState.BROKEN)
        return Decision(Outcome.UNSCORED, "verifier_error", "; ".join(broken))
    return Decision(Outcome.FAILED)


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
