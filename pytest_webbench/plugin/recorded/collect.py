"""A suite of recorded steps as a collector, its steps as items."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast

import pytest
from pydantic import ValidationError

from ...agents.config import FROM_FIXTURE, agent_label
from ...errors import SettingsError, WebbenchError
from ...evidence.scrub import scrub
from ...mind2web.choice import Choice, Tell
from ...mind2web.store import Entry, Steps
from ...report.mind2web import WORLD
from ...run import ItemKey
from ...task import Suite
from ...task.models import Source
from ..collect import JOB_KEY, Job, mark_of
from ..options import settings
from .options import StepSettings, step_settings

PERCEPTION: Final = "perception"
"""What stands for the agent where no model is asked."""
MEASURE_VERSION: Final = 1
"""Goes up when the same step may get another result; results of other versions are not taken for today's."""
STEPS_FILE: Final = "steps.jsonl.gz"


class StepTask(NamedTuple):
    """A step as far as a plan speaks of it."""

    id: str
    site: str
    tags: tuple[str, ...]
    source: Source = Source(benchmark="Mind2Web")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepJob:
    """What one item has to do; the same to the rest of the plugin as a `Job`."""

    suite: Suite
    steps: Steps
    entry: Entry
    agent: str
    """`FROM_FIXTURE` stands for none: who names no agent wants to know what is seen, which costs nothing."""
    mode: Literal["compat", "expand", "dom"]
    repeat: int = 1
    proof: None = None

    @property
    def world(self) -> str:
        """What the ledger calls where the page came from."""
        return f"{WORLD}{self.mode}"

    @property
    def task(self) -> StepTask:
        """The step."""
        tags = (self.entry.split, self.entry.domain, self.entry.op, self.entry.role)
        return StepTask(_safe(self.entry.name), self.entry.website, tuple(tag for tag in tags if tag))

    @property
    def key(self) -> ItemKey:
        """What the ledger calls this item."""
        return ItemKey(self.suite.name, self.task.id, self.label, self.repeat)

    @property
    def label(self) -> str:
        """The agent's name in items and folders."""
        return PERCEPTION if self.agent == FROM_FIXTURE else agent_label(self.agent)

    def digest(self) -> str:
        """Names the step."""
        text = f"{self.entry.digest} {MEASURE_VERSION}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def run_step(m2w_result: Any) -> None:
    """What every item calls: the step has been measured in set-up, here it is asserted."""
    m2w_result.assert_passed()


class StepItem(pytest.Function):
    """One step for one agent."""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Shown in headings: the item's name."""
        return self.path, 0, self.name


class StepFile(pytest.File):
    """``mind2web.toml``: a suite of recorded steps."""

    def collect(self) -> Iterator[pytest.Item]:
        chosen, how = settings(self.config), step_settings(self.config)
        if chosen.validate or chosen.rescore:
            raise self.CollectError("recorded steps are neither validated nor judged again: leave out that option")
        try:
            suite = read_step_suite(self.path)
            steps = choice_of(how, self.path.parent).steps()
        except WebbenchError as error:
            raise self.CollectError(scrub(str(error))) from error
        several = len(chosen.agents) > 1
        for entry in steps.entries:
            for agent in chosen.agents:
                for repeat in range(1, 2 if agent == FROM_FIXTURE else chosen.repeats + 1):
                    job = StepJob(suite=suite, steps=steps, entry=entry, agent=agent, mode=how.mode, repeat=repeat)
                    yield self._item(job, _name(job, several=several, repeats=chosen.repeats))

    def _item(self, job: StepJob, name: str) -> pytest.Item:
        item: StepItem = StepItem.from_parent(self, name=name, callobj=run_step)
        item.stash[JOB_KEY] = cast(Job, job)
        item.add_marker(pytest.mark.webbench)
        for label in (job.suite.name, job.entry.website, job.entry.op, job.entry.role, job.entry.split):
            if label:
                item.add_marker(mark_of(self.config, label))
        return item


def read_step_suite(path: Path) -> Suite:
    """The suite that a ``mind2web.toml`` describes; `SettingsError` if it cannot be used."""
    try:
        return Suite.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise SettingsError(f"{path} cannot be used: {error}") from error


def choice_of(how: StepSettings, folder: Path, tell: Tell = lambda _tasks, _size: None) -> Choice:
    """Which steps the options mean. ``tell`` hears how many tasks and bytes have come so far."""
    return Choice(
        source=how.source,
        bundled=folder / STEPS_FILE,
        cache=how.cache,
        path=how.path,
        split=how.split,
        shard=how.shard,
        revision=how.revision,
        hub=how.hub,
        limit_tasks=how.limit_tasks,
        limit=how.limit,
        sample=how.sample,
        seed=how.seed,
        tell=tell,
    )


def _name(job: StepJob, *, several: bool, repeats: int) -> str:
    parts = [job.label] if several else []
    parts += [f"r{job.repeat}"] if repeats > 1 and job.agent != FROM_FIXTURE else []
    return f"{job.task.id}[{'-'.join(parts)}]" if parts else job.task.id


def _safe(name: str) -> str:
    """A step's name as a folder's: letters, digits, dot, dash and underscore."""
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in name)
