"""The agent around a policy: it looks at the page, asks the policy, acts, and keeps account.

Every agent with a model is this one with a policy of its own, so that the policy is the only variable.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from pydantic import JsonValue

from ..browser.actions import Action, Blocked, Done, Wait
from ..browser.observation import Mode, Observation
from ..errors import BadReply, StepError
from ..task.models import TaskBrief
from .base import Budget, Equipment, GaveUp, Journal, Usage
from .endpoint.gate import LocalGate
from .policy import Decision, Past, Policy, Turn
from .stops import CIRCLES, StopLimits, StopRules, Tried

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from ..browser.observe import Observer

ASKS: Final = 3
"""How often a policy is asked in one turn before the turn is lost."""
ANSWER_SECONDS: Final = 30.0
"""Time kept back for the final answer, but never more than a tenth of the budget."""


class Looks(Protocol):
    """Sees pages; see `browser.observe.Observer`."""

    def look(self, page: Page, *, mode: Mode = ...) -> Observation:
        """What there is to be seen now."""


class Acts(Protocol):
    """Acts in pages; see `browser.hands.Hands`."""

    def do(self, page: Page, action: Action) -> Page:
        """Do it, let the page settle; the page to go on with. `StepError` if it cannot be done."""


class Tools(NamedTuple):
    """How an agent sees and acts, and how it tells of an action."""

    eyes: Looks
    hands: Acts
    describe: Callable[[Action, Observation], str]


class Asked(NamedTuple):
    """What a policy said in one turn."""

    decision: Decision | None
    """None if no reply could be used."""
    refused: tuple[str, ...]
    """What was wrong with the replies that could not be used."""
    usage: Usage
    """Of all replies, bad ones too."""
    seconds: float
    failures: tuple[str, ...] = ()
    """The class of each failure in ``refused``, where the policy tells classes apart."""


def decide_once(policy: Policy, turn: Turn, *, asks: int = ASKS, clock: Callable[[], float] = time.monotonic) -> Asked:
    """Ask a policy for one decision, again if its reply cannot be used. `EndpointError` goes through."""
    refused: list[str] = []
    failures: list[str] = []
    usage, begin = Usage(), clock()
    for _ in range(asks):
        try:
            decision = policy.choose(_with_notes(turn, refused))
        except BadReply as error:
            refused.append(str(error))
            failures.append(str(getattr(error, "failure", "")))
            usage += error.usage or Usage()
        else:
            return Asked(decision, tuple(refused), usage + decision.usage, clock() - begin, tuple(failures))
    return Asked(None, tuple(refused), usage, clock() - begin, tuple(failures))


def _with_notes(turn: Turn, refused: list[str]) -> Turn:
    if not refused:
        return turn
    return replace(turn, notes=(*turn.notes, f"Your last reply could not be used: {refused[-1]}"))


class PolicyAgent:
    """Observes, asks a policy, acts. One object serves one episode.

    ``open_policy`` is called once, with what the harness hands out; what it opens is closed with the episode.
    """

    own_browser = False

    def __init__(
        self,
        open_policy: Callable[[Equipment], AbstractContextManager[Policy]],
        *,
        tools: Tools | None = None,
        limits: StopLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_policy, self._tools, self._limits, self._clock = open_policy, tools, limits, clock
        self._equipment = Equipment(NoJournal(), LocalGate(), None)

    def policy(self, equipment: Equipment) -> AbstractContextManager[Policy]:
        """The policy alone, for single recorded steps; what it opens is closed with the block."""
        return self._open_policy(equipment)

    def equip(self, equipment: Equipment) -> None:
        """Take journal and gate."""
        self._equipment = equipment

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        """Do the task; `GaveUp` if the policy or a stop rule says so."""
        tools = self._tools or browser_tools()
        with self._open_policy(self._equipment) as policy:
            return _Episode(policy, tools, self._equipment.journal, StopRules(self._limits), self._clock).run(
                brief, page, budget
            )


class _Episode:
    """The state of one episode."""

    def __init__(
        self, policy: Policy, tools: Tools, journal: Journal, rules: StopRules, clock: Callable[[], float]
    ) -> None:
        self._policy, self._tools, self._journal, self._rules, self._clock = policy, tools, journal, rules, clock
        self._history: list[Past] = []
        self._notes: tuple[str, ...] = ()
        self._asked: Asked | None = None
        self._invalid_turns = 0

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> str | None:
        reserve = min(ANSWER_SECONDS, budget.seconds / 10) if brief.wants_answer else 0.0
        most = self._rules.limits.decisions
        seen = self._look(page)
        for number in range(1, most + 1):
            if reason := self._rules.reason() or _used_up(budget, reserve):
                return self._finish(number, self._turn(brief, seen, budget), reason)
            decision = self._ask(number, self._turn(brief, seen, budget))
            if decision is not None:
                if isinstance(decision.action, Done | Blocked):
                    self._note(number, decision, seen)
                    return _answer(decision.action)
                if not self._goes_in_circles(number, decision, seen):
                    page, seen = self._act(number, decision, page, seen)
                    continue
            seen = self._look(page)
        return self._finish(most + 1, self._turn(brief, seen, budget), f"it has made {most} decisions")

    def _look(self, page: Page) -> Observation:
        return self._tools.eyes.look(page, mode=self._policy.mode)

    def _turn(self, brief: TaskBrief, seen: Observation, budget: Budget) -> Turn:
        notes, self._notes = self._notes, ()
        return Turn(
            brief=brief,
            observation=seen,
            history=tuple(self._history),
            actions_left=budget.actions_left,
            seconds_left=budget.seconds_left,
            notes=notes,
        )

    def _ask(self, number: int, turn: Turn) -> Decision | None:
        """The policy's decision; None if it gave no usable reply, `GaveUp` once that has happened too often."""
        self._asked = asked = decide_once(self._policy, turn, clock=self._clock)
        self._journal.spend(asked.usage)
        if asked.refused:
            classes: dict[str, JsonValue] = {"failures": list(asked.failures)} if any(asked.failures) else {}
            self._journal.note("bad_reply", number=number, errors=list(asked.refused), **classes)
        if asked.decision is not None:
            self._invalid_turns = 0
            return asked.decision
        self._invalid_turns += 1
        if self._invalid_turns >= self._rules.limits.invalid_turns:
            raise GaveUp(f"the model gave no usable reply in {self._invalid_turns} turns: {asked.refused[-1]}")
        return None

    def _goes_in_circles(self, number: int, decision: Decision, seen: Observation) -> bool:
        """Whether the decision is better not carried out, and the page looked at again."""
        if not self._rules.repeats(_key(decision.action), seen.fingerprint):
            return False
        self._note(number, decision, seen, error=f"not done: {CIRCLES}")
        self._notes = (f"Not done, because {CIRCLES}. Do something else.",)
        return True

    def _act(self, number: int, decision: Decision, page: Page, seen: Observation) -> tuple[Page, Observation]:
        action, error = decision.action, ""
        changed: bool | None = None
        try:
            try:
                page = self._tools.hands.do(page, action)
            except StepError as failure:
                error = str(failure)
            after = self._look(page)
            changed = after.fingerprint != seen.fingerprint
        finally:  # when time is up in here, what was decided still goes on record
            self._note(number, decision, seen, error=error, changed=changed)
        label = self._tools.describe(action, seen)
        self._history.append(Past(action=action, label=label, changed=changed, error=error, url=seen.url))
        wait = isinstance(action, Wait)
        self._rules.add(Tried(_key(action), seen.fingerprint, after.fingerprint, wait, bool(error)))
        return page, after

    def _finish(self, number: int, turn: Turn, reason: str) -> str | None:
        """The end that a rule or the budget has set: ask for the answer, if there is to be one."""
        if turn.brief.wants_answer and turn.seconds_left > 0:
            notes = (*turn.notes, f"No further action is possible: {reason}. Give your answer now.")
            last = replace(turn, last=True, notes=notes)
            decision = self._ask(number, last)
            if decision is not None:
                self._note(number, decision, turn.observation)
                if isinstance(decision.action, Done) and (decision.action.answer or "").strip():
                    return decision.action.answer
        raise GaveUp(reason)

    def _note(
        self, number: int, decision: Decision, seen: Observation, *, error: str = "", changed: bool | None = None
    ) -> None:
        usage, asked = decision.usage, self._asked
        assert asked is not None, "what is noted was asked for"
        self._journal.note(
            "decision",
            number=number,
            label=self._tools.describe(decision.action, seen),
            action=decision.action.model_dump(mode="json"),
            thought=decision.thought,
            probability=decision.probability,
            candidates=[{"label": one.label, "probability": one.probability} for one in decision.candidates],
            asks=len(asked.refused) + 1,
            seconds=round(asked.seconds, 3),
            usage={
                "calls": usage.calls,
                "seconds": round(usage.seconds, 3),
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cost": usage.cost,
            },
            url=seen.url,
            fingerprint=seen.fingerprint,
            changed=changed,
            error=error,
            **decision.facts,
        )


def _answer(end: Done | Blocked) -> str | None:
    if isinstance(end, Blocked):
        raise GaveUp(end.reason or "the agent sees no way to do the task")
    return end.answer


def _key(action: Action) -> str:
    return action.model_dump_json()


def _used_up(budget: Budget, reserve: float) -> str:
    """What of the budget is used up, if anything."""
    if budget.actions_left == 0:
        return "all actions are used up"
    return "the time is used up" if budget.seconds_left <= reserve else ""


def browser_tools(observer: Observer | None = None) -> Tools:
    """Eyes and hands for Playwright pages; ``observer`` if they are to be seen otherwise than by default."""
    from ..browser.hands import Hands, describe
    from ..browser.observe import Observer

    eyes = observer or Observer()
    return Tools(eyes, Hands(eyes), describe)


class NoJournal:
    """Keeps nothing: for agents that run outside a harness."""

    def note(self, kind: str, **facts: JsonValue) -> None:
        """Forget it."""

    def spend(self, usage: Usage) -> None:
        """Forget it."""
