"""``--webbench-sample N``: N tasks, drawn by a seed and spread over the sites."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import pytest

from ..run.work_item import WorkItem
from .settings import Settings

TaskOnSite = tuple[str, str, str]
"""Site, suite and task id."""


def outside_sample(
    works: Sequence[tuple[pytest.Item, WorkItem]], settings: Settings
) -> set[pytest.Item]:
    """The items whose tasks are not drawn; none without a sample."""
    if settings.sample is None:
        return set()
    tasks = {item: (work.plan_facts.site, work.key.suite, work.key.task) for item, work in works}
    chosen = sample(tasks.values(), settings.sample, settings.seed)
    return {item for item, task in tasks.items() if task not in chosen}


def sample(tasks: Iterable[TaskOnSite], count: int, seed: int) -> set[TaskOnSite]:
    """``count`` of the tasks, or all if there are fewer.

    A site comes in for the second time when every other one has come in once, as far as it has
    tasks. The same seed draws the same tasks, in whatever order they come.
    """
    by_site: dict[str, list[TaskOnSite]] = {}
    for task in sorted(set(tasks), key=lambda task: _lot(seed, *task)):
        by_site.setdefault(task[0], []).append(task)
    turns = []
    for site, group in by_site.items():
        for turn, task in enumerate(group):
            turns.append((turn, _lot(seed, site), task))
    return {task for _turn, _lot, task in sorted(turns)[:count]}


def _lot(seed: int, *parts: str) -> str:
    return hashlib.sha256("\0".join([str(seed), *parts]).encode()).hexdigest()
