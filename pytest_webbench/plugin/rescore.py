"""``--webbench-rescore TAG``: items report the stored episodes of a run, judged again; no agent runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from ..agents.config import agent_label
from ..checks import Probe
from ..errors import StoreError
from ..evidence.models import Read
from ..judge.proofs import proof_called
from ..run import LedgerEntry, PlannedItem
from ..run.ledger import latest
from ..run.rejudge import Rejudged, rejudge, stored_episodes
from .collect import JOB_KEY, Job
from .options import given, worker_name
from .reporting import current_run

_PLANNED_KEY: Final = pytest.StashKey[dict[tuple[str, str], list[PlannedItem]]]()
_FLIP: Final = "webbench_flip"


def stored_jobs(config: pytest.Config, jobs: Sequence[Job]) -> Iterator[Job]:
    """What the run holds of these jobs' tasks; of a task without anything, one job that will say so."""
    if _PLANNED_KEY not in config.stash:
        planned: dict[tuple[str, str], list[PlannedItem]] = {}
        for item in current_run(config).planned():
            planned.setdefault((item.suite, item.task), []).append(item)
        config.stash[_PLANNED_KEY] = planned
    wanted = {agent_label(agent) for agent in given(config, "agent") or ()}
    for job in {(job.suite.name, job.task.id): job for job in jobs}.values():
        items = config.stash[_PLANNED_KEY].get((job.suite.name, job.task.id), [])
        chosen = [item for item in items if not wanted or item.agent in wanted]
        for item in chosen:
            yield replace(job, agent=item.agent, repeat=item.repeat, proof=proof_called(job.task, item.agent))
        if not chosen:
            yield replace(job, proof=None)


def rescored(request: pytest.FixtureRequest) -> LedgerEntry:
    """The ledger's line about this item as it is judged now; `StoreError` if there is nothing to judge."""
    config, job = request.config, request.node.stash[JOB_KEY]
    run = current_run(config)
    attempts = run.attempts_at(job.key)
    if not attempts:
        raise StoreError(
            f"run {run.path.name} holds no episode of {job.task.id} by {job.key.agent}: "
            f"run it with --webbench-run {run.path.name}"
        )
    (stored,) = stored_episodes(run, [latest(attempts)[job.key]])
    shown = Path(os.path.relpath(run.path, config.invocation_params.dir)).as_posix()
    task = job.task.model_dump_json(indent=1) + "\n"
    result = rejudge(stored._replace(task=task), shown, _ArchiveOfSession(request))
    if result.problem and result.entry.outcome != "unscored":
        raise StoreError(f"{job.task.id} cannot be judged again: {result.problem}")
    if result.changed:
        run.record(result.entry, worker_name(config))
    if result.flipped:
        request.node.user_properties.append((_FLIP, _flip_text(result)))
    return result.entry


def _flip_text(result: Rejudged) -> str:
    return f"{result.before} -> {result.after}: {'; '.join(result.reasons)}"


def flips(reporter: Any) -> list[str]:
    """Every item of this session whose outcome is another than before, with the reasons."""
    found = {
        report.nodeid: text
        for reports in reporter.stats.values()
        for report in reports
        for name, text in getattr(report, "user_properties", ())
        if name == _FLIP
    }
    return [f"{nodeid.rpartition('::')[2]}: {text}" for nodeid, text in sorted(found.items())]


class _ArchiveOfSession:
    """Opens the session's offline browser when the first archived page is needed."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def read(self, path: Path, probes: Sequence[Probe]) -> dict[str, Read]:
        found: dict[str, Read] = self._request.getfixturevalue("webbench_archive").read(path, probes)
        return found
