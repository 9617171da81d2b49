"""A run over recorded steps on disk, with pages in it that try to act."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pytest_webbench.evidence.episode_files import RECORDED_PAGE
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir

from .report_run import HOSTILE

STEP_PAGE: Final = (
    '<meta http-equiv="refresh" content="0;url=https://evil.test/"><base href="https://evil.test/">'
    '<div id="node-2"><p id="node-3">News</p><a id="node-4" href="https://evil.test/">Contact</a>'
    '<button id="node-5" onclick="top.pwned=1;alert(1)">Log in</button>'
    '<img src="https://evil.test/pixel.png" onerror="top.pwned=1;alert(2)">'
    '<iframe src="https://evil.test/"></iframe><script>top.pwned=1;alert(3)</script>'
    f"<p>{HOSTILE}</p></div>"
)


def element(kind: str, node: str, ref: str = "", **facts: Any) -> dict[str, Any]:
    """A marked element."""
    known = {"kind": kind, "node": node, "ref": ref, "role": "link", "name": HOSTILE, "tag": "a"}
    return {**known, "attributes": [["title", HOSTILE]], **facts}


def step(task: str, number: int, role: str, **facts: Any) -> dict[str, Any]:
    """A ``result.json``; covered by default, and nobody was asked."""
    known = {
        "version": 1,
        "task_id": task,
        "step_index": number,
        "num_steps": 3,
        "op": "CLICK",
        "role": role,
        "targets": ["4"],
        "page": {"mode": "dom", "refs": 2},
        "cover": {"kind": "exact", "accepted": ["e1"]},
        "elements": [element("target", "4", "e1")],
    }
    return {**known, **facts}


def make_recorded_run(
    path: Path, steps: list[dict[str, Any]], *, agent: str = "perception"
) -> RunDir:
    """A run of these steps; those with a reason why not have failed."""
    run, plan = RunDir(path), []
    for one in steps:
        item = PlannedItem(
            suite="recorded",
            task=f"{one['task_id']}-{one['step_index']}",
            agent=agent,
            repeat=1,
            nodeid="n",
            site="news.test",
            tags=(one["role"],),
            part_of=one["task_id"],
        )
        plan.append(item)
        folder = run.begin_episode(item.key)
        folder.write("task.json", json.dumps({"goal": "Contact them"}))
        folder.write("result.json", json.dumps(one))
        folder.write(RECORDED_PAGE, STEP_PAGE)
        folder.commit()
        entry = LedgerEntry(
            **item.key._asdict(),
            world="recorded-dom",
            outcome="failed" if one.get("why") else "passed",
            ending="done",
            seconds=0.1,
            started="2026-01-01T00:00:00+00:00",
            task_digest="d",
        )
        run.record(entry, "main")
    run.plan(plan, {})
    return run
