"""One run as a few lines of text."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ..run.ledger import RECORDED
from ..stats import Repeats, Tally, pass_rate
from .results import (
    ItemResult,
    by_suite_and_agent,
    flag_counts,
    repeats_by_task,
    untested,
    worlds_of,
)
from .tables import counted, rate_text

_MOST_SLOWEST: Final = 3


def summarize(results: Iterable[ItemResult]) -> list[str]:
    """Per suite and agent: the rate with its interval and bounds, why items are unscored, the
    slowest episodes."""
    lines: list[str] = []
    for (suite, agent), group in by_suite_and_agent(results).items():
        lines += _group_lines(suite, agent, group)
    return lines


def _group_lines(suite: str, agent: str, results: list[ItemResult]) -> list[str]:
    tally = Tally.of((result.entry.outcome, result.entry.reason) for result in results)
    world = ", ".join(worlds_of(results)) or "unknown"
    flagged = sum(result.flagged for result in results)
    rate = headline(tally, repeats_by_task(results).values(), flagged=flagged)
    if world.startswith(RECORDED):
        # Their figures, coverage above all, are not those of tasks: the plugin shows them.
        rate = f"{tally.graded} of {tally.n} recorded steps measured"
    quarantined = [result for result in results if result.quarantined]
    if quarantined:
        rate += f"; {len(quarantined)} of {tally.n} are missing, in quarantine"
    lines = [f"{suite} ({world} world), agent {agent}: {rate}"]
    if flags := flag_counts(results):
        as_failed = "" if flagged else ", counted as failed"
        lines.append(f"  flagged: {counted(flags)}{as_failed}; see docs/integrity.md")
    if spared := untested(results):
        lines.append(f"  not tested: {spared} passed (--webbench-test-passes never)")
    if tally.unscored:
        reasons = counted(dict(sorted(tally.unscored.items())))
        low, high = tally.bounds
        lines.append(
            f"  unscored: {reasons}; "
            f"the rate lies between {low:.1%} and {high:.1%} whatever they were"
        )
    for result in quarantined:
        lines.append(f"  {result.plan.task}: {result.plan.quarantined}")
    return lines + _slowest(results) + _waits(results)


def _waits(results: Iterable[ItemResult]) -> list[str]:
    """How long attempts have waited for their turn; nothing below a second."""
    waited = [entry.waited for result in results for entry in result.attempts]
    if sum(waited) < 1:
        return []
    total, longest = sum(waited), max(waited)
    return [f"  waited for their turn: {total:.1f} s in all, {longest:.1f} s at most; not counted"]


def _slowest(results: list[ItemResult]) -> list[str]:
    shown = []
    for result in sorted(results, key=lambda result: -result.entry.seconds)[:_MOST_SLOWEST]:
        if result.entry.seconds:
            shown.append(f"{result.plan.task} {result.entry.seconds:.1f} s")
    return [f"  slowest: {', '.join(shown)}"] if shown else []


def headline(tally: Tally, tasks: Collection[Repeats] = (), *, flagged: int = 0) -> str:
    """``24 of 27 passed, 2 of them flagged = 88.9% (95 % interval 71.9% to 96.1%)``.

    With ``tasks``, repeats of a task are not counted as if they were different tasks.
    """
    if tally.rate is None:
        return f"nothing scored ({tally.n} unscored)"
    rate, (low, high) = tally.rate, tally.interval
    repeated = ""
    if by_task := pass_rate(tasks):
        rate, (low, high) = by_task.value, by_task.interval
    if 0 < len(tasks) < tally.graded:
        repeated = f", {len(tasks)} tasks"
    passed = f"{tally.passed} of {tally.graded} passed"
    if flagged:
        passed += f", {flagged} of them flagged"
    shown = rate_text(passed, tally.rate, rate)
    return f"{shown} (95 % interval {low:.1%} to {high:.1%}{repeated})"
