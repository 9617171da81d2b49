"""What a session over recorded steps tells at its end, and whether that is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from ...errors import WebbenchError
from ...mind2web.figures import coverage
from ...report.mind2web import WORLD, lines, results_of
from ..collect import jobs_of
from ..reporting import current_run
from .collect import StepJob, choice_of
from .options import step_settings


def account_lines(config: pytest.Config) -> Iterator[str]:
    """The account of every agent's steps, for the terminal; nothing if this run has no recorded steps."""
    run = current_run(config)
    for agent, results in results_of(run, run.planned()).items():
        yield f"recorded steps, {agent}:"
        yield from lines(results)


def coverage_problem(config: pytest.Config) -> str | None:
    """What speaks against this session by ``--m2w-min-coverage``; None if nothing does."""
    least = step_settings(config).min_coverage
    assert least is not None
    run = current_run(config)
    planned = run.planned_last()
    measured = [result for results in results_of(run, planned).values() for result in results]
    if len(measured) < len(planned):
        return f"coverage cannot be told: {len(planned) - len(measured)} of {len(planned)} steps have no result"
    figure = coverage(measured, lambda result: result.cover.covered)
    if figure is None:
        return "coverage cannot be told: no step has a target"
    low, high = figure.interval
    if low < least:
        return (
            f"coverage is {figure.value:.1%} of {figure.n} steps, 95 % interval {low:.1%} to {high:.1%}: "
            f"below --m2w-min-coverage {least:.1%} at its lower end"
        )
    return None


def gate(session: pytest.Session) -> None:
    """Let ``--m2w-min-coverage`` alone decide on the session's exit status, and say why."""
    if session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return
    problem = coverage_problem(session.config)
    session.exitstatus = pytest.ExitCode.TESTS_FAILED if problem else pytest.ExitCode.OK
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(problem or "coverage is high enough for --m2w-min-coverage", red=bool(problem))


def dump_fixture(session: pytest.Session) -> None:
    """Write the steps that are going to be measured, if that is asked for; once, whatever the number of workers."""
    config = session.config
    path = step_settings(config).dump_fixture
    worker = getattr(config, "workerinput", {"workerid": "gw0"})["workerid"]
    jobs = [cast(StepJob, job) for _, job in jobs_of(session.items) if job.world.startswith(WORLD)]
    if path is None or not jobs or worker != "gw0":
        return
    try:
        jobs[0].steps.copy_to(path, {job.entry.name for job in jobs})
    except OSError as error:
        raise pytest.UsageError(f"--m2w-dump-fixture: {path} cannot be written: {error}") from error


def fetch(config: pytest.Config, folder: Path) -> None:
    """Download or unpack the steps once, before workers are started that would all wait for it."""
    try:
        with _status() as tell:
            choice_of(step_settings(config), folder, tell).steps()
    except WebbenchError as error:
        raise pytest.UsageError(str(error)) from error


@contextmanager
def _status() -> Iterator[Callable[[int, int], None]]:
    """How far a download is, on a terminal; nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("fetching recorded steps") as status:
        yield lambda tasks, size: status.update(f"fetching recorded steps: {tasks} tasks, {size / 1e6:.1f} MB")
