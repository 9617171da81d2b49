"""What a validation found, task by task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ..evidence.models import Evidence
from ..judge import CheckState, Verdict
from ..judge.frozen import frozen_answer
from ..run import LedgerEntry, RunDir
from .results import ItemResult, TaskKey, outcomes_of

_KINDS: Final = ("solution", "start-page", "counterexample")
_INDENT: Final = "\n          "


VerdictOf = Callable[[LedgerEntry], Verdict | None]
"""Reads the verdict of an attempt; None if it left none."""


def validation_lines(
    results: Iterable[ItemResult], verdict_of: VerdictOf, frozen: Mapping[TaskKey, str]
) -> list[str]:
    """One line per task, and a last line with the count of sound ones.

    ``frozen`` is what `frozen_tasks` has found.
    """
    tasks = _by_task(results)
    width = max((len(task) for _, task in tasks), default=0)
    lines = []
    sound = 0
    for key, group in sorted(tasks.items()):
        word = "UNSOUND" if key in frozen else _word(group)
        sound += word == "sound"
        line = f"{word:7} {key[1]:{width}}  {_counts(group, verdict_of)}"
        if key in frozen:
            line += f"{_INDENT}{key[1]} is not sound: {frozen[key]}"
        lines.append(line)
    return [*lines, f"{sound} of {len(tasks)} tasks are sound"]


def frozen_tasks(results: Iterable[ItemResult], run: RunDir) -> dict[TaskKey, str]:
    """Why tasks whose solution passes in every edition hold a value that the site changes."""
    found = {}
    for key, group in _by_task(results).items():
        solutions = [result for result in group if result.plan.agent.startswith("solution")]
        seeds = {result.plan.seed for result in solutions}
        if len(seeds) > 1 and all(result.passed for result in solutions):
            problem = _frozen(solutions, run)
            if problem is not None:
                found[key] = problem
    return found


def _frozen(solutions: list[ItemResult], run: RunDir) -> str | None:
    task = None
    editions: dict[int, Evidence] = {}
    for result in solutions:
        episode = run.stored_episode(result.entry)
        evidence = episode.evidence()
        task = task or episode.task()
        if evidence is not None:
            editions[result.plan.seed] = evidence
    return None if task is None else frozen_answer(task, editions)


def _by_task(results: Iterable[ItemResult]) -> dict[TaskKey, list[ItemResult]]:
    tasks: dict[TaskKey, list[ItemResult]] = {}
    for result in results:
        tasks.setdefault(result.task, []).append(result)
    return tasks


def _word(group: list[ItemResult]) -> str:
    outcomes = outcomes_of(group)
    if "failed" in outcomes:
        return "UNSOUND"
    return "unknown" if "unscored" in outcomes else "sound"


def _counts(group: list[ItemResult], verdict_of: VerdictOf) -> str:
    held = dict.fromkeys(_KINDS, 0)
    planned = dict.fromkeys(_KINDS, 0)
    problems = ""
    for result in group:
        for kind in _KINDS:
            if result.plan.agent.startswith(kind):
                planned[kind] += 1
                held[kind] += result.passed
        if not result.passed and result.entry.detail:
            problems += _INDENT + result.entry.detail.splitlines()[0]
    counts = [f"{kind} {held[kind]}/{planned[kind]}" for kind in _KINDS]
    counts[0] += _editions(group)
    if not planned["counterexample"]:
        counts[-1] = "no counterexamples"
    return ", ".join(counts) + _nearest(group, verdict_of) + problems


def _editions(group: list[ItemResult]) -> str:
    """In which editions the solution was played; empty in a world that has only one."""
    seeds = sorted({result.plan.seed for result in group})
    if seeds == [0]:
        return ""
    return f" in editions {', '.join(map(str, seeds))}"


def _nearest(group: list[ItemResult], verdict_of: VerdictOf) -> str:
    """How near the counterexamples come that are rejected: of the nearest, how many checks hold."""
    near = max(_held(group, verdict_of), default=None)
    if near is None:
        return ""
    missing, checks = -near[0], near[1]
    return f"; nearest: {checks - missing} of {checks} checks hold"


def _held(group: list[ItemResult], verdict_of: VerdictOf) -> Iterator[tuple[int, int]]:
    """Of each counterexample that is rejected, the checks that do not hold (negative), and all."""
    for result in group:
        if not result.plan.agent.startswith("counterexample") or not result.passed:
            continue
        verdict = verdict_of(result.entry)
        if verdict is not None:
            states = [check.state for check in verdict.checks]
            holding = states.count(CheckState.HOLDS)
            yield holding - len(states), len(states)
