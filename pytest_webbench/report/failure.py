"""Why a task failed, check by check, as shown in the terminal and in reports."""

from __future__ import annotations

from typing import NamedTuple

from ..evidence.models import Evidence
from ..judge import CheckResult, CheckState, Outcome, Verdict
from ..judge.proofs import Proof
from ..task import Task

_SIGNS = {CheckState.HOLDS: "ok  ", CheckState.FAILS: "FAIL", CheckState.GATED: "FAIL", CheckState.BROKEN: "????"}


class Finding(NamedTuple):
    """What a verdict means for an item of a run, and the explanation if it did not pass."""

    outcome: Outcome
    reason: str = ""
    text: str = ""


def finding(task: Task, proof: Proof | None, evidence: Evidence, verdict: Verdict, folder: str) -> Finding:
    """The agent's verdict; or, in a validation, what it says about the task."""
    url = evidence.page.url if evidence.page else ""
    text = explain(task.goal, verdict, final_url=url, answer=evidence.answer, folder=folder)
    problem = proof.problem(task, evidence, verdict) if proof is not None else None
    if proof is not None and problem is not None:
        return Finding(Outcome.FAILED, text=f"{task.id} is not sound: {proof.title}: {problem}\n{text}")
    if proof is not None and verdict.outcome is not Outcome.UNSCORED:
        return Finding(Outcome.PASSED)
    return Finding(verdict.outcome, verdict.reason, "" if verdict.outcome is Outcome.PASSED else text)


def explain(goal: str, verdict: Verdict, *, final_url: str, answer: str | None, folder: str) -> str:
    """Goal, ending, every check with what was expected and found, and where the episode lies."""
    headline = "failed" if verdict.outcome is Outcome.FAILED else f"unscored ({verdict.reason})"
    lines = [f"{verdict.task} {headline}" + (f": {verdict.detail}" if verdict.detail else "")]
    lines.append(f"  goal     {' '.join(goal.split())}")
    lines.append(f"  ending   {verdict.ending}" + (f", answer: {answer!r}" if answer is not None else ", no answer"))
    lines.append(f"  page     {final_url or '(none)'}")
    for check in verdict.checks:
        lines += _check_lines(check)
    lines.append(f"  episode  {folder}")
    return "\n".join(lines)


def _check_lines(check: CheckResult) -> list[str]:
    lines = [f"  {_SIGNS[check.state]}     {check.name}"]
    if check.state is CheckState.FAILS:
        lines += [
            f"             expected  {_one_line(f'{check.metric} {check.expected}')}",
            f"             found     {_one_line(check.found)}",
        ]
    if check.why:
        lines.append(f"             {_one_line(check.why)}")
    return lines


def _one_line(text: str) -> str:
    """Page text may hold line breaks; here it must not look like a line of ours."""
    return " ⏎ ".join(line.strip() for line in text.splitlines() if line.strip())
