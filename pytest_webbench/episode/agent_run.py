"""The agent's part of an episode: from the opened start page to its answer, within its budgets."""

from __future__ import annotations

import inspect
import reprlib
import signal
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any, Protocol

from .._text import clip, clip_middle, sanitize
from ..agents import Agent, Budget, GaveUp
from ..agents.base import AgentCrashed
from ..browser.action_log import ActionSink
from ..browser.session import Session
from ..capture.capture import Finished
from ..checks.answer_schema import misfit
from ..errors import BadReply, InfraError, StepError, UsageError
from ..evidence.models import Ending
from ..task import TaskBrief
from .agent_context import ContextProvider
from .oversight import Will
from .process_guard import ProcessGuard
from .watchdog import Interrupted, Watchdog

# A page that hangs never answers; what it did not report by then is lost.
FLUSH_SECONDS = 2.0
_TELL_SECONDS = 5.0
_LONGEST_TOLD = 100_000
"""Characters of what an exception says."""
_LONGEST_VALUE = 100
_BUDGETS = {ending.value: ending for ending in (Ending.TIME_BUDGET, Ending.STEP_BUDGET)}


class EpisodeSink(ActionSink, Protocol):
    """Takes what an episode produces, while it runs."""

    def log(self, text: str) -> None:
        """A line for ``agent.log``."""

    def unstoppable(self) -> None:
        """The agent ignores its time budget and cannot be interrupted.

        Called in another thread than the agent's.
        """

    def will(self) -> Will | None:
        """What another process is to do if it has to end this one."""


class _CtrlC:
    """A block in which it is noted whether the user interrupts: an agent may claim it as well."""

    def __init__(self) -> None:
        self.pressed = False
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = signal.getsignal(signal.SIGINT)
        if callable(self._before):
            signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *_error: object) -> None:
        if callable(self._before):
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        self._before(number, frame)


class ActionLimit:
    """Holds an agent to its action budget.

    The browser learns before the last action that no other may follow, so that an action beyond the
    budget has no effect even if it is sent before the agent can be interrupted.
    """

    def __init__(self, session: Session, most: int, watchdog: Watchdog) -> None:
        self._session, self._most, self._watchdog = session, most, watchdog
        self.exceeded = False
        if most == 1:
            session.expect_last_input()

    def on_action(self, count: int) -> None:
        """The browser has observed action number ``count``."""
        if count == self._most - 1:
            self._session.expect_last_input()
        elif count == self._most:
            self._session.refuse_input()
        elif count > self._most and not self.exceeded:
            # More may arrive while the agent is being stopped: interrupt it once.
            self.exceeded = True
            self._watchdog.interrupt(Ending.STEP_BUDGET)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRun:
    """Everything that one agent needs for one episode. ``session`` shows the start page."""

    agent: Agent
    brief: TaskBrief
    session: Session
    sink: EpisodeSink
    watchdog: Watchdog
    action_limit: ActionLimit
    context_provider: ContextProvider | None = None

    def run(self) -> Finished:
        """Let the agent act and say how it ended.

        Lets through `InfraError` and `UsageError` of trusted agents, and the user's Ctrl-C.
        """
        self.session.begin()
        try:
            finished = self._run_agent()
        except KeyboardInterrupt:
            self.session.end()  # the user waits, and Ctrl-C has reached the driver as well
            raise
        except BaseException:
            self._end_session()
            raise
        lost = self._end_session()
        if lost:
            self.sink.log(f"lost: {lost}")
            what = f"Playwright's driver or its event loop has ended ({lost})"
            return Finished(Ending.BROWSER_LOST, None, what, connected=False)
        return finished

    def _end_session(self) -> str:
        """Take no more of the agent's actions; why the browser cannot be reached, if so."""
        try:
            with suppress(Interrupted), self.watchdog.limit(FLUSH_SECONDS, "flush"):
                self.session.flush()
            self.session.end()
            with suppress(Interrupted), self.watchdog.limit(FLUSH_SECONDS, "flush"):
                self.session.require_connection()
        except Exception as error:  # noqa: BLE001 - a broken event loop raises anything
            return _in_one_line(f"{type(error).__name__}: {error}")
        return ""

    def _run_agent(self) -> Finished:
        ctrl_c = _CtrlC()
        try:
            with ctrl_c:
                answer = self._call_agent()
        except Interrupted as stop:
            self.sink.log(f"stopped: {stop.reason}")
            return Finished(_BUDGETS.get(stop.reason, Ending.AGENT_CRASHED), None)
        except GaveUp as reason:
            told = self._told(reason)
            self.sink.log(f"gave up: {told}")
            return Finished(Ending.GAVE_UP, None, _in_one_line(told))
        except AgentCrashed as error:
            told = self._told(error)
            self.sink.log(f"crashed: {told}")
            return Finished(self._ending_after(error), None, _in_one_line(told))
        except BaseException as error:
            # The border to the agent's code: even sys.exit() is its failure and must be recorded.
            if ctrl_c.pressed or self._is_harness_trouble(error):
                raise
            self.sink.log(self._told(error, with_traceback=True))
            return Finished(self._ending_after(error), None, self._in_brief(error))
        return self._finished(answer)

    def _call_agent(self) -> str | None:
        brief, session = self.brief, self.session
        budget = Budget(
            brief.max_actions, brief.max_seconds, lambda: len(session.actions), time.monotonic
        )
        limit = self.watchdog.limit(
            brief.max_seconds,
            Ending.TIME_BUDGET,
            last_resort=self.sink.unstoppable,
            will=self.sink.will(),
        )

        def extend(seconds: float) -> None:
            limit.extend(seconds)
            budget._extend(seconds)

        try:
            with ProcessGuard(self.sink.log), limit:
                if self.context_provider is not None:
                    self.context_provider.attach(
                        self.agent, cdp_url=session.cdp_url, extend=extend, log=self.sink.log
                    )
                # Within the limit, for to make a text of the answer runs code of the agent.
                return _as_text(self.agent.run(brief, session.page, budget))
        finally:
            limit.lift()

    def _told(self, error: BaseException, *, with_traceback: bool = False) -> str:
        """What an exception of the agent says; its class may be the agent's own, and hang."""
        limit = self.watchdog.limit(
            _TELL_SECONDS,
            "telling what went wrong",
            last_resort=self.sink.unstoppable,
            will=self.sink.will(),
        )
        try:
            with limit:
                lines = traceback.format_exception(error) if with_traceback else [str(error)]
                return sanitize(clip_middle("".join(lines), _LONGEST_TOLD))
        except BaseException:  # noqa: BLE001 - code of the agent again
            return f"an exception of class {type(error).__name__} that cannot be shown"
        finally:
            limit.lift()

    def _in_brief(self, error: BaseException) -> str:
        """The class of an exception and the first line of what it says."""
        told = self._told(error).strip().partition("\n")[0]
        if isinstance(error, StepError | BadReply):
            return _in_one_line(told)
        return _in_one_line(f"{type(error).__name__}: {told}".rstrip(": "))

    def _is_harness_trouble(self, error: BaseException) -> bool:
        """Whether the agent is not to blame for an error; only trusted agents are believed.

        A program or a service is somebody else's: what it reports once it has acted is its doing.
        """
        trusted = self.context_provider is not None and self.context_provider.trusted
        if self.session.cdp_url is not None and self.session.actions:
            return False
        return trusted and isinstance(error, InfraError | UsageError)

    def _ending_after(self, error: BaseException) -> Ending:
        # First of all: once the browser is lost, every call fails, whoever is to blame.
        if not self.session.alive():
            return Ending.BROWSER_LOST
        if self.action_limit.exceeded:
            return Ending.STEP_BUDGET
        if isinstance(error, StepError | BadReply):
            return Ending.GAVE_UP
        return Ending.AGENT_CRASHED

    def _finished(self, answer: str | None) -> Finished:
        if not self.session.alive():
            return Finished(Ending.BROWSER_LOST, None)
        if self.action_limit.exceeded:
            # Whether the agent ended by itself or was interrupted first is chance: same ending.
            return Finished(Ending.STEP_BUDGET, None)
        if self.brief.answer_schema is not None:
            if why := misfit(answer, self.brief.answer_schema):
                self.sink.log(f"no answer: {why}")
                return Finished(Ending.NO_ANSWER, answer, _in_one_line(why))
        elif self.brief.wants_answer and (answer is None or not answer.strip()):
            return Finished(Ending.NO_ANSWER, answer)
        return Finished(Ending.DONE, answer)


def _as_text(answer: object) -> str | None:
    """The agent's answer as a plain text, whatever class of text it is of."""
    if answer is None:
        return None
    if isinstance(answer, str):
        return str.__str__(answer)
    if inspect.iscoroutine(answer):
        answer.close()  # or Python warns later that it was never awaited
    what = f"a value of type {type(answer).__name__}"
    if type(answer).__module__ == "builtins" and not hasattr(answer, "close"):
        what += f" ({clip(reprlib.repr(answer), _LONGEST_VALUE)})"
    raise AgentCrashed(f"run returned {what}; it has to return text or None")


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
