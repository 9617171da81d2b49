"""Speed of judging stored episodes, by size of the evidence, and of `webbench judge`.

python -m tests.benchmarks.judging [processes]
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from pytest_webbench.evidence.models import Evidence
from pytest_webbench.judge import Outcome, judge
from pytest_webbench.run import LedgerEntry, RunDir
from pytest_webbench.run.ledger import append
from pytest_webbench.run.rejudge import Means, PageArchive, choose, rejudge_run
from pytest_webbench.task import Task
from pytest_webbench.task.folder import read_folder
from tests.benchmarks.measure import in_turn, table

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "counterexamples"
SIZES = {"10 KB": 10_000, "200 KB": 200_000, "2 MB": 2_000_000}
EPISODES = 10_000


class Case(NamedTuple):
    task: Task
    evidence: Evidence


def cases(size: int) -> list[Case]:
    """A passing episode of every task of Suite C, its page's text filled up to some size of
    ``evidence.json``.
    """
    tasks = read_folder(ROOT / "suites" / "suite_c").tasks
    return [
        Case(
            tasks[file.stem],
            filled(Evidence.model_validate(json.loads(file.read_bytes())["evidence"]), size),
        )
        for file in sorted(GOLDEN.glob("*.json"))
    ]


def filled(evidence: Evidence, size: int) -> Evidence:
    assert evidence.page is not None
    missing = max(0, size - len(evidence.to_json())) // 2
    text = ("Results 1 to 10 of 1,234 for „lamps“, sorted by price. " * (missing // 50 + 1))[
        :missing
    ]
    page = evidence.page.model_copy(
        update={
            "text": evidence.page.text + text,
            "visible_text": evidence.page.visible_text + text,
        }
    )
    return evidence.model_copy(update={"page": page})


def by_size() -> Iterator[list[str]]:
    for name, size in SIZES.items():
        chosen = cases(size)
        stored = [(case.task, case.evidence.to_json()) for case in chosen]

        def parsed(stored: list[tuple[Task, str]] = stored) -> None:
            for task, text in stored:
                judge(task, Evidence.model_validate_json(text)).to_json()

        def alone(chosen: list[Case] = chosen) -> None:
            for case in chosen:
                judge(case.task, case.evidence)

        times = in_turn({"parsed": parsed, "alone": alone}, rounds=7)
        rates = (f"{len(chosen) / times[way].median:,.0f}/s" for way in ("alone", "parsed"))
        yield [name, *rates]


def fill_run(run: RunDir, chosen: list[Case], *, judged: bool) -> None:
    """A run of many episodes, each agent one of every task."""
    run.plan([], {})
    lines = []
    ready = [
        (
            case,
            case.task.model_dump_json(indent=1) + "\n",
            case.evidence.to_json(),
            judge(case.task, case.evidence),
        )
        for case in chosen
    ]
    for number in range(EPISODES):
        case, task, evidence, verdict = ready[number % len(ready)]
        entry = LedgerEntry(
            suite="suite_c",
            task=case.task.id,
            agent=f"agent{number // len(ready)}",
            world="replica",
            outcome="passed" if judged else "failed",
            folder=f"episodes/agent{number // len(ready)}/{case.task.id}",
            task_digest=verdict.task_digest,
            evidence_digest=verdict.evidence_digest,
            judge_version=verdict.judge_version if judged else 0,
        )
        folder = run.folder(entry.key)
        folder.mkdir(parents=True)
        (folder / "task.json").write_text(task)
        (folder / "evidence.json").write_text(evidence)
        (folder / "verdict.json").write_text(
            verdict.model_copy(
                update={} if judged else {"outcome": Outcome.FAILED, "judge_version": 0}
            ).to_json()
        )
        lines.append(entry)
    (run.path / "ledger").mkdir()
    append(run.path / "ledger" / "main.jsonl", *lines)


def cpu() -> float:
    """Processor time of this process and of those that have ended: on a busy machine it says more
    than the clock.
    """
    return sum(os.times()[:4])


def _no_archive() -> AbstractContextManager[PageArchive]:
    raise AssertionError("nothing new is asked")


def whole_runs(workers: int) -> Iterator[list[str]]:
    for name, judged in (("nothing changed", True), ("every outcome flips", False)):
        with tempfile.TemporaryDirectory() as folder:
            run = RunDir(Path(folder) / "run")
            fill_run(run, cases(10_000), judged=judged)
            begin, busy = time.perf_counter(), cpu()
            work = choose(run, only=(), suite=None, tasks={})
            results = rejudge_run(run, work, Means("run", workers, _no_archive, lambda _: None))
            seconds, busy = time.perf_counter() - begin, cpu() - busy
            assert sum(result.flipped for result in results) == (0 if judged else EPISODES)
            yield [
                f"{EPISODES:,} episodes of 10 KB, {name}",
                f"{seconds:.1f} s",
                f"{EPISODES / seconds:,.0f}/s",
                f"{busy:.1f} s",
            ]


def main(workers: int = 2) -> str:
    sizes = table(
        ["evidence", "judged", "read from its file's text, judged, written as text"],
        list(by_size()),
    )
    runs = table(
        [f"`webbench judge -n {workers}`", "time", "rate", "processor time"],
        list(whole_runs(workers)),
    )
    return f"{sizes}\n\n{runs}"


if __name__ == "__main__":
    print(main())
