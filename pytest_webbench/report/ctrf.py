"""CTRF (Common Test Report Format, https://ctrf.io) from the ledger: one test per planned item."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, Final

from .._text import harmless
from ..run import LedgerEntry
from .results import NOT_RUN, QUARANTINED, ItemResult, RunResults, outcome_text

SPEC_VERSION: Final = "0.0.0"
# Ids are made from an item's key within this namespace: the same item has the same id in every run.
_NAMES: Final = uuid.UUID("8f9c1d5e-7c5b-4f0e-9f5d-6a1f0c8b7e21")
# Unscored is neither: the agent may have done it or not.
_STATUS: Final = {"passed": "passed", "failed": "failed", "unscored": "other"}
_LEFT_OUT: Final = {NOT_RUN: "pending", QUARANTINED: "skipped"}
_STATUSES: Final = ("passed", "failed", "skipped", "pending", "other")


def document(run: RunResults, version: str) -> dict[str, Any]:
    """A whole CTRF file. It says nothing of when it was made: a ledger gives the same bytes."""
    tests = list(map(_test, run.results))
    return {
        "reportFormat": "CTRF",
        "specVersion": SPEC_VERSION,
        "generatedBy": "pytest-webbench",
        "results": {
            "tool": {"name": "pytest-webbench", "version": version},
            "summary": _summary(run, tests),
            "tests": tests,
            "extra": {"run": run.tag},
        },
    }


def _summary(run: RunResults, tests: list[dict[str, Any]]) -> dict[str, int]:
    counts = Counter(map(itemgetter("status"), tests))
    times: list[int] = []
    for result in run.results:
        for entry in result.attempts:
            times += _times(entry).values()
    return {
        "tests": len(tests),
        **{status: counts[status] for status in _STATUSES},
        "flaky": sum(map(itemgetter("flaky"), tests)),
        "suites": len({result.plan.suite for result in run.results}),
        "start": min(times, default=0),
        "stop": max(times, default=0),
    }


def _test(result: ItemResult) -> dict[str, Any]:
    plan, entry, earlier = result.plan, result.entry, result.earlier
    test = {
        "id": str(uuid.uuid5(_NAMES, "\0".join(map(str, plan.key.as_list())))),
        "name": plan.nodeid.rpartition("::")[2] or plan.task,
        "suite": [plan.suite, plan.agent],
        "filePath": plan.nodeid.partition("::")[0],
        "status": _LEFT_OUT.get(result.reason) or _STATUS[entry.outcome],
        "rawStatus": outcome_text(entry),
        "duration": _milliseconds(entry),
        **_times(entry),
        **_message(entry),
        "tags": list(plan.tags),
        "retries": len(earlier),
        "flaky": result.passed and any(one.outcome != "passed" for one in earlier),
        "extra": _extra(result),
    }
    if entry.worker:
        test["threadId"] = entry.worker
    if earlier:
        test["retryAttempts"] = list(map(_retry, earlier))
    return test


def _extra(result: ItemResult) -> dict[str, Any]:
    plan, entry = result.plan, result.entry
    extra: dict[str, Any] = {
        "task": plan.task,
        "agent": plan.agent,
        "repeat": plan.repeat,
        "seed": plan.seed,
        "site": plan.site,
        "source": plan.source,
        "world": entry.world,
        "reason": entry.reason,
        "flags": list(map(str, entry.flags)),
        "ending": entry.ending,
        "steps": entry.steps,
        "episode": entry.folder,
    }
    if plan.part_of:
        # The item is a step itself, and takes none.
        del extra["steps"]
        extra["part_of"] = plan.part_of
    return extra


def _retry(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "attempt": max(entry.attempt, 1),
        "status": _STATUS[entry.outcome],
        "duration": _milliseconds(entry),
        **_times(entry),
        **_message(entry),
    }


def _milliseconds(entry: LedgerEntry) -> int:
    return round(entry.seconds * 1000)


def _message(entry: LedgerEntry) -> dict[str, str]:
    return {"message": harmless(entry.detail)} if entry.detail else {}


def _times(entry: LedgerEntry) -> dict[str, int]:
    """Milliseconds since 1970; nothing where the ledger has no time, as with imported results."""
    try:
        start = datetime.fromisoformat(entry.started)
    except ValueError:
        return {}
    stop = start + timedelta(seconds=entry.seconds)
    return {"start": round(start.timestamp() * 1000), "stop": round(stop.timestamp() * 1000)}
