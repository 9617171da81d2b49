"""The agent around a policy: it looks at the page, asks the policy, acts, and keeps a journal.

Every agent with a model is this one with a policy of its own, so that agents differ in nothing but
their policies.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from pydantic import JsonValue

from .._usage import Usage
from ..browser.actions import Action, Blocked, Done, Wait
from ..browser.executor import ActionExecutor
from ..browser.observation import Mode, Observation
from ..browser.observer import Observer
from ..browser.rendering import describe
from ..checks.answer_schema import misfit
from ..errors import BadReply, StepError
from ..task.models import TaskBrief
from .base import AgentContext, Budget, GaveUp, Journal
from .detached import detached_context
from .policy import Decision, PastAction, Policy, Turn
from .stop_rules import CIRCLES, AttemptedAction, StopLimits, StopRules

if TYPE_CHECKING:
    from playwright.sync_api import Page

TRIES: Final = 3
"""How often a policy is asked in one turn before the turn is lost."""
ANSWER_SECONDS: Final = 30.0
"""Seconds kept back for the final answer, but never more than a tenth of the budget."""


class Observes(Protocol):
    """Looks at pages; see `browser.observer.Observer`."""

    def look(self, page: Page, *, mode: Mode = ...) -> Observation:
        """What the page shows now."""


class Executes(Protocol):
    """Acts in pages; see `browser.executor.ActionExecutor`."""

    def do(self, page: Page, action: Action) -> Page:
        """Carry out ``action`` and wait until the page has settled.

        Returns the page to go on with, which may be a new tab. `StepError` if the action fails.
        """


class Tools(NamedTuple):
    """How an agent observes, acts, and names an action in words."""

    observer: Observes
    executor: Executes
    describe: Callable[[Action, Observation], str]


def browser_tools(observer: Observer | None = None) -> Tools:
    """Tools for Playwright pages; ``observer`` if pages are to be observed in a special way."""
    observer = observer or Observer()
    return Tools(observer, ActionExecutor(observer), describe)


class PolicyReply(NamedTuple):
    """What a policy has replied in one turn."""

    decision: Decision | None
    """None if no reply could be used."""
    rejected: tuple[str, ...]
    """What was wrong with each reply that could not be used."""
    usage: Usage
    """Of all replies, rejected ones too."""
    seconds: float
    failures: tuple[str, ...] = ()
    """The class of each failure in ``rejected``, where the policy distinguishes classes."""


def decide_once(
    policy: Policy,
    turn: Turn,
    *,
    tries: int = TRIES,
    clock: Callable[[], float] = time.monotonic,
) -> PolicyReply:
    """Ask a policy for one decision, and again while its reply cannot be used.

    `EndpointError` is not caught: it says nothing about the policy.
    """
    rejected: list[str] = []
    failures: list[str] = []
    usage = Usage()
    decision: Decision | None = None
    begin = clock()
    while decision is None and len(rejected) < tries:
        try:
            decision = policy.choose(_with_rejection(turn, rejected))
            usage += decision.usage
        except BadReply as error:
            rejected.append(str(error))
            # Chat models' bad replies have a class; those of decision models have none.
            failures.append(str(getattr(error, "failure", "")))
            usage += error.usage or Usage()
    return PolicyReply(decision, tuple(rejected), usage, clock() - begin, tuple(failures))


def _with_rejection(turn: Turn, rejected: list[str]) -> Turn:
    if not rejected:
        return turn
    note = f"Your last reply could not be used: {rejected[-1]}"
    return replace(turn, notes=(*turn.notes, note))


class PolicyAgent:
    """Observes, asks a policy, acts. A new object is made for every episode.

    ``open_policy`` is called once per episode, with the agent's context; the policy is closed when
    the episode ends.
    """

    dedicated_browser = False

    def __init__(
        self,
        open_policy: Callable[[AgentContext], AbstractContextManager[Policy]],
        *,
        tools: Tools | None = None,
        limits: StopLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_policy = open_policy
        self._tools = tools
        self._limits = limits
        self._clock = clock
        self._context = detached_context()

    def policy(self, context: AgentContext) -> AbstractContextManager[Policy]:
        """The policy alone, for single recorded steps; it is closed when the block is left."""
        return self._open_policy(context)

    def attach(self, context: AgentContext) -> None:
        """Keep the context for the policy and the journal."""
        self._context = context

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Do the task; `GaveUp` if the policy or a stop rule says so."""
        tools = self._tools or browser_tools()
        rules = StopRules(self._limits)
        with self._open_policy(self._context) as policy:
            journal = _DecisionJournal(self._context.journal, tools)
            episode = _Episode(policy, tools, journal=journal, rules=rules, clock=self._clock)
            return episode.run(brief, page, budget)


class _DecisionJournal:
    """Writes what a policy has replied, and what came of its decisions, to an agent's journal."""

    def __init__(self, journal: Journal, tools: Tools) -> None:
        self._journal = journal
        self._tools = tools

    def reply(self, number: int, reply: PolicyReply) -> None:
        self._journal.spend(reply.usage)
        if not reply.rejected:
            return
        facts: dict[str, JsonValue] = {"number": number, "errors": list(reply.rejected)}
        if any(reply.failures):
            facts["failures"] = list(reply.failures)
        self._journal.note("bad_reply", **facts)

    def decision(
        self,
        number: int,
        reply: PolicyReply,
        observation: Observation,
        *,
        error: str = "",
        changed: bool | None = None,
    ) -> None:
        decision = reply.decision
        assert decision is not None, "only replies with a decision are noted as one"
        usage = decision.usage
        self._journal.note(
            "decision",
            number=number,
            label=self._tools.describe(decision.action, observation),
            action=decision.action.model_dump(mode="json"),
            thought=decision.thought,
            probability=decision.probability,
            candidates=[
                {"label": candidate.label, "probability": candidate.probability}
                for candidate in decision.candidates
            ],
            asks=len(reply.rejected) + 1,
            seconds=round(reply.seconds, 3),
            usage={
                "calls": usage.calls,
                "seconds": round(usage.seconds, 3),
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cost": usage.cost,
            },
            url=observation.url,
            fingerprint=observation.fingerprint,
            changed=changed,
            error=error,
            **decision.facts,
        )


class _Episode:
    """The state of one episode."""

    def __init__(
        self,
        policy: Policy,
        tools: Tools,
        *,
        journal: _DecisionJournal,
        rules: StopRules,
        clock: Callable[[], float],
    ) -> None:
        self._policy = policy
        self._tools = tools
        self._journal = journal
        self._rules = rules
        self._clock = clock
        self._history: list[PastAction] = []
        self._notes: tuple[str, ...] = ()
        self._invalid_turns = 0
        self._refused_answers = 0

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        # Time kept back, so that an agent that used it all can still be asked for its answer.
        reserve = min(ANSWER_SECONDS, budget.seconds / 10) if brief.wants_answer else 0.0
        most = self._rules.limits.decisions
        seen = self._look(page)
        for number in range(1, most + 1):
            if reason := self._rules.reason() or _used_up(budget, reserve):
                return self._finish(number, self._turn(brief, seen, budget), reason)
            reply = self._ask(number, self._turn(brief, seen, budget))
            decision = reply.decision
            if decision is None:
                # Asking takes seconds, so the page may have changed.
                seen = self._look(page)
            elif isinstance(decision.action, Done | Blocked):
                if not self._refuses_answer(number, reply, seen, brief):
                    return _answer(decision.action)
                seen = self._look(page)
            elif self._rules.repeats(_key(decision.action), seen.fingerprint):
                self._refuse(number, reply, seen)
                seen = self._look(page)
            else:
                page, seen = self._act(number, reply, decision.action, page, seen)
        turn = self._turn(brief, seen, budget)
        return self._finish(most + 1, turn, f"it has made {most} decisions")

    def _look(self, page: Page) -> Observation:
        return self._tools.observer.look(page, mode=self._policy.mode)

    def _turn(self, brief: TaskBrief, seen: Observation, budget: Budget) -> Turn:
        notes, self._notes = self._notes, ()  # they are for one turn only
        return Turn(
            brief=brief,
            observation=seen,
            history=tuple(self._history),
            actions_left=budget.actions_left,
            seconds_left=budget.seconds_left,
            notes=notes,
        )

    def _ask(self, number: int, turn: Turn) -> PolicyReply:
        """The policy's reply; `GaveUp` once too many turns in a row had no usable one."""
        reply = decide_once(self._policy, turn, clock=self._clock)
        self._journal.reply(number, reply)
        if reply.decision is not None:
            self._invalid_turns = 0
            return reply
        self._invalid_turns += 1
        if self._invalid_turns >= self._rules.limits.invalid_turns:
            raise GaveUp(
                f"the model gave no usable reply in {self._invalid_turns} turns: "
                f"{reply.rejected[-1]}"
            )
        return reply

    def _refuse(self, number: int, reply: PolicyReply, seen: Observation) -> None:
        """Do not carry out a decision that closes a cycle, and tell the policy so."""
        self._journal.decision(number, reply, seen, error=f"not done: {CIRCLES}")
        self._notes = (f"Not done, because {CIRCLES}. Do something else.",)

    def _refuses_answer(
        self, number: int, reply: PolicyReply, seen: Observation, brief: TaskBrief
    ) -> bool:
        """Note the policy's last word; True if it is to try again, for its answer does not fit."""
        assert reply.decision is not None, "it has ended the episode"
        why = _misfit(brief, reply.decision.action)
        self._refused_answers += bool(why)
        if not why or self._refused_answers >= self._rules.limits.invalid_turns:
            self._journal.decision(number, reply, seen)
            return False
        self._journal.decision(
            number, reply, seen, error=f"not done: the answer does not fit: {why}"
        )
        self._notes = (f"Not done, because the answer does not fit: {why}.",)
        return True

    def _act(
        self, number: int, reply: PolicyReply, action: Action, page: Page, seen: Observation
    ) -> tuple[Page, Observation]:
        error = ""
        changed: bool | None = None
        try:
            try:
                page = self._tools.executor.do(page, action)
            except StepError as failure:
                # The policy sees it in the history and can try something else.
                error = str(failure)
            after = self._look(page)
            changed = after.fingerprint != seen.fingerprint
        finally:
            # The time budget may end the episode anywhere in here, by an exception from outside;
            # the decision belongs into the journal even so.
            self._journal.decision(number, reply, seen, error=error, changed=changed)
        label = self._tools.describe(action, seen)
        self._history.append(
            PastAction(action=action, label=label, changed=changed, error=error, url=seen.url)
        )
        self._rules.add(
            AttemptedAction(
                action=_key(action),
                before=seen.fingerprint,
                after=after.fingerprint,
                wait=isinstance(action, Wait),
                error=bool(error),
            )
        )
        return page, after

    def _finish(self, number: int, turn: Turn, reason: str) -> str | None:
        """End the episode for ``reason``, but ask for the answer first if there is to be one."""
        if not turn.brief.wants_answer or turn.seconds_left <= 0:
            raise GaveUp(reason)
        note = f"No further action is possible: {reason}. Give your answer now."
        reply = self._ask(number, replace(turn, last=True, notes=(*turn.notes, note)))
        if reply.decision is None:
            raise GaveUp(reason)
        self._journal.decision(number, reply, turn.observation)
        action = reply.decision.action
        if isinstance(action, Done) and (action.answer or "").strip():
            return action.answer
        raise GaveUp(reason)


def _answer(end: Done | Blocked) -> str | None:
    if isinstance(end, Blocked):
        raise GaveUp(end.reason or "the agent sees no way to do the task")
    return end.answer


def _misfit(brief: TaskBrief, end: Action) -> str:
    """Why an answer does not fit the task's schema; empty if it does, or if there is none."""
    if brief.answer_schema is None or not isinstance(end, Done):
        return ""
    return misfit(end.answer, brief.answer_schema)


def _key(action: Action) -> str:
    return action.model_dump_json()


def _used_up(budget: Budget, reserve: float) -> str:
    """What of the budget is used up; empty if nothing is."""
    if budget.actions_left == 0:
        return "all actions are used up"
    return "the time is used up" if budget.seconds_left <= reserve else ""
