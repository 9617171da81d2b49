"""What an audit with whole episodes found, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..judge.episode_audit import EpisodeAudit, MutantResult, State
from ..stats.rates import wilson


def episode_audit_lines(tasks: Sequence[EpisodeAudit]) -> list[str]:
    """Per task what came of each family and what is open; at the end the two ratios."""
    lines: list[str] = []
    for task in tasks:
        if task.problem:
            lines.append(f"{task.task}: NOT AUDITED: {task.problem}")
        else:
            lines += _task_lines(task)
    results = [one for task in tasks for one in task.results]
    wrong, right = _ratio(results, must_pass=False), _ratio(results, must_pass=True)
    sound = sum(task.sound for task in tasks)
    return [
        *lines,
        f"wrong episodes that pass: {_in_words(*wrong)}",
        f"right episodes that are refused: {_in_words(*right)}",
        f"{sound} of {len(tasks)} tasks hold against episodes made from their solutions",
    ]


def _task_lines(task: EpisodeAudit) -> list[str]:
    groups: dict[str, list[MutantResult]] = {}
    for one in task.results:
        groups.setdefault(one.family, []).append(one)
    families = [f"{family} {_counts(group)}" for family, group in groups.items()]
    word = "sound" if task.sound else "OPEN"
    lines = [f"{task.task}: {word}", f"    {', '.join(families)}"]
    for one in task.results:
        if one.is_wrong and one.family in task.allowed:
            lines.append(f"    {one.family}: {_what(one)} (allowed): {one.title}")
    if task.because:
        lines.append(f"        reason: {task.because}")
    for one in task.open:
        lines.append(f"    {one.label}: {_what(one).upper()}: {one.title}{_why(one)}")
    lines += [f"    {family}: exception not needed" for family in task.not_needed]
    return lines


def _counts(group: Sequence[MutantResult]) -> str:
    """``5/5 rejected``, and how many do not apply."""
    applied = [one for one in group if one.state is not State.NOT_APPLICABLE]
    wanted = State.ACCEPTED if group[0].must_pass else State.REJECTED
    held = sum(one.state is wanted for one in applied)
    text = f"{held}/{len(applied)} {wanted}"
    left = len(group) - len(applied)
    return f"{text} ({left} not applicable)" if left else text


def _what(one: MutantResult) -> str:
    if one.state is State.UNKNOWN:
        return "unknown"
    return "is refused" if one.must_pass else "passes"


def _why(one: MutantResult) -> str:
    return f" ({one.why})" if one.why else ""


def _ratio(results: Iterable[MutantResult], *, must_pass: bool) -> tuple[int, int]:
    """How many are judged against the rule, of how many that were judged at all."""
    judged = (State.ACCEPTED, State.REJECTED)
    kind = [one for one in results if one.must_pass is must_pass and one.state in judged]
    return sum(one.is_wrong for one in kind), len(kind)


def _in_words(count: int, of: int) -> str:
    low, high = wilson(count, of)
    share = 100 * count / of if of else 0.0
    return f"{count} of {of} = {share:.1f} % (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def episode_audit_data(tasks: Sequence[EpisodeAudit]) -> dict[str, Any]:
    """The same as JSON."""
    results = [one for task in tasks for one in task.results]
    return {
        "version": 1,
        "sound": all(task.sound for task in tasks),
        "wrong_that_pass": _ratio_data(*_ratio(results, must_pass=False)),
        "right_that_are_refused": _ratio_data(*_ratio(results, must_pass=True)),
        "tasks": [_task_data(task) for task in tasks],
    }


def _ratio_data(count: int, of: int) -> dict[str, Any]:
    return {"count": count, "of": of, "interval": list(wilson(count, of))}


def _task_data(task: EpisodeAudit) -> dict[str, Any]:
    return {
        "task": task.task,
        "sound": task.sound,
        "problem": task.problem,
        "allowed": list(task.allowed),
        "because": task.because,
        "exceptions_not_needed": task.not_needed,
        "mutants": [_mutant_data(one) for one in task.results],
    }


def _mutant_data(one: MutantResult) -> dict[str, Any]:
    return {
        "family": one.family,
        "label": one.label,
        "title": one.title,
        "must": "pass" if one.must_pass else "fail",
        "state": one.state.value,
        "why": one.why,
    }


def state_counts(task: EpisodeAudit) -> dict[str, int]:
    """How many mutants of a task there are of each state."""
    counts = Counter(one.state.value for one in task.results)
    return {state.value: counts[state.value] for state in State}
