"""From the tasks in a file to work items: agents and repeats, proofs of a validation, a rescore."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from .._worlds import LIVE, LOCAL, SITES
from ..agents.config import Configuration, agent_label
from ..errors import SettingsError
from ..judge.validation import mutants_of, proof_called, proofs_of, reference_of, solutions_of
from ..run import PlannedItem, RunDir
from ..run.site_digest import site_digest
from ..run.task_job import TaskJob
from ..world.base import has_double, has_editions, task_in_edition
from .reading import FileContents
from .settings import Settings


class StoredPlan:
    """What a run that is judged again was made of."""

    def __init__(self, planned: Sequence[PlannedItem]) -> None:
        self._by_task: dict[tuple[str, str], list[PlannedItem]] = {}
        for item in planned:
            self._by_task.setdefault((item.suite, item.task), []).append(item)
        self.agents = tuple(sorted({item.agent for item in planned}))
        """Labels of its agents."""
        self.repeats = max((item.repeat for item in planned), default=1)
        self.seeds = 1 + max((item.seed for item in planned), default=0)

    @classmethod
    def read(cls, run: RunDir) -> StoredPlan:
        """The plan of ``run``; `SettingsError` if there is no such run."""
        planned = run.planned()
        if not planned:
            raise SettingsError(
                f"--webbench-rescore {run.path.name!r}: there is no such run in {run.path.parent}"
            )
        return cls(planned)

    def items_of(self, suite: str, task: str) -> list[PlannedItem]:
        """What was planned of a task."""
        return self._by_task.get((suite, task), [])


class Collection(NamedTuple):
    """What a format may know of the session that collects.

    ``agents`` are named as the user chose them, ``stored`` is set in a rescore only.
    """

    config: pytest.Config
    configuration: Configuration
    settings: Settings
    agents: tuple[str, ...]
    repeats: int
    seeds: int
    run: RunDir
    stored: StoredPlan | None = None

    @property
    def several_agents(self) -> bool:
        """Whether item names have to say which agent they are for."""
        return len(self.agents) > 1

    def task_jobs(self, contents: FileContents) -> Iterator[TaskJob]:
        """What is to be done with the tasks of a file; `SettingsError` if it cannot be done."""
        suite = contents.suite
        usual = suite.proof_world if self.settings.plays_proofs else suite.worlds[0]
        world = self.settings.world or usual
        if world not in suite.worlds:
            raise SettingsError(
                f"suite {suite.name} has no {world} world; it runs in: {', '.join(suite.worlds)}"
            )
        for task in contents.tasks:
            if world in SITES and self.stored is None:
                _require_site(world, contents.folder, task.start_url)
            template = TaskJob(
                task=task,
                suite=suite,
                suite_folder=contents.folder,
                agent=self.agents[0],
                repeat=1,
                world=world,
            )
            if self.stored is not None:
                yield from self._stored_jobs(template, self.stored)
            elif self.settings.mutants:
                yield from self._mutants(template)
            elif self.settings.validate:
                yield from self._proofs(template, self.settings.validate)
            else:
                yield from self._attempts(template)

    def _attempts(self, template: TaskJob) -> Iterator[TaskJob]:
        for agent in self.agents:
            for seed, repeat in product(range(self.seeds), range(1, self.repeats + 1)):
                yield replace(_in_edition(template, seed), agent=agent, repeat=repeat)

    def _proofs(self, template: TaskJob, times: int) -> Iterator[TaskJob]:
        """The solution in as many editions as wanted, or so often in a world that has only one.

        Live sites are not bothered with anything that is to fail.
        """
        seeds = range(times) if has_editions(template.world) else [0] * times
        proofs = proofs_of(template.task, seeds=seeds)
        if template.world == LIVE:
            proofs = solutions_of(template.task, times=times)
        for proof in proofs:
            job = _in_edition(template, proof.seed)
            played = proof_called(job.task, proof.label, proof.seed)
            yield replace(job, agent=proof.label, proof=played)

    def _mutants(self, template: TaskJob) -> Iterator[TaskJob]:
        """The solution as reference, or what is made from it once it was played."""
        template = _in_edition(template, 0)
        reference = reference_of(template.task)
        site = site_digest(template.suite_folder, template.task.site)
        job = replace(template, agent=reference.label, proof=reference, site_digest=site)
        if self.settings.mutants == "references":
            yield job
            return
        evidence = self.run.counted_episode(job.key).evidence()
        for proof in mutants_of(template.task, evidence):
            yield replace(job, agent=proof.label, proof=proof)

    def _stored_jobs(self, template: TaskJob, stored: StoredPlan) -> Iterator[TaskJob]:
        """What the run holds of a task; if that is nothing, one job that will say so."""
        task = template.task
        wanted = {agent_label(agent) for agent in self.settings.agent}
        chosen = [
            item
            for item in stored.items_of(template.suite.name, task.id)
            if not wanted or item.agent in wanted
        ]
        for item in chosen:
            job = _in_edition(template, item.seed)
            proof = proof_called(job.task, item.agent, item.seed)
            yield replace(job, agent=item.agent, repeat=item.repeat, proof=proof)
        if not chosen:
            yield template


def _in_edition(job: TaskJob, seed: int) -> TaskJob:
    """A job in one edition of its world, with the facts that its task draws there."""
    return replace(job, task=task_in_edition(job.task, job.suite_folder, seed), seed=seed)


def _require_site(world: str, suite: Path, url: str) -> None:
    """`SettingsError` if the world has no site for a start page."""
    folder = suite / SITES[world]
    if not folder.is_dir():
        return  # the world says so when it is opened
    host = urlsplit(url).hostname or ""
    if world == LOCAL:
        name = host.removesuffix(".localhost")
        there, what = (folder / name / "site.py").is_file(), "site"
    else:
        name, there, what = host, has_double(folder, host), "double of"
    if not there:
        raise SettingsError(
            f"start_url {url}: the {world} world has no {what} {host}; add "
            f"{folder / name / 'site.py'}, or correct the address"
        )
