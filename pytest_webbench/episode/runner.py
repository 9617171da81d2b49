"""Runs one episode: open the start page, let the agent act, capture evidence, close."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ..agents import Agent, Budget, GaveUp
from ..agents.base import AgentCrashed
from ..browser.session import Session
from ..browser.steps import StepSink
from ..errors import BadReply, InfraError, StepError, UsageError
from ..evidence.capture import Capture, Captured
from ..evidence.models import Ending
from ..evidence.scrub import scrub
from ..task import Task, TaskBrief
from ..task.probes import probes_of
from ..world import World
from .outfit import Outfit
from .watchdog import Interrupted, Watchdog

OPEN_SECONDS = 60.0
FLUSH_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeSettings:
    """What is the same for every episode of a run, and this task's limits."""

    max_actions: int
    max_seconds: float
    locale: str
    timezone: str
    step_shots: bool = True
    archive: bool = True
    outfit: Outfit | None = None
    """What the agent may ask for besides a page."""


class EpisodeSink(StepSink, Protocol):
    """Takes what an episode leaves behind, while it runs."""

    def log(self, text: str) -> None:
        """A line for ``agent.log``."""

    def unstoppable(self) -> None:
        """The agent's code goes on after its time and cannot be interrupted; called in another thread."""


class EpisodeResult(NamedTuple):
    """What one attempt left behind, before it is judged."""

    captured: Captured
    steps: int
    seconds: float
    agent_seconds: float


class Finished(NamedTuple):
    """How the agent's part ended."""

    ending: Ending
    answer: str | None


OpenSession = Callable[[dict[str, Any]], Session]
"""Makes a session from context arguments."""


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
    )


class EpisodeRunner:
    """Runs episodes one after another in one browser; ``watchdog`` belongs to the main thread."""

    def __init__(self, watchdog: Watchdog, world: World) -> None:
        self._watchdog, self._world = watchdog, world
        self._over_budget = False

    def run(
        self, task: Task, agent: Agent, settings: EpisodeSettings, sink: EpisodeSink, open_session: OpenSession
    ) -> EpisodeResult:
        """One attempt. `InfraError` if it could not even begin; all that happens later is in the result."""
        begin = time.monotonic()
        self._world.outside_since_last()
        session = open_session({"locale": settings.locale, "timezone_id": settings.timezone})
        try:
            self._open(task, session)
            session.steps.on_step = self._count_actions(session, settings.max_actions)
            started = time.monotonic()
            finished = self._act(task, agent, settings, sink, session)
            waited = settings.outfit.waited if settings.outfit is not None else 0.0
            agent_seconds = max(0.0, time.monotonic() - started - waited)
            captured = Capture(session, self._limit, archive=settings.archive).run(
                task=task.id,
                ending=finished.ending,
                answer=finished.answer,
                probes=probes_of(task),
                outside=self._world.outside_since_last(),
            )
        finally:
            self._close(session)
        return EpisodeResult(captured, len(session.actions), time.monotonic() - begin, agent_seconds)

    def _limit(self, seconds: float) -> AbstractContextManager[None]:
        return self._watchdog.limit(seconds, "capture")

    def _open(self, task: Task, session: Session) -> None:
        try:
            with self._watchdog.limit(OPEN_SECONDS + 5, "open"):
                if task.setup.local_storage:
                    session.seed_storage(task.start_url, task.setup.local_storage)
                session.open(task.start_url, timeout=OPEN_SECONDS)
                if any(probe.name == "clipboard" for probe in probes_of(task)):
                    session.empty_clipboard()
        except Interrupted as error:
            raise InfraError(f"the start page {task.start_url} did not open within {OPEN_SECONDS:g} s") from error

    def _count_actions(self, session: Session, most: int) -> Callable[[int], None]:
        self._over_budget = False

        def on_step(count: int) -> None:
            if count == most - 1:
                session.expect_last_input()
            elif count == most:
                session.refuse_input()
            elif count > most and not self._over_budget:  # more may come while the agent is being stopped
                self._over_budget = True
                self._watchdog.interrupt(Ending.STEP_BUDGET)

        if most == 1:
            session.expect_last_input()
        return on_step

    def _act(
        self, task: Task, agent: Agent, settings: EpisodeSettings, sink: EpisodeSink, session: Session
    ) -> Finished:
        budget = Budget(settings.max_actions, settings.max_seconds, lambda: len(session.actions), time.monotonic)
        limit = self._watchdog.limit(settings.max_seconds, Ending.TIME_BUDGET, last_resort=sink.unstoppable)
        outfit = settings.outfit

        def extend(seconds: float) -> None:
            limit.extend(seconds)
            budget._extend(seconds)

        session.begin()
        try:
            with limit:
                if outfit is not None:
                    outfit.put_on(agent, session.cdp_url, extend, sink.log)
                answer = agent.run(brief_of(task, settings), session.page, budget)
        except Interrupted as stop:
            sink.log(f"stopped: {stop.reason}")
            return Finished(Ending(stop.reason), None)
        except GaveUp as reason:
            sink.log(f"gave up: {reason}")
            return Finished(Ending.GAVE_UP, None)
        except AgentCrashed as error:
            sink.log(f"crashed: {error}")
            return Finished(self._ending_after(error, session), None)
        except KeyboardInterrupt:
            raise  # the user's, not the agent's
        except BaseException as error:  # the border to the agent's code, sys.exit() and all: recorded
            if outfit is not None and outfit.ours and isinstance(error, InfraError | UsageError):
                raise  # no fault of the agent's decisions; a class of the user's has no say in that
            sink.log(scrub(traceback.format_exc()))
            return Finished(self._ending_after(error, session), None)
        finally:
            with suppress(Interrupted), self._watchdog.limit(FLUSH_SECONDS, "flush"):
                session.flush()
            session.end()
        if not session.alive():
            return Finished(Ending.BROWSER_LOST, None)
        # An action beyond the budget has had no effect; that the agent came to its end before we stopped it is chance.
        return Finished(Ending.STEP_BUDGET, None) if self._over_budget else self._finish(task, answer)

    def _ending_after(self, error: BaseException, session: Session) -> Ending:
        if not session.alive():
            return Ending.BROWSER_LOST
        if self._over_budget:
            return Ending.STEP_BUDGET
        return Ending.GAVE_UP if isinstance(error, StepError | BadReply) else Ending.AGENT_CRASHED

    def _finish(self, task: Task, answer: object) -> Finished:
        text = None if answer is None else str(answer)
        silent = text is None or not text.strip()
        return Finished(Ending.NO_ANSWER if silent and task.answer != "none" else Ending.DONE, text)

    def _close(self, session: Session) -> None:
        try:
            with self._watchdog.limit(10.0, "close"):
                session.close()
        except Interrupted:
            # It does not even close its tabs: end it, the next episode starts a new one.
            session.kill_browser()
