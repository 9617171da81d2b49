"""Files of benchmarks as collectors, work items as test items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import pytest

from .._text import sanitize
from ..agents import Agent
from ..errors import BlockedError, InfraError, SettingsError, WebbenchError
from ..run.work_item import ITEM_PROPERTY, WorkItem
from ..task.fields import mark_name
from .formats import ItemFormat
from .jobs import Collection

AGENT_FIXTURE: Final = "webbench_agent"
_BROWSER_FIXTURES: Final = ("browser_type_launch_args", "browser_context_args")
"""pytest-playwright's."""
_TAKEN: Final = ("flaky", "timeout")
"""Marks of common plugins. A suite must mean the same with them and without."""


def run_item(webbench_result: Any) -> None:
    """What every item calls: it was run and judged in set-up, here the result is asserted."""
    webbench_result.assert_passed()


class BenchmarkItem(pytest.Function):
    """One work item."""

    work: WorkItem
    made_agent: Agent | None = None
    """The agent that we made for the latest attempt, if it is trusted. A user's fixture may return
    this very object or another one, but cannot make another one pass for it."""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Shown in headings: the item's name instead of a module path."""
        return self.path, 0, self.name


class Retries(NamedTuple):
    """How often an attempt is repeated that the infrastructure broke, or that a site blocked."""

    infra: int
    blocked: int
    delay: float
    """Seconds before the first repetition."""

    @property
    def most(self) -> int:
        """How often an item is repeated at most."""
        return max(self.infra, self.blocked)

    def of(self, error: BaseException | None) -> int:
        """How often an attempt that ended with ``error`` may be one that is repeated."""
        if isinstance(error, BlockedError):
            return self.blocked
        return self.infra if isinstance(error, InfraError) else 0


class Collector(Protocol):
    """The session, as far as files need it."""

    def collection_for(self, file: pytest.File) -> Collection:
        """What the format of ``file`` may know."""

    def retries_of(self, work: WorkItem) -> Retries:
        """What is done when an attempt at ``work`` is broken or blocked."""

    def mark(self, label: str) -> pytest.MarkDecorator:
        """The mark for a label."""


class BenchmarkFile(pytest.File):
    """A file that some format has recognised."""

    format: ItemFormat
    collector: Collector

    def collect(self) -> list[pytest.Item]:
        collection = self.collector.collection_for(self)
        try:
            # A list, because a generator would raise its errors only while it is read.
            works = list(self.format.items(self.path, collection))
            return [self._item(work, item_name(work, collection)) for work in works]
        except WebbenchError as error:
            raise self.CollectError(sanitize(str(error))) from error

    def _item(self, work: WorkItem, name: str) -> pytest.Item:
        item: BenchmarkItem = BenchmarkItem.from_parent(self, name=name, callobj=run_item)
        item.work = work
        item.user_properties.append((ITEM_PROPERTY, item.nodeid))
        item.add_marker(pytest.mark.webbench)
        if self.config.pluginmanager.hasplugin("timeout"):
            # pytest-timeout would raise into the agent's code; tasks have limits of their own.
            item.add_marker(pytest.mark.timeout(0))
        for label in work.labels:
            item.add_marker(self.collector.mark(label))
        retries = self.collector.retries_of(work)
        # With --pdb the user wants to stop at the first failure.
        debugged = self.config.getoption("usepdb", False)
        can_rerun = self.config.pluginmanager.hasplugin("rerunfailures") and not debugged
        if retries.most and not work.retries_in_place and can_rerun:
            item.add_marker(
                pytest.mark.flaky(
                    reruns=retries.most,
                    # Nothing else: a wrong answer must not be repeated until it is right.
                    only_rerun=[kind for kind in (InfraError, BlockedError) if retries.of(kind())],
                    condition=partial(_may_repeat, item, retries),
                    reruns_delay=retries.delay,
                    reruns_delay_backoff_factor=2,
                )
            )
        return item


def _may_repeat(item: pytest.Item, retries: Retries, error: BaseException | None) -> bool:
    """Whether pytest-rerunfailures, which has just counted this attempt, may repeat it."""
    return int(getattr(item, "execution_count", 0)) <= retries.of(error)


def item_name(work: WorkItem, collection: Collection) -> str:
    """The task's id alone where that is enough, so that ``file::id`` and ``-k id`` work."""
    parts = []
    if work.proof is not None or collection.several_agents:
        parts.append(work.key.agent)
    if collection.seeds > 1 and work.asks_agent:
        parts.append(f"s{work.key.seed}")
    if collection.repeats > 1 and work.asks_agent:
        parts.append(f"r{work.repeat}")
    return f"{work.key.task}[{'-'.join(parts)}]" if parts else work.key.task


class Marks:
    """Marks for tags, sites and the like, each registered so that --strict-markers knows it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._known: dict[str, pytest.MarkDecorator] = {}

    def mark(self, label: str) -> pytest.MarkDecorator:
        """The mark for a label; `SettingsError` if pytest or a plugin would act on it."""
        name = mark_name(label)
        if name not in self._known:
            if name in _TAKEN or name in self._registered():
                raise SettingsError(
                    f"{label!r} is a tag or a name here, and {name!r} is a mark of pytest or of a "
                    "plugin, which would act on it (see `pytest --markers`): use another word"
                )
            self._config.addinivalue_line("markers", f"{name}: from a task file")
            self._known[name] = getattr(pytest.mark, name)
        return self._known[name]

    def _registered(self) -> set[str]:
        """The names of all registered marks; a line is `name: what` or `name(arguments): what`."""
        return {re.split(r"[:(]", line)[0].strip() for line in self._config.getini("markers")}


def overrides_agent(node: pytest.Item | pytest.Collector) -> bool:
    """Whether a conftest.py of the user's gives ``node`` an agent that is not built from ours."""
    known = _definitions(AGENT_FIXTURE, node)
    return len(known) > 1 and AGENT_FIXTURE not in known[-1].argnames


def overrides_browser(node: pytest.Item) -> bool:
    """Whether a conftest.py of the user's sets up browsers in its own way, perhaps with a proxy."""
    return any(len(_definitions(name, node)) > 1 for name in _BROWSER_FIXTURES)


def _definitions(fixture: str, node: pytest.Item | pytest.Collector) -> Sequence[Any]:
    # pytest has no public way to ask for a fixture without setting it up.
    return node.session._fixturemanager.getfixturedefs(fixture, node) or ()


def work_items(items: Iterable[pytest.Item]) -> Iterator[tuple[pytest.Item, WorkItem]]:
    """Ours among the items collected, each with its work."""
    for item in items:
        if isinstance(item, BenchmarkItem):
            yield item, item.work
