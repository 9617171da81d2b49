"""A small run on disk for tests of the report, with texts in it that try to become scripts."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette

from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    HistoryEntry,
    NetworkRequest,
    ObservedAction,
    PageState,
    Tab,
    TouchedElement,
)
from pytest_webbench.judge import CheckResult, CheckState, Outcome, Verdict
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.task import Task

HOSTILE: Final = (
    "</script><script>window.pwned=1;alert(1)</script>\u2028<img src=x "
    'onerror="window.pwned=1;alert(2)">'
    "<svg onload=alert(3)>'\"`${alert(4)}"
)
SCRIPT_URL: Final = "javascript:window.pwned=1;alert(5)"
SITE: Final = "https://shop.test/"
PAGE: Final = """From: <Saved by Blink>
Content-Type: multipart/related; type="text/html"; boundary="--b"

----b
Content-Type: text/html
Content-Location: https://shop.test/

<!DOCTYPE html><html><head><base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test/">
<script>top.pwned=1;alert(6)</script><link rel="stylesheet" href="https://shop.test/site.css"></head>
<body class="shop" onload="top.pwned=1;alert(7)"><h1>Archived shop</h1><a href="https://evil.test/">Leave</a>
<img src="https://evil.test/pixel.png" onerror="alert(8)"><img src="https://shop.test/dot.png" alt="dot">
<iframe src="https://evil.test/"></iframe><form action="https://evil.test/"><button>Send</button></form></body></html>

----b
Content-Type: text/css
Content-Location: https://shop.test/site.css

h1 { color: rgb(1, 2, 3) } </style><script>top.pwned=1;alert(9)</script>
body { background: url(https://evil.test/back.png) }

----b
Content-Type: image/png
Content-Location: https://shop.test/dot.png
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==

----b--
"""


def task(name: str, goal: str) -> Task:
    return Task.model_validate(
        {
            "id": name,
            "goal": goal,
            "start_url": SITE,
            "answer": "text",
            "reference": f"reference {HOSTILE}",
            "checks": [
                {
                    "name": "the lamp is open",
                    "get": "final_url",
                    "metric": "url_matches",
                    "expected": f"{SITE}lamp",
                },
                {
                    "name": f"answer {HOSTILE}",
                    "get": "agent_answer",
                    "metric": "literal_match",
                    "expected": "42",
                    "requires": ["the lamp is open"],
                },
            ],
        }
    )


def evidence(text: str) -> Evidence:
    step = {
        "target": TouchedElement(role="link", name=text, tag="a", box=(100.0, 50.0, 200.0, 40.0)),
        "url": SITE,
    }
    return Evidence(
        task="t",
        ending=Ending.DONE,
        answer=text,
        page=PageState(url=SCRIPT_URL, title=text, text=text, visible_text=text, status=200),
        tabs=(Tab(url=SCRIPT_URL, title=text), Tab(url=SITE, title=text)),
        history=(
            HistoryEntry(url=SITE, typed=True),
            HistoryEntry(url=SCRIPT_URL),
            HistoryEntry(url=f"data:,{text}"),
        ),
        actions=(
            ObservedAction(number=1, kind="click", url_after=f"{SITE}lamp", seconds=0.4, **step),
            ObservedAction(number=2, kind="type", value=text, seconds=1.2, **step),
        ),
        dialogs=(text,),
        console_errors=(text,),
        outside=(SCRIPT_URL,),
        gaps=(text,),
        requests=(NetworkRequest(method="GET", url=SCRIPT_URL, kind="document", status=200),),
        local_storage={"__proto__": text},
    )


def verdict(one: Task, outcome: str, text: str) -> Verdict:
    holds = outcome == "passed"
    state = CheckState.HOLDS if holds else CheckState.FAILS
    first, second = one.checks
    return Verdict(
        task=one.id,
        task_digest=one.digest(),
        evidence_digest="e",
        outcome=Outcome(outcome),
        ending=Ending.DONE,
        reason="infra" if outcome == "unscored" else "",
        detail=text,
        score=float(holds),
        checks=(
            CheckResult(
                name=first.name,
                metric=first.metric,
                state=state,
                expected=f"{SITE}lamp",
                found=f"{SITE}lamp",
            ),
            CheckResult(
                name=second.name,
                metric=second.metric,
                state=state,
                expected=text,
                found=text,
                why=text,
            ),
        ),
    )


def make_run(
    path: Path,
    outcomes: Sequence[str] = ("passed", "failed", "unscored"),
    agents: Sequence[str] = ("alpha", "beta"),
    *,
    text: str = HOSTILE,
    picture: bytes = b"",
) -> RunDir:
    """A run of one task per outcome; each agent after the first has the outcomes shifted by one."""
    run = RunDir(path)
    plan = []
    for shift, agent in enumerate(agents):
        for number, _ in enumerate(outcomes):
            one = task(f"task-{number}", f"Find lamp {number}. {text}")
            outcome = outcomes[(number + shift) % len(outcomes)]
            item = PlannedItem(
                suite="shop",
                task=one.id,
                agent=agent,
                repeat=1,
                nodeid="n",
                site="shop.test",
                tags=("search",),
            )
            plan.append(item)
            _write_episode(run, item, one, outcome, text, picture)
    run.plan(plan, {"options": {"agents": list(agents), "seed": 0}, "environment": {"note": text}})
    return run


def _write_episode(
    run: RunDir, item: PlannedItem, one: Task, outcome: str, text: str, picture: bytes
) -> None:
    folder = run.begin_episode(item.key)
    folder.write("task.json", one.model_dump_json())
    folder.write("evidence.json", evidence(text).to_json())
    folder.write("verdict.json", verdict(one, outcome, text).to_json())
    folder.write("final.mhtml", PAGE)
    folder.write("agent.jsonl", json.dumps(_journal(text)) + "\n{cut off")
    folder.log(text)
    if picture:
        for number in range(3):
            folder.shot(number, picture, SITE, 1280)
        folder.write("final.jpg", picture)
    folder.commit()
    entry = LedgerEntry(
        **item.key._asdict(),
        world="replica",
        outcome=outcome,
        reason="infra" if outcome == "unscored" else "",
        detail="" if outcome == "passed" else text,
        ending="done",
        steps=2,
        seconds=3.0,
        agent_seconds=1.5,
        started=f"2026-01-01T00:00:0{len(run.attempts())}+00:00",
        worker="gw0",
        task_digest=one.digest(),
        judge_version=1,
    )
    run.record(entry, "main")


def _journal(text: str) -> dict[str, Any]:
    return {
        "kind": "decision",
        "number": 1,
        "label": text,
        "thought": text,
        "probability": 0.75,
        "error": text,
        "candidates": [
            {"label": text, "probability": 0.75},
            {"label": "other", "probability": 0.25},
        ],
        "model": text,
    }


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """The app on a loopback port; its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # so that whoever asks before the server is up waits
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
