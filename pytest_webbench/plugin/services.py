"""What a session offers to an item while its fixtures are set up."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import pytest

from .._suite_files import SUITE_FILE
from ..agents import Agent
from ..agents.base import Backoff, Journal
from ..episode.agent_context import ContextProvider
from ..run import RunDir
from ..run.backoff import RunBackoff
from ..run.work_item import EpisodeOptions
from .agents import SessionAgents
from .invocation import Invocation
from .items import BenchmarkItem
from .live import live_turn

_LOCKS: Final = "locks"
"""Folder of a run for the files that its processes agree by."""


class RequestServices:
    """`ItemServices` for the item that ``request`` is about."""

    def __init__(
        self,
        request: pytest.FixtureRequest,
        *,
        options: EpisodeOptions,
        agents: SessionAgents,
        run: RunDir,
        invocation: Invocation,
    ) -> None:
        item = request.node
        assert isinstance(item, BenchmarkItem), "only our items ask for these fixtures"
        self._request, self.item = request, item
        self._options, self._agents = options, agents
        self._locks, self._invocation = run.path / _LOCKS, invocation

    @property
    def options(self) -> EpisodeOptions:
        return self._options

    @property
    def backoff(self) -> Backoff:
        return RunBackoff(self._locks)

    def fixture(self, name: str) -> Any:
        # On demand: an item whose result is stored must not start a browser.
        return self._request.getfixturevalue(name)

    def make_agent(self) -> Agent:
        work = self.item.work
        agent = self._agents.make(work)
        self.item.made_agent = agent if self._agents.is_trusted(work) else None
        return agent

    def agent_slot(self) -> AbstractContextManager[None]:
        return self._agents.slot(self.item.work, self._locks)

    def live_turn(self) -> AbstractContextManager[None]:
        invocation = self._invocation
        return live_turn(invocation.settings, self.item.work, invocation.runs_folder)

    def context_provider(self, agent: Agent, journal: Journal) -> ContextProvider:
        path = self.item.path
        suite = next((one for one in path.parents if (one / SUITE_FILE).is_file()), path.parent)
        return ContextProvider(
            journal,
            self.backoff,
            trusted=self.item.made_agent is agent,
            hidden=(suite, self._invocation.runs_folder),
        )

    def shown(self, path: Path) -> str:
        return self._invocation.shown(path)
