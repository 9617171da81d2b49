"""The report of 10,000 episodes: time and memory to build it, time to show it.

python -m tests.benchmarks.report [folder to keep the run in]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pytest_webbench.evidence.models import Evidence
from pytest_webbench.judge import Outcome, Verdict, judge
from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from pytest_webbench.run.ledger import append
from pytest_webbench.task import Task
from tests.benchmarks.judging import cases
from tests.benchmarks.measure import table

TASKS, AGENTS, REPEATS = 1_000, 5, 2
EPISODES = TASKS * AGENTS * REPEATS
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_ARCHIVE = """From: <Saved by Blink>
Content-Type: multipart/related; type="text/html"; boundary="--b"

----b
Content-Type: text/html
Content-Location: {url}

<!DOCTYPE html><html><head><link rel="stylesheet" href="{url}site.css"></head>
<body><main>{body}</main></body></html>

----b
Content-Type: text/css
Content-Location: {url}site.css

main {{ max-width: 60em; }}

----b--
"""
_BODY = (
    '<article><h2>One of many results</h2><p class="meta">Text of a result, '
    '<a href="/x">a link</a>.</p></article>\n'
)


def fill_run(run: RunDir) -> None:
    """1,000 tasks, 5 agents, 2 repeats: evidence and archive of 10 KB each, outcomes of all kinds,
    no pictures.
    """
    ready = [(case.task, case.evidence) for case in cases(10_000)]
    planned, entries = [], []
    for number in range(EPISODES):
        task_number, turn = divmod(number, AGENTS * REPEATS)
        original, evidence = ready[task_number % len(ready)]
        task = original.model_copy(update={"id": f"{original.id}-{task_number}"})
        item = PlannedItem(
            suite="big",
            task=task.id,
            agent=f"agent-{turn // REPEATS}",
            repeat=turn % REPEATS + 1,
            nodeid="",
            site=task.site,
            tags=tuple(task.tags),
        )
        outcome = ("passed", "failed", "passed", "failed", "unscored", "failed", "passed")[
            (number * 7919) % 97 % 7
        ]
        verdict = _verdict(task, evidence, outcome)
        write_episode(run.folder(item.key), task, evidence, verdict)
        planned.append(item)
        entries.append(_entry(item, verdict, number, len(evidence.actions)))
    run.plan(planned, {"options": {"repeats": REPEATS}, "environment": {"platform": "synthetic"}})
    (run.path / "ledger").mkdir()
    append(run.path / "ledger" / "main.jsonl", *entries)


def _verdict(task: Task, evidence: Evidence, outcome: str) -> Verdict:
    reason = "infra" if outcome == "unscored" else ""
    return judge(task, evidence).model_copy(update={"outcome": Outcome(outcome), "reason": reason})


def _entry(item: PlannedItem, verdict: Verdict, number: int, steps: int) -> LedgerEntry:
    worker, turn = number % 8, number // 8
    return LedgerEntry(
        **item.key._asdict(),
        world="replica",
        outcome=verdict.outcome.value,
        reason=verdict.reason,
        ending=verdict.ending.value,
        steps=steps + number % 5,
        seconds=9.0 + number % 7,
        agent_seconds=7.0 + number % 6,
        started=(_BEGIN + timedelta(seconds=turn * 16)).isoformat(),
        worker=f"gw{worker}",
        folder=f"episodes/{item.key.folder()}",
        task_digest=verdict.task_digest,
        evidence_digest=verdict.evidence_digest,
        judge_version=verdict.judge_version,
    )


def write_episode(folder: Path, task: Task, evidence: Evidence, verdict: Verdict) -> None:
    folder.mkdir(parents=True)
    (folder / "task.json").write_text(task.model_dump_json(indent=1))
    (folder / "evidence.json").write_text(evidence.to_json())
    (folder / "verdict.json").write_text(verdict.to_json())
    (folder / "final.mhtml").write_text(_ARCHIVE.format(url=task.start_url, body=_BODY * 80))


def build(run: Path) -> Iterator[list[str]]:
    """In a process of its own, so that its peak of memory is its own."""
    program = (
        "import resource, sys, time; from pathlib import Path\n"
        "from pytest_webbench.run import RunDir; from pytest_webbench.report.html import "
        "write_report\n"
        "begin = time.perf_counter(); write_report(RunDir(Path(sys.argv[1])))\n"
        "print(time.perf_counter() - begin, time.process_time(), "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(run)], check=True, capture_output=True, text=True
    )
    seconds, busy, peak = (float(word) for word in done.stdout.split())
    size = sum(path.stat().st_size for path in (run / "report").rglob("*") if path.is_file())
    yield ["writing it", f"{seconds:.1f} s", "30 s"]
    yield ["processor time of that", f"{busy:.1f} s", ""]
    yield ["peak of memory", f"{peak / 1024:.0f} MB", "300 MB"]
    yield ["size on disk", f"{size / 1e6:.0f} MB", ""]


_PAINTED = """() => new Promise(done => {
    const seen = () => document.querySelector('main h1')
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
        : setTimeout(seen, 2);
    seen();
})"""
_DRAWN = (
    "async () => { const begin = performance.now(); %s; await new Promise(done => "
    "requestAnimationFrame(() => "
    "setTimeout(done))); return performance.now() - begin; }"
)


def show(index: Path) -> Iterator[list[str]]:
    from playwright.sync_api import sync_playwright

    from pytest_webbench.browser.find import find_browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser().path)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for name, place in (("overview", "#/"), ("tasks", "#/tasks"), ("charts", "#/charts")):
            times = []
            for _ in range(5):
                page.goto("about:blank")
                page.goto(f"{index.as_uri()}{place}")
                times.append(page.evaluate(_PAINTED))
            yield [f"from opening to {name} shown", f"{sorted(times)[2]:.0f} ms", ""]
        page.goto("about:blank")
        page.goto(f"{index.as_uri()}#/tasks")
        page.evaluate(_PAINTED)
        scroll = page.evaluate(_DRAWN % "document.querySelector('.grid').scrollTop = 20000")
        yield ["scrolling far down in the tasks", f"{scroll:.0f} ms", ""]
        find = page.evaluate(
            _DRAWN % "const field = document.getElementById('search'); field.value = 'redis'; "
            "field.dispatchEvent(new Event('input', {bubbles: true}))"
        )
        yield ["searching", f"{find:.0f} ms", ""]
        yield [
            "heap of the page",
            f"{page.evaluate('performance.memory.usedJSHeapSize') / 1e6:.0f} MB",
            "",
        ]
        browser.close()


def main(folder: str | None = None) -> str:
    with tempfile.TemporaryDirectory() as temporary:
        run = RunDir(Path(folder or temporary) / "big")
        if not run.exists():
            fill_run(run)
        rows = [*build(run.path), *show(run.path / "report" / "index.html")]
    return table([f"report of {EPISODES:,} episodes", "measured", "aim"], rows)


if __name__ == "__main__":
    print(main(*sys.argv[1:2]))
