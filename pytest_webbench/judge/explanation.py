"""Why a task failed, check by check, as shown in the terminal and in reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from .._text import clip, harmless, one_line
from ..errors import UNSCORED_ERRORS, TaskFailed
from ..evidence.models import Evidence
from ..task import Task
from . import CheckResult, CheckState, Outcome, Verdict
from .validation import Proof
from .verdict import Flag

_LONGEST_BRIEF: Final = 300
_SIGNS: Final = {
    CheckState.HOLDS: "ok  ",
    CheckState.FAILS: "FAIL",
    CheckState.GATED: "FAIL",
    CheckState.BROKEN: "????",
}


class Finding(NamedTuple):
    """How an item of a run came out, and the explanation if it did not pass."""

    outcome: Outcome
    reason: str = ""
    """Why it is unscored; empty otherwise."""
    text: str = ""
    brief: str = ""
    """The same in one line, for tables and for JUnit's ``message``."""
    flags: tuple[Flag, ...] = ()
    """Why a pass is not to be taken on trust."""

    def assert_passed(self) -> None:
        """`TaskFailed` with the explanation, unless the item passed."""
        if self.outcome is not Outcome.PASSED:
            raise TaskFailed(self.text)

    def raise_if_unscored(self) -> None:
        """The `UnscoredError` that stands for this reason, if the item is unscored."""
        if self.outcome is Outcome.UNSCORED:
            raise UNSCORED_ERRORS[self.reason](self.text)


def finding(
    task: Task, proof: Proof | None, evidence: Evidence, verdict: Verdict, folder: str
) -> Finding:
    """The agent's verdict; or, in a validation, what the verdict says about the task."""
    text = explain(task.goal, verdict, evidence, folder=folder)
    brief = _brief(verdict, evidence)
    if proof is not None:
        if problem := proof.problem(task, evidence, verdict):
            headline = f"{task.id} is not sound: {proof.title}: {problem}"
            return Finding(Outcome.FAILED, text=f"{headline}\n{text}", brief=headline)
        if verdict.outcome is not Outcome.UNSCORED:
            return Finding(Outcome.PASSED)
    if verdict.outcome is Outcome.PASSED:
        return Finding(Outcome.PASSED, verdict.reason, flags=verdict.flags)
    return Finding(verdict.outcome, verdict.reason, text, brief)


def explain(goal: str, verdict: Verdict, evidence: Evidence, *, folder: str) -> str:
    """Ending, goal, every check with what was expected and found, and the episode's folder."""
    headline = f"unscored ({verdict.reason})"
    if verdict.outcome is Outcome.FAILED:
        headline = "failed"
    if verdict.detail:
        headline += f": {one_line(verdict.detail)}"
    answered = "no answer" if evidence.answer is None else f"answer: {evidence.answer!r}"
    why = f": {one_line(evidence.ending_detail)}" if evidence.ending_detail else ""
    url = evidence.page.url if evidence.page else ""
    lines = [
        f"{verdict.task} {headline}",
        f"  ending   {verdict.ending}, {answered}{why}",
        f"  goal     {harmless(' '.join(goal.split()))}",
        f"  page     {one_line(url) or '(none)'}",
    ]
    for check in verdict.checks:
        lines += _check_lines(check)
    lines.append(f"  episode  {folder}")
    return "\n".join(lines)


def flagged_text(task: str, flags: Sequence[Flag]) -> str:
    """Why a flagged pass does not count where flagged passes count as failed."""
    lines = [f"{task} failed: it passed on doubtful ground, see docs/integrity.md"]
    for flag in flags:
        lines.append(f"  flagged  {one_line(str(flag))}")
    return "\n".join(lines)


def _brief(verdict: Verdict, evidence: Evidence) -> str:
    """What decided: a crash or trouble, why the agent gave up, else the first failing check."""
    if verdict.detail:
        return clip(one_line(verdict.detail), _LONGEST_BRIEF)
    if evidence.ending_detail:
        why = f"{verdict.ending}: {one_line(evidence.ending_detail)}"
        return clip(why, _LONGEST_BRIEF)
    failing = [check for check in verdict.checks if check.state is CheckState.FAILS]
    for check in failing:
        what = check.why or f"expected {check.metric} {check.expected}, found {check.found}"
        return clip(one_line(f"{check.name}: {what}"), _LONGEST_BRIEF)
    return f"ending {verdict.ending}"


def _check_lines(check: CheckResult) -> list[str]:
    lines = [f"  {_SIGNS[check.state]}     {one_line(check.name)}"]
    if check.state is CheckState.FAILS:
        lines += [
            f"             expected  {one_line(f'{check.metric} {check.expected}')}",
            f"             found     {one_line(check.found)}",
        ]
    if check.why:
        lines.append(f"             {one_line(check.why)}")
    return lines
