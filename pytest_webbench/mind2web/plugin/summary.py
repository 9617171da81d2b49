"""What a session over recorded steps reports at its end, and whether that is enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console

from ...agents.config import agent_label
from ...plugin.items import work_items
from ...plugin.session import session_of
from ...run import PlannedItem, RunDir
from ..figures import coverage
from ..loading import load_steps
from ..selection import Selection
from ..tables import lines, results_of
from .options import STEPS_FILE
from .step_job import PERCEPTION, StepJob


class Verdict(NamedTuple):
    """What ``--m2w-min-coverage`` says of a session."""

    reached: bool
    text: str


def measured_run(config: pytest.Config) -> RunDir | None:
    """The run of this session; None if it has met no benchmark."""
    session = session_of(config)
    if session is None:
        return None
    return session.run


def summary_lines(config: pytest.Config, run: RunDir) -> Iterator[str]:
    """The summary of every agent's steps; nothing if this run has no recorded steps."""
    planned = run.planned()
    for agent, results in results_of(run, planned).items():
        remark = ""
        if agent == PERCEPTION:
            remark = _why_coverage_only(_undecided(config, planned))
        yield f"recorded steps, {agent}{remark}:"
        yield from lines(results)


def _undecided(config: pytest.Config, planned: Sequence[PlannedItem]) -> list[str]:
    """The agents chosen that were not asked about recorded steps."""
    session = session_of(config)
    assert session is not None, "only a session with benchmarks has a summary"
    suites = {item.suite for item in planned if item.agent == PERCEPTION}
    asked = {item.agent for item in planned if item.suite in suites}
    chosen = [agent_label(spec) for spec in session.settings.agent]
    return [label for label in chosen if label not in asked]


def _why_coverage_only(agents: Sequence[str]) -> str:
    if not agents:
        return ""
    cannot = "cannot decide single steps"
    return f" (coverage only, each step once: {', '.join(agents)} {cannot})"


def coverage_verdict(run: RunDir, least: float) -> Verdict:
    """Whether the last session of ``run`` reaches ``least``, from 0 to 1."""
    planned = run.planned_last()
    by_agent = results_of(run, planned)
    measured = [result for results in by_agent.values() for result in results]
    if len(measured) < len(planned):
        missing = len(planned) - len(measured)
        text = f"coverage is unknown: {missing} of {len(planned)} steps have no result"
        return Verdict(False, text)
    figure = coverage(measured, lambda result: result.cover.covered)
    if figure is None:
        return Verdict(False, "coverage is unknown: no step has a target")
    low, high = figure.interval
    if low < least:
        text = (
            f"coverage is {figure.value:.1%} of {figure.n} steps, 95 % interval {low:.1%} to "
            f"{high:.1%}: below --m2w-min-coverage {least:.1%} at its lower end"
        )
        return Verdict(False, text)
    return Verdict(True, "coverage is high enough for --m2w-min-coverage")


def dump_steps(path: Path, items: Iterable[pytest.Item]) -> None:
    """Write the steps that are going to be measured; `pytest.UsageError` if that is impossible."""
    jobs = [work for _item, work in work_items(items) if isinstance(work, StepJob)]
    if not jobs:
        return
    try:
        jobs[0].steps.copy_to(path, {job.entry.name for job in jobs})
    except OSError as error:
        raise pytest.UsageError(f"--m2w-dump-fixture: {path} cannot be written: {error}") from error


def fetch_steps(selection: Selection, folder: Path) -> None:
    """Download or unpack the steps of a suite, showing progress if this is a terminal."""
    with Console(stderr=True).status("fetching recorded steps") as status:

        def show(tasks: int, size: int) -> None:
            status.update(f"fetching recorded steps: {tasks} tasks, {size / 1e6:.1f} MB")

        load_steps(selection, folder / STEPS_FILE, on_progress=show)
