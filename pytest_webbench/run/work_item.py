"""What a session plans, runs and resumes, whatever kind of thing it is."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from ..agents import Agent
from ..agents.base import Backoff, Journal
from ..episode.agent_context import ContextProvider
from ..judge.explanation import Finding
from ..judge.validation import Proof
from ..task import Suite, Task
from .attempt import AttemptRecorder
from .ledger import ItemKey, PlannedItem
from .recordings import Recordings

ITEM_PROPERTY: Final = "webbench_item"
"""The property of a test's report that holds its node id: names in JUnit files are not unique."""


class PlanFacts(NamedTuple):
    """What reports group items by."""

    site: str
    tags: tuple[str, ...]
    source: str
    """The benchmark that the item was taken from; empty if it is the suite's own."""
    part_of: str = ""
    """The task that a step of a recording belongs to; empty for a task."""
    source_id: str = ""
    """What the item is called in that benchmark; empty if that is not known."""


class EpisodeOptions(NamedTuple):
    """Options of a session that concern single episodes; None leaves a budget to the task."""

    max_actions: int | None
    max_seconds: float | None
    step_shots: bool
    archive: bool
    test_passes: bool
    """Whether the actions of a pass are done again."""
    recordings: Recordings


class ItemServices(Protocol):
    """What a session offers to a work item while it runs."""

    @property
    def options(self) -> EpisodeOptions:
        """The session's options."""

    @property
    def backoff(self) -> Backoff:
        """Keeps all workers of the run away from an endpoint that asked for a pause."""

    def fixture(self, name: str) -> Any:
        """The value of a pytest fixture, set up on first use."""

    def make_agent(self) -> Agent:
        """A fresh agent of the kind chosen for this item.

        `SettingsError` if none was chosen or it cannot be made.
        """

    def agent_slot(self) -> AbstractContextManager[None]:
        """A block that as many episodes enter at a time as the agent's endpoint may serve."""

    def live_turn(self) -> AbstractContextManager[None]:
        """A block that is entered when the item's live site may be visited; elsewhere at once."""

    def context_provider(self, agent: Agent, journal: Journal) -> ContextProvider:
        """What ``agent`` may ask for in this item's episode."""

    def shown(self, path: Path) -> str:
        """A path as the user would type it."""


class WorkItem(Protocol):
    """One thing that a session runs and scores: a task for an agent, or a recorded step.

    Attributes
    ----------
    suite
        The suite it belongs to.
    agent
        The agent as the user chose it (a name, ``type:model@url``, a dotted path).
    repeat
        Counts from 1.
    proof
        What a validation expects of it; None outside validations.
    task
        The task, for reference agents that play its solution; None if there is no task.
    """

    @property
    def suite(self) -> Suite: ...
    @property
    def agent(self) -> str: ...
    @property
    def repeat(self) -> int: ...
    @property
    def proof(self) -> Proof | None: ...
    @property
    def task(self) -> Task | None: ...

    @property
    def key(self) -> ItemKey:
        """What the ledger calls it."""

    @property
    def world(self) -> str:
        """What the ledger calls the place where its pages come from."""

    @property
    def judge_version(self) -> int:
        """Version of whatever scores it; results of other versions are not reused."""

    @property
    def asks_agent(self) -> bool:
        """Whether the chosen agent takes part, so that its endpoint has to answer."""

    @property
    def retries_in_place(self) -> bool:
        """Whether it is so short that pytest-rerunfailures would take longer than a retry."""

    @property
    def labels(self) -> Iterable[str]:
        """Texts that become its marks."""

    @property
    def plan_facts(self) -> PlanFacts:
        """What reports group it by."""

    def digest(self) -> str:
        """Changes whenever a result of before no longer counts."""

    def run(self, attempt: AttemptRecorder, services: ItemServices) -> Finding:
        """Make one attempt, record it and say how it came out."""


def planned_item(item: WorkItem, nodeid: str, quarantined: str = "") -> PlannedItem:
    """What the plan of a run says of ``item``; ``quarantined``: why it is not run."""
    facts = {**item.key._asdict(), **item.plan_facts._asdict()}
    return PlannedItem(**facts, nodeid=nodeid, quarantined=quarantined)
