"""All runs in a folder, in a line or two each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..errors import WebbenchError
from ..run import RunDir
from ..run.conditions import counts
from ..run.lock import RunLock
from ..stats import Tally
from .items import Item, RunItems, items_of
from .tables import Table, percent


class State(StrEnum):
    """How far a run is."""

    COMPLETE = "complete"
    RESUMABLE = "resumable"
    RUNNING = "running"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run; ``problem`` says why it cannot be read, if it cannot."""

    tag: str
    state: State
    started: str = ""
    shard: str = ""
    agents: tuple[tuple[str, int, Tally], ...] = ()
    problem: str = ""


def list_runs(folder: Path) -> list[ListedRun]:
    """Oldest first, and those that have not begun before them; what a killed merge has left is none."""
    found = [_look(path.parent) for path in folder.glob("*/run.json") if path.parent.suffix != ".partial"]
    return sorted(found, key=lambda run: (run.started, run.tag))


def _look(path: Path) -> ListedRun:
    try:
        run = items_of(RunDir(path))
    except WebbenchError as error:
        return ListedRun(path.name, State.UNREADABLE, problem=str(error).splitlines()[0])
    shard = run.facts.get("shard")
    return ListedRun(
        path.name,
        _state(path, run.items),
        min((entry.started for item in run.items for entry in item.attempts if entry.started), default=""),
        f"{shard['index']}/{shard['count']}" if isinstance(shard, dict) else "",
        tuple(_agents(run)),
    )


def _state(path: Path, items: Sequence[Item]) -> State:
    if RunLock(path, "", 0).holder() is not None:
        return State.RUNNING
    return State.COMPLETE if all(item.result.attempt and counts(item.result) for item in items) else State.RESUMABLE


def _agents(run: RunItems) -> Iterable[tuple[str, int, Tally]]:
    for agent in run.agents:
        items = [item for item in run.items if item.plan.agent == agent]
        yield agent, len(items), Tally.of(item.outcome for item in items)


def listing_table(runs: Sequence[ListedRun]) -> Table:
    """One line per run and agent."""
    head = ("run", "began (UTC)", "state", "agent", "items", "passed of graded", "rate")
    rows: list[tuple[str, ...]] = []
    for run in runs:
        state = f"{run.state}, shard {run.shard}" if run.shard else str(run.state)
        name = (run.tag, run.started[:16].replace("T", " "), state)
        rows += [
            (*name, agent, str(count), f"{tally.passed} of {tally.graded}", percent(tally.rate))
            for agent, count, tally in run.agents
        ] or [(*name, run.problem, "", "", "")]
    return Table("Runs", head, tuple(rows), names=1)


def listing_data(runs: Sequence[ListedRun]) -> list[dict[str, Any]]:
    """The same as JSON."""
    return [
        {
            "tag": run.tag, "state": run.state.value, "started": run.started, "shard": run.shard,
            "problem": run.problem,
            "agents": [
                {
                    "agent": agent, "items": count, "passed": tally.passed, "failed": tally.failed,
                    "unscored": dict(sorted(tally.unscored.items())), "rate": tally.rate,
                }
                for agent, count, tally in run.agents
            ],
        }
        for run in runs
    ]  # fmt: skip
