"""CTRF (Common Test Report Format, https://ctrf.io) from the ledger: one test per planned item."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from ..evidence.scrub import scrub
from ..run import LedgerEntry
from .items import Item, RunItems

SPEC_VERSION: Final = "0.0.0"
_NAMES: Final = uuid.UUID("8f9c1d5e-7c5b-4f0e-9f5d-6a1f0c8b7e21")
# Unscored is neither: the agent may have done it or not.
_STATUS: Final = {"passed": "passed", "failed": "failed", "unscored": "other"}


def document(run: RunItems, version: str) -> dict[str, Any]:
    """A whole CTRF file. It holds no time of its own making, so the same ledger gives the same bytes."""
    tests = [_test(item) for item in run.items]
    counts = Counter(test["status"] for test in tests)
    times = [time for item in run.items for entry in item.attempts for time in _times(entry).values()]
    return {
        "reportFormat": "CTRF",
        "specVersion": SPEC_VERSION,
        "generatedBy": "pytest-webbench",
        "results": {
            "tool": {"name": "pytest-webbench", "version": version},
            "summary": {
                "tests": len(tests),
                **{status: counts[status] for status in ("passed", "failed", "skipped", "pending", "other")},
                "flaky": sum(test["flaky"] for test in tests),
                "suites": len({item.plan.suite for item in run.items}),
                "start": min(times, default=0),
                "stop": max(times, default=0),
            },
            "tests": tests,
            "extra": {"run": run.tag},
        },
    }


def _test(item: Item) -> dict[str, Any]:
    plan, result = item.plan, item.result
    earlier = [entry for entry in item.attempts if entry != result]
    return {
        "id": str(uuid.uuid5(_NAMES, "\0".join(map(str, plan.key)))),
        "name": plan.nodeid.rpartition("::")[2] or plan.task,
        "suite": [plan.suite, plan.agent],
        "filePath": plan.nodeid.partition("::")[0],
        "status": _STATUS[result.outcome] if result.attempt else "pending",
        "rawStatus": f"{result.outcome}: {result.reason}" if result.reason else result.outcome,
        "duration": round(result.seconds * 1000),
        **_times(result),
        **_message(result),
        **({"threadId": result.worker} if result.worker else {}),
        "tags": list(plan.tags),
        "retries": len(earlier),
        "flaky": result.outcome == "passed" and any(entry.outcome != "passed" for entry in earlier),
        **({"retryAttempts": _attempts(earlier)} if earlier else {}),
        "extra": {
            "task": plan.task, "agent": plan.agent, "repeat": plan.repeat, "site": plan.site, "source": plan.source,
            "world": result.world, "reason": result.reason, "ending": result.ending, "steps": result.steps,
            "episode": result.folder,
        },
    }  # fmt: skip


def _attempts(entries: Sequence[LedgerEntry]) -> list[dict[str, Any]]:
    return [
        {
            "attempt": max(entry.attempt, 1),
            "status": _STATUS[entry.outcome],
            "duration": round(entry.seconds * 1000),
            **_times(entry),
            **_message(entry),
        }
        for entry in entries
    ]


def _message(entry: LedgerEntry) -> dict[str, str]:
    return {"message": scrub(entry.detail)} if entry.detail else {}


def _times(entry: LedgerEntry) -> dict[str, int]:
    """Milliseconds since 1970; nothing where the ledger has no time, as with imported results."""
    try:
        start = datetime.fromisoformat(entry.started)
    except ValueError:
        return {}
    stop = start + timedelta(seconds=entry.seconds)
    return {"start": round(start.timestamp() * 1000), "stop": round(stop.timestamp() * 1000)}
