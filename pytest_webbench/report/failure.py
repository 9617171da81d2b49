"""Why a task failed, check by check, as shown in the terminal and in reports."""

from __future__ import annotations

from ..judge import CheckResult, CheckState, Outcome, Verdict

_SIGNS = {CheckState.HOLDS: "ok  ", CheckState.FAILS: "FAIL", CheckState.GATED: "FAIL", CheckState.BROKEN: "????"}


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
        lines += [f"             expected  {check.metric} {check.expected}", f"             found     {check.found}"]
    if check.why:
        lines.append(f"             {check.why}")
    return lines
