"""A small run on disk that judging again does not change, and every command that reads it.

python -m tests.support.stored_run FOLDER... runs every command on the runs in each folder, within
limits of memory, time and file size, and prints what came of it as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from typer.testing import CliRunner

from pytest_webbench.cli import app
from pytest_webbench.errors import WebbenchError
from pytest_webbench.evidence.models import (
    Ending,
    Evidence,
    ObservedAction,
    PageState,
    Read,
    TouchedElement,
)
from pytest_webbench.judge import judge
from pytest_webbench.run import ItemKey, LedgerEntry, PlannedItem, RunDir
from pytest_webbench.run.shards import Shard
from pytest_webbench.task import Task

from .report_run import PAGE as ARCHIVE

SITE: Final = "https://shop.example/"
TASKS: Final = 4
MEMORY: Final = 3_000_000_000
FILE_SIZE: Final = 100_000_000
CPU_SECONDS: Final = 120
_RIGHT: Final = {
    "name": "lamps",
    "get": "page_title",
    "metric": "exact_match",
    "expected": "Lamps",
}


def task(name: str) -> Task:
    return Task.model_validate(
        {"id": name, "goal": "Open the lamps page.", "start_url": SITE, "checks": [_RIGHT]}
    )


def evidence(name: str, title: str = "Lamps") -> Evidence:
    """It passes with the title ``Lamps`` and with no other."""
    touched = TouchedElement(role="link", name="Lamps", box=(1.0, 2.0, 3.0, 4.0))
    return Evidence(
        task=name,
        ending=Ending.DONE,
        page=PageState(url=f"{SITE}lamps", title=title, text="All lamps"),
        actions=(ObservedAction(number=1, kind="click", target=touched, url=SITE, seconds=0.1),),
        reads={"k": Read(value={"a": 1})},
    )


def make_run(path: Path, shard: Shard | None = None) -> RunDir:
    """Tasks t0, t1, ... by the agent ``me``; all but t0 failed."""
    run = RunDir(path)
    keys = [ItemKey("s", f"t{number}", "me", 1) for number in range(TASKS)]
    mine = [key for key in keys if shard is None or shard.holds(key)]
    run.plan(list(map(_planned, mine)), _FACTS, shard=shard, whole=keys)
    for key in mine:
        store(run, key, "Lamps" if key.task == "t0" else "Chairs")
    return run


_FACTS: Final[dict[str, Any]] = {
    "options": {"agents": ["me"], "seed": 0, "max_seconds": 3},
    "environment": {"python": "3.11"},
    "conditions": {"agents": {"me": {"x": 1}}, "suites": {"s": {"max_actions": 1}}},
}


def _planned(key: ItemKey) -> PlannedItem:
    return PlannedItem(**key._asdict(), nodeid="n", site="shop.example", tags=("search",))


def store(run: RunDir, key: ItemKey, title: str) -> LedgerEntry:
    """One episode and its line, as a session writes them."""
    one, seen = task(key.task), evidence(key.task, title)
    verdict = judge(one, seen)
    folder = run.begin_episode(key)
    folder.write("task.json", one.model_dump_json(indent=1) + "\n")
    folder.write_evidence(seen)
    folder.write("verdict.json", verdict.to_json())
    folder.step(seen.actions[0])
    folder.shot(1, b"\xff\xd8", SITE, 100)
    folder.write("final.mhtml", ARCHIVE)
    folder.note(json.dumps({"kind": "decision", "number": 1, "probability": 0.5}))
    place = folder.commit().relative_to(run.path).as_posix()
    entry = LedgerEntry(
        **key._asdict(),
        world="live",
        outcome=verdict.outcome.value,
        detail="" if verdict.outcome.value == "passed" else "not the lamps",
        started=f"2026-01-01T00:00:0{key.task[1:]}",
        folder=place,
        task_digest=verdict.task_digest,
        evidence_digest=verdict.evidence_digest,
        judge_version=verdict.judge_version,
        steps=1,
        seconds=1.5,
        cost=0.1,
        model_calls=1,
        worker="main",
    )
    run.record(entry, "main")
    return entry


def make_runs(folder: Path) -> None:
    """``one`` and ``two``, whole runs, and the shards ``s1`` and ``s2`` of a third."""
    make_run(folder / "one")
    make_run(folder / "two")
    make_run(folder / "s1", Shard(1, 2))
    make_run(folder / "s2", Shard(2, 2))


def commands(folder: Path) -> Iterator[list[str]]:
    """Every command that reads runs, on those of `make_runs`."""
    one, two = str(folder / "one"), str(folder / "two")
    yield ["summary", one, two, "--json"]
    yield ["summary", one, "--by", "task", "--by", "tag"]
    yield ["runs", str(folder)]
    yield ["report", one]
    yield ["report", two, "--compare", one]
    yield ["compare", one, two]
    yield ["calibration", one]
    yield ["plan", "--from", f"{one}:me"]
    yield ["judge", one, "-n", "1"]
    yield ["merge", str(folder / "out"), str(folder / "s1"), str(folder / "s2")]
    yield ["summary", f"file://{folder / 's1'}", "--json"]


def outcomes(folder: Path) -> dict[str, str]:
    """By command: what it printed, or the traceback that it must not end with."""
    found = {}
    for words in commands(folder):
        result = CliRunner().invoke(app, words)
        text = result.output
        if isinstance(result.exception, WebbenchError):
            text = f"error: {result.exception}"
        elif result.exception is not None and not isinstance(result.exception, SystemExit):
            text = "".join(traceback.format_exception(result.exception))
        found[" ".join(words).replace(str(folder), "")] = text
    return found


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    for name in sys.argv[1:]:
        sys.stdout.write(json.dumps({name: outcomes(Path(name))}) + "\n")
        sys.stdout.flush()
