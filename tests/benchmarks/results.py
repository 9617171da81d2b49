"""Wall and processor time of summary and compare for 10,000 episodes, with start-up."""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pytest_webbench.run import LedgerEntry, PlannedItem, RunDir
from tests.benchmarks.measure import in_turn, table

TASKS, AGENTS, REPEATS = 1_000, ("a", "b"), 5


def make_run(folder: Path) -> None:
    """1,000 tasks on 100 sites, 2 agents, 5 attempts each; 3 in 100 are unscored."""
    chance = random.Random(1)
    planned, entries = [], []
    for number in range(TASKS):
        for agent in AGENTS:
            hardness = chance.betavariate(0.5, 0.5)
            for repeat in range(1, REPEATS + 1):
                common = {
                    "suite": "large",
                    "task": f"task-{number:04}",
                    "agent": agent,
                    "repeat": repeat,
                }
                planned.append(
                    PlannedItem.model_validate(
                        {
                            **common,
                            "nodeid": f"{number}.yaml::{number}",
                            "site": f"site{number % 100}.test",
                            "tags": (f"tag{number % 7}",),
                            "source": f"source{number % 3}",
                        }
                    )
                )
                outcome = (
                    "unscored"
                    if chance.random() < 0.03
                    else "passed"
                    if chance.random() < hardness
                    else "failed"
                )
                entries.append(
                    LedgerEntry.model_validate(
                        {
                            **common,
                            "world": "replica",
                            "outcome": outcome,
                            "reason": "infra" * (outcome == "unscored"),
                            "detail": "an expected price of 12 was found to be 13\n"
                            * (outcome == "failed"),
                            "ending": "done",
                            "steps": chance.randint(1, 30),
                            "seconds": chance.expovariate(0.02),
                            "model_calls": 9,
                            "input_tokens": 20_000,
                            "output_tokens": 900,
                            "cost": 0.02,
                            "started": f"2026-01-01T00:00:{number % 60:02}.{repeat:06}Z",
                            "worker": f"gw{number % 2}",
                            "task_digest": f"{number:064}",
                            "evidence_digest": f"{number:064}",
                            "judge_version": 1,
                        }
                    )
                )
    run = RunDir(folder)
    run.plan(planned, {})
    for worker in ("gw0", "gw1"):
        run.record_all([entry for entry in entries if entry.worker == worker], worker)


def webbench(folder: Path, *arguments: str) -> None:
    code = "from pytest_webbench.cli import main; main()"
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    environment["PYTHONPYCACHEPREFIX"] = str(
        Path(tempfile.gettempdir()) / "webbench-benchmark-pycache"
    )
    command = [sys.executable, "-c", code, *arguments]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)


def main() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_run(folder / "runs" / "large")
        commands = {
            "webbench --help": ("--help",),
            "webbench summary": ("summary", "large"),
            "webbench summary --by site": ("summary", "large", "--by", "site"),
            "webbench summary --by task --json": ("summary", "large", "--by", "task", "--json"),
            "webbench compare": ("compare", "large"),
        }
        ways = {
            name: lambda arguments=arguments: webbench(folder, *arguments)
            for name, arguments in commands.items()
        }
        samples = in_turn(ways, rounds=5, warm_up=1)
        rows = [
            [f"`{name}`", str(samples[name]), f"{processor_time(way):.2f} s"]
            for name, way in ways.items()
        ]
    return table(["10,000 episodes", "wall time: median (range)", "processor time"], rows)


def processor_time(way: Callable[[], None], rounds: int = 5) -> float:
    """Median of what the processes that ``way`` starts use."""
    seconds = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        way()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


if __name__ == "__main__":
    print(main())
