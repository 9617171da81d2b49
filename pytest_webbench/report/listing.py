"""All runs in a folder, in a line or two each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..errors import WebbenchError
from ..run import RunDir
from ..run.ledger import counts
from ..run.lock import RunLock
from ..stats import Tally, pass_rate
from .results import RunResults, read_results, repeats_by_task
from .tables import Table, percent


class RunState(StrEnum):
    """How far a run is."""

    COMPLETE = "complete"
    RESUMABLE = "resumable"
    RUNNING = "running"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class ListedAgent:
    """An agent of a run: how many items were planned for it, their outcomes, and its rate."""

    agent: str
    items: int
    tally: Tally
    rate: float | None


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run; ``started`` is UTC, ISO 8601; ``problem`` says why an unreadable one is."""

    tag: str
    state: RunState
    started: str = ""
    shard: str = ""
    agents: tuple[ListedAgent, ...] = ()
    problem: str = ""


def list_runs(folder: Path) -> list[ListedRun]:
    """Oldest first, and those that have not begun before them."""
    found = []
    for path in folder.glob("*/run.json"):
        # A killed merge leaves a folder of this name.
        if path.parent.suffix != ".partial":
            found.append(_look(path.parent))
    return sorted(found, key=lambda run: (run.started, run.tag))


def _look(path: Path) -> ListedRun:
    # One damaged run must not hide the others.
    try:
        run = read_results(RunDir(path), check=False)
    except WebbenchError as error:
        return ListedRun(path.name, RunState.UNREADABLE, problem=str(error).splitlines()[0])
    shard = run.facts.get("shard")
    shown = ""
    if isinstance(shard, dict):
        shown = f"{shard['index']}/{shard['count']}"
    return ListedRun(path.name, _state(path, run), run.began, shown, tuple(_agents(run)))


def _state(path: Path, run: RunResults) -> RunState:
    if RunLock(path, "", 0).holder() is not None:
        return RunState.RUNNING
    for result in run.results:
        if result.quarantined:
            continue
        if not result.entry.attempt or not counts(result.entry):
            return RunState.RESUMABLE
    return RunState.COMPLETE


def _agents(run: RunResults) -> Iterator[ListedAgent]:
    for agent in run.agents:
        results = run.of_agent(agent)
        tally = Tally.of(result.outcome for result in results)
        rate = pass_rate(repeats_by_task(results).values())
        yield ListedAgent(agent, len(results), tally, rate.value if rate else None)


def listing_table(runs: Sequence[ListedRun]) -> Table:
    """One line per run and agent."""
    head = ("run", "began (UTC)", "state", "agent", "items", "passed of graded", "rate")
    rows: list[tuple[str, ...]] = []
    for run in runs:
        state = str(run.state)
        if run.shard:
            state += f", shard {run.shard}"
        name = (run.tag, run.started[:16].replace("T", " "), state)
        for one in run.agents:
            graded = f"{one.tally.passed} of {one.tally.graded}"
            rows.append((*name, one.agent, str(one.items), graded, percent(one.rate)))
        if not run.agents:
            rows.append((*name, run.problem, "", "", ""))
    return Table("Runs", head, tuple(rows), names=1)


def listing_data(runs: Sequence[ListedRun]) -> list[dict[str, Any]]:
    """The same as JSON."""
    return list(map(_run_data, runs))


def _run_data(run: ListedRun) -> dict[str, Any]:
    return {
        "tag": run.tag,
        "state": run.state.value,
        "started": run.started,
        "shard": run.shard,
        "problem": run.problem,
        "agents": list(map(_agent_data, run.agents)),
    }


def _agent_data(one: ListedAgent) -> dict[str, Any]:
    return {
        "agent": one.agent,
        "items": one.items,
        "passed": one.tally.passed,
        "failed": one.tally.failed,
        "unscored": dict(sorted(one.tally.unscored.items())),
        "rate": one.rate,
    }
