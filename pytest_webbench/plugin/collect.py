"""Task files as collectors, tasks as items."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from .. import __version__
from ..agents.config import agent_label
from ..errors import InfraError, SettingsError, UsageError, WebbenchError
from ..evidence.scrub import scrub
from ..judge.proofs import Proof, proofs_of
from ..run import ItemKey, PlannedItem
from ..task import Suite, Task
from ..task.models import DEFAULT_ACTIONS, DEFAULT_SECONDS, mark_name
from ..task.native import SUITE_FILE, read_suite, read_task
from .agents import check_endpoints, chosen_options
from .guard import REFUSED_KEY, WHOLE_KEY, chosen_shard, conditions, hold_run
from .options import Settings, settings, worker_name
from .reporting import current_run

JOB_KEY: Final = pytest.StashKey["Job"]()
MARKS_KEY: Final = pytest.StashKey[dict[str, pytest.MarkDecorator]]()
SUITES_KEY: Final = pytest.StashKey[dict[Path, Suite]]()
_RIVALS: Final = ("pytest-retry", "pytest_retry", "flaky")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What one item has to do."""

    task: Task
    suite: Suite
    suite_folder: Path
    agent: str
    repeat: int
    world: str
    proof: Proof | None = None

    @property
    def key(self) -> ItemKey:
        """What the ledger calls this item."""
        label = self.proof.label if self.proof is not None else agent_label(self.agent)
        return ItemKey(self.suite.name, self.task.id, label, self.repeat)

    def planned(self, nodeid: str) -> PlannedItem:
        """What the plan says of this item."""
        return PlannedItem(
            suite=self.suite.name, task=self.task.id, agent=self.key.agent, repeat=self.repeat, nodeid=nodeid,
            site=self.task.site, tags=tuple(self.task.tags),
            source=self.task.source.benchmark if self.task.source else "",
        )  # fmt: skip

    def limits(self, chosen: Settings) -> tuple[int, float]:
        """Actions and seconds: command line, else task, else suite, else the defaults."""
        actions = chosen.max_actions or self.task.limits.actions or self.suite.limits.actions or DEFAULT_ACTIONS
        seconds = chosen.max_seconds or self.task.limits.seconds or self.suite.limits.seconds or DEFAULT_SECONDS
        return actions, seconds


def run_task(webbench_result: Any) -> None:
    """What every item calls: the episode has been run and judged in set-up, here the verdict is asserted."""
    webbench_result.assert_passed()


class TaskItem(pytest.Function):
    """One task for one agent."""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Shown in headings: the item's name, not a module path."""
        return self.path, 0, self.name


class Contents(NamedTuple):
    """What a file holds."""

    suite: Suite
    folder: Path
    tasks: tuple[Task, ...]


class TaskFile(pytest.File):
    """A native task file."""

    def contents(self) -> Contents:
        """The file's tasks and their suite; `UsageError` if it cannot be used."""
        folder = self.path.parent.parent
        return Contents(self._suite(folder), folder, (read_task(self.path),))

    def collect(self) -> Iterator[pytest.Item]:
        chosen = settings(self.config)
        try:
            jobs = list(self._jobs(chosen))
            if chosen.rescore:
                from .rescore import stored_jobs

                jobs = list(stored_jobs(self.config, jobs))
        except UsageError as error:
            raise self.CollectError(scrub(str(error))) from error
        for job in jobs:
            yield self._item(job, _item_name(job, chosen))

    def _jobs(self, chosen: Settings) -> Iterator[Job]:
        suite, folder, tasks = self.contents()
        world = chosen.world or suite.worlds[0]
        if world not in suite.worlds:
            raise SettingsError(f"suite {suite.name} has no {world} world; it runs in: {', '.join(suite.worlds)}")
        for task in tasks:
            yield from _jobs_of_task(
                partial(Job, task=task, suite=suite, suite_folder=folder, world=world), task, chosen
            )

    def _suite(self, folder: Path) -> Suite:
        known = self.config.stash.setdefault(SUITES_KEY, {})
        if folder not in known:
            known[folder] = read_suite(folder / SUITE_FILE)
        return known[folder]

    def _item(self, job: Job, name: str) -> pytest.Item:
        item: TaskItem = TaskItem.from_parent(self, name=name, callobj=run_task)
        item.stash[JOB_KEY] = job
        chosen = settings(self.config)
        item.add_marker(pytest.mark.webbench)
        for label in (job.suite.name, job.task.site, *job.task.tags):
            item.add_marker(mark_of(self.config, label))
        if chosen.infra_retries and not self.config.getoption("usepdb", False):
            item.add_marker(
                pytest.mark.flaky(
                    reruns=chosen.infra_retries,
                    only_rerun=[InfraError],
                    reruns_delay=chosen.infra_retry_delay,
                    reruns_delay_backoff_factor=2,
                )
            )
        return item


def _jobs_of_task(common: Callable[..., Job], task: Task, chosen: Settings) -> Iterator[Job]:
    if chosen.validate:
        for proof in proofs_of(task, repeats=chosen.validate):
            yield common(agent=proof.label, repeat=1, proof=proof)
        return
    for agent in chosen.agents:
        yield from (common(agent=agent, repeat=repeat) for repeat in range(1, chosen.repeats + 1))


def _item_name(job: Job, chosen: Settings) -> str:
    """The task id alone where that is enough, so that ``file::id`` and ``-k id`` work."""
    parts = []
    if job.proof is not None:
        parts.append(job.proof.label)
    elif len(chosen.agents) > 1:
        parts.append(agent_label(job.agent))
    if chosen.repeats > 1:
        parts.append(f"r{job.repeat}")
    return f"{job.task.id}[{'-'.join(parts)}]" if parts else job.task.id


def mark_of(config: pytest.Config, label: str) -> pytest.MarkDecorator:
    """The mark for a tag, a site and the like, which --strict-markers knows from now on."""
    known, name = config.stash.setdefault(MARKS_KEY, {}), mark_name(label)
    if name not in known:
        config.addinivalue_line("markers", f"{name}: from a task file")
        known[name] = getattr(pytest.mark, name)
    return known[name]


def refuse_rival_plugins(config: pytest.Config) -> None:
    """Plugins that retry wrong answers would turn failures into passes."""
    for name in _RIVALS:
        if config.pluginmanager.hasplugin(name):
            raise pytest.UsageError(
                f"plugin {name!r} is active; it repeats tests that failed, so no score could be trusted. "
                f"Switch it off with -p no:{name}"
            )


def jobs_of(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, Job]]:
    """Our items among those collected."""
    for item in items:
        job = item.stash.get(JOB_KEY, None)
        if job is not None:
            yield item, job


def ask_endpoints(session: pytest.Session) -> None:
    """Find out now whether the agents' models answer; under xdist, the controller has done so already."""
    if not hasattr(session.config, "workerinput"):
        check_endpoints(session.config, sorted({job.agent for _, job in jobs_of(session.items) if job.proof is None}))


def write_plan(session: pytest.Session) -> None:
    """Note what is going to be run, so that nothing can drop out of the score unseen; nobody else may run it now."""
    config = session.config
    stopped = session.testsfailed and not config.option.continue_on_collection_errors
    if config.option.collectonly or stopped:
        return
    try:
        hold_run(config)
        if not settings(config).rescore:
            _plan(session)
    except WebbenchError as error:
        if not hasattr(config, "workerinput"):
            raise pytest.UsageError(str(error)) from error
        config.stash[REFUSED_KEY] = error  # xdist knows no way for a worker to end here: its first item says it


def _plan(session: pytest.Session) -> None:
    config = session.config
    jobs = list(jobs_of(session.items))
    whole = config.stash.get(WHOLE_KEY, list[ItemKey]())
    items = [
        PlannedItem(
            suite=job.suite.name, task=job.task.id, agent=job.key.agent, repeat=job.repeat, nodeid=item.nodeid,
            site=job.task.site, tags=tuple(job.task.tags), source=job.task.source.benchmark if job.task.source else "",
        )
        for item, job in jobs
    ]  # fmt: skip
    current_run(config).plan(
        items,
        _facts(config, [job for _, job in jobs]),
        shard=chosen_shard(config),
        whole=whole,
        # Every worker collects the same; the first one writes it down.
        check_only=worker_name(config) not in ("main", "gw0"),
    )


def _facts(config: pytest.Config, jobs: list[Job]) -> dict[str, Any]:
    chosen = settings(config)
    return {
        "environment": {
            "pytest_webbench": __version__,
            "pytest": pytest.__version__,
            "python": platform.python_version(),
            "platform": sys.platform,
        },
        "options": {
            "agents": list(chosen.agents),
            "world": chosen.world,
            "repeats": chosen.repeats,
            "seed": chosen.seed,
            "max_actions": chosen.max_actions,
            "max_seconds": chosen.max_seconds,
            "infra_retries": chosen.infra_retries,
        },
        "agents": chosen_options(config),
        "conditions": conditions(config, jobs),
    }
