"""Runs one episode: open the start page, let the agent act, capture evidence, close."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .._text import sanitize
from ..agents import Agent
from ..browser.repeatable import Hovered, RepeatableAction
from ..browser.session import Session
from ..capture.capture import Capture, Captured, Finished, without_browser
from ..errors import InfraError
from ..evidence.models import Health
from ..task import Task, TaskBrief
from ..task.probes import page_probes_of, world_probes_of
from ..world import World
from ..world.base import begin_episode
from ..world.facts import Stay
from .agent_context import ContextProvider
from .agent_run import ActionLimit, AgentRun, EpisodeSink
from .watchdog import Interrupted, Watchdog

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

OPEN_SECONDS = 60.0
CLOSE_SECONDS = 10.0
LEAVE_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeSettings:
    """Budgets of one episode and what it is run with."""

    max_actions: int
    max_seconds: float
    locale: str
    timezone: str
    seed: int = 0
    """Which edition of the world the episode is played in."""
    archive: bool = True
    """Whether the final page is kept as MHTML and as a picture."""
    context_provider: ContextProvider | None = None
    """What the agent may ask for besides a page."""


class EpisodeResult(NamedTuple):
    """What one attempt produced, before it is judged.

    ``actions`` are whole, with the passwords typed; times are in seconds.
    """

    captured: Captured
    actions: list[RepeatableAction]
    hovers: list[Hovered]
    browser: str
    """Its name and version."""
    viewport: ViewportSize | None
    """Of the first tab, in CSS pixels."""
    seconds: float
    agent_seconds: float


OpenSession: TypeAlias = Callable[[dict[str, Any]], Session]
"""Makes a session from the arguments of its browser context."""


def brief_of(task: Task, settings: EpisodeSettings) -> TaskBrief:
    """What the agent may know."""
    return TaskBrief(
        task_id=task.id,
        goal=task.goal,
        start_url=task.start_url,
        wants_answer=task.answer != "none",
        max_actions=settings.max_actions,
        max_seconds=settings.max_seconds,
        locale=settings.locale,
        timezone=settings.timezone,
        answer_schema=task.answer_schema,
    )


class EpisodeRunner:
    """Runs episodes one after another in one browser; ``watchdog`` belongs to the main thread."""

    def __init__(self, watchdog: Watchdog, world: World) -> None:
        self._watchdog, self._world = watchdog, world

    def run(
        self,
        task: Task,
        agent: Agent,
        *,
        settings: EpisodeSettings,
        sink: EpisodeSink,
        open_session: OpenSession,
    ) -> EpisodeResult:
        """One attempt. `InfraError` if it could not begin; what happens later is in the result."""
        begin = time.monotonic()
        stay = self._begin(task, settings.seed)
        try:
            session = open_session({"locale": settings.locale, "timezone_id": settings.timezone})
        except BaseException:
            stay.end()
            raise
        try:
            self._open_start_page(task, session)
            action_limit = ActionLimit(session, settings.max_actions, self._watchdog)
            session.log.on_step = action_limit.on_action
            started = time.monotonic()
            finished = AgentRun(
                agent=agent,
                brief=brief_of(task, settings),
                session=session,
                sink=sink,
                watchdog=self._watchdog,
                action_limit=action_limit,
                context_provider=settings.context_provider,
            ).run()
            agent_seconds = time.monotonic() - started
            captured = self._capture(task, session, finished, archive=settings.archive)
            captured = self._with_facts(captured, task, stay)
        finally:
            stay.end()
            self._close(session)
        if settings.context_provider is not None:
            # Time spent waiting for an endpoint in trouble is not the agent's.
            agent_seconds -= settings.context_provider.extra_seconds
        return EpisodeResult(
            captured,
            session.log.repeatable(),
            session.log.hovers,
            session.browser,
            session.page.viewport_size,
            time.monotonic() - begin,
            max(0.0, agent_seconds),
        )

    def _begin(self, task: Task, seed: int) -> Stay:
        stay = begin_episode(self._world, task, seed)
        self._world.outside_since_last()  # what earlier episodes left behind
        self._world.delivered_since_last()
        self._broken()
        return stay

    def world_is_repeatable(self) -> bool:
        """Whether the world answers the same every time, as one with a server of its own does."""
        return self._world.delivered_since_last() is not None

    def _open_start_page(self, task: Task, session: Session) -> None:
        try:
            # Longer than Playwright's own time-out, which gives the better message.
            with self._watchdog.limit(OPEN_SECONDS + 5, "open"):
                if task.setup.local_storage:
                    session.seed_storage(task.start_url, task.setup.local_storage)
                session.open(task.start_url, timeout=OPEN_SECONDS)
                if any(probe.name == "clipboard" for probe in page_probes_of(task)):
                    session.empty_clipboard()
        except Interrupted as error:
            raise InfraError(
                f"the start page {task.start_url} did not open within {OPEN_SECONDS:g} s"
            ) from error
        except InfraError as error:
            if broken := self._broken():
                raise InfraError("; ".join([str(error), *broken])) from error
            raise

    def _broken(self) -> list[str]:
        """Pages of the world's own that failed; worlds of others may not tell."""
        tell: Callable[[], list[str]] = getattr(self._world, "broken_since_last", list)
        return tell()

    def _capture(
        self, task: Task, session: Session, finished: Finished, *, archive: bool
    ) -> Captured:
        if not finished.connected:
            return without_browser(session, task=task.id, finished=finished)
        captured = Capture(session, self._capture_limit, archive=archive).run(
            task=task.id,
            finished=finished,
            probes=page_probes_of(task),
            outside=self._world.outside_since_last(),
            delivered=self._world.delivered_since_last(),
        )
        broken = self._broken()
        if not broken:
            return captured
        # Whatever the agent ended with, it was not asked on the site that the task is about.
        health = Health(state="world_error", detail=sanitize("; ".join(broken)))
        return captured._replace(evidence=captured.evidence.model_copy(update={"health": health}))

    def _with_facts(self, captured: Captured, task: Task, stay: Stay) -> Captured:
        """What was captured, and what the world itself knows of the episode."""
        facts = stay.end(world_probes_of(task))
        evidence = captured.evidence
        changes = {
            "world": self._world.name,
            "local": facts.local,
            "reads": {**evidence.reads, **facts.reads},
        }
        return captured._replace(evidence=evidence.model_copy(update=changes))

    def _capture_limit(self, seconds: float) -> AbstractContextManager[None]:
        return self._watchdog.limit(seconds, "capture")

    def _close(self, session: Session) -> None:
        # After Ctrl-C, the user waits, and the driver may not answer any more.
        leaving = isinstance(sys.exception(), KeyboardInterrupt)
        try:
            with self._watchdog.limit(LEAVE_SECONDS if leaving else CLOSE_SECONDS, "close"):
                session.close()
        except (Interrupted, Exception):  # noqa: BLE001 - a broken event loop raises anything
            # It does not even close its tabs: end it, the next episode starts a new one.
            session.kill_browser()
