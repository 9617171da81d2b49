"""The policy of the decision agent: put the page to the model as typed questions, act on the most probable choice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from ...browser.actions import Action, Blocked, Done, TypeText
from ...browser.observation import Element, Mode, Observation
from ...errors import BadReply
from ...task.models import TaskBrief
from ..base import GaveUp, Usage
from ..dates import utc_now, with_dates
from ..policy import Candidate, Decision, Turn
from . import Options
from .answers import Answer, Picked
from .menu import Menu, menu_of
from .questions import request_body
from .server import DecisionServer
from .writer import Memory, Writer

MOST_REJECTIONS: Final = 5
"""Fields that the helper may have nothing for before the agent gives up."""
MOST_CANDIDATES: Final = 20
"""Targets that are noted, the most probable first."""


class DecisionPolicy:
    """Chooses with a decision model and writes with the text helper."""

    mode: Mode = "axtree"

    def __init__(
        self, server: DecisionServer, writer: Writer, options: Options, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._server, self._writer, self._options, self._now = server, writer, options, now
        self._memory = Memory()
        self._no_text: set[tuple[str, str]] = set()
        """Address and ref of fields that the helper has nothing for."""

    def choose(self, turn: Turn) -> Decision:
        """The most probable choice as an action. `BadReply` if the model's answer is no sound choice."""
        self._memory.add(turn.observation)
        goal = self._goal(turn.brief)
        if turn.last:
            written = self._writer.answer(goal, self._memory)
            return Decision(action=Done(answer=written.text), usage=written.usage)
        usage = Usage()
        rejected: list[str] = []
        while True:
            menu = self._menu(turn.observation)
            try:
                picked, cost = self._ask(goal, turn, menu)
                usage += cost
                action, cost = self._action(goal, turn, menu, picked)
            except BadReply as error:
                raise BadReply(str(error), usage + (error.usage or Usage())) from error
            usage += cost
            if action is not None:
                return _decision(menu, picked, action, usage, rejected)
            rejected.append(_field(menu, picked).name)

    def check(self) -> str:
        """Ask model and helper one tiny question each; `BadReply` or `EndpointError` if that fails."""
        brief = TaskBrief(
            task_id="check", goal="Open the next page.", start_url="http://check.test/", wants_answer=True,
            max_actions=1, max_seconds=60.0, locale="en-US", timezone="UTC",
        )  # fmt: skip
        seen = Observation(
            url=brief.start_url, title="Page 1", text="Page 1 of 2",
            elements=(Element(ref="e1", role="link", name="Next", tag="a", operations=("click",)),),
        )  # fmt: skip
        menu = menu_of(seen, whole_page=True)
        picked, _ = self._ask(brief.goal, Turn(brief=brief, observation=seen), menu)
        memory = Memory()
        memory.add(seen)
        self._writer.answer("How many pages are there? Answer with the number.", memory)
        return f"{self._server.model} chose {picked.operation.choice}, and the text helper answered"

    def _goal(self, brief: TaskBrief) -> str:
        return with_dates(brief.goal, self._options.timezone or brief.timezone, self._now)

    def _menu(self, seen: Observation) -> Menu:
        no_text = {ref for url, ref in self._no_text if url == seen.url}
        return menu_of(seen, whole_page=self._options.whole_page, no_text=no_text)

    def _ask(self, goal: str, turn: Turn, menu: Menu) -> tuple[Picked, Usage]:
        body = request_body(self._server.model, goal, turn, menu, self._memory.titles())
        return self._server.ask(body, menu, joint=self._options.joint)

    def _action(self, goal: str, turn: Turn, menu: Menu, picked: Picked) -> tuple[Action | None, Usage]:
        """What the choice comes to; None if it is a field that the helper has nothing for."""
        action = menu.action(picked.operation.choice, picked.target.choice if picked.target else "")
        if action is None:
            return self._typed(goal, turn, _field(menu, picked))
        if isinstance(action, Done) and turn.brief.wants_answer:
            written = self._writer.answer(goal, self._memory)
            return Done(answer=written.text), written.usage
        if isinstance(action, Blocked):
            return Blocked(reason=f"the model chose BLOCKED (probability {picked.probability:.2f})"), Usage()
        return action, Usage()

    def _typed(self, goal: str, turn: Turn, field: Element) -> tuple[TypeText | None, Usage]:
        try:
            written = self._writer.field_value(goal, turn, field)
        except BadReply as error:
            self._no_text.add((turn.observation.url, field.ref))
            if len(self._no_text) >= MOST_REJECTIONS:
                raise GaveUp(f"the text helper has nothing for {MOST_REJECTIONS} fields: {error}") from error
            return None, error.usage or Usage()
        return TypeText(ref=field.ref, text=written.text), written.usage


def _field(menu: Menu, picked: Picked) -> Element:
    assert picked.target is not None, "TYPE_TEXT has a target"
    return menu.targets[picked.operation.choice][picked.target.choice].element


def _decision(menu: Menu, picked: Picked, action: Action, usage: Usage, rejected: list[str]) -> Decision:
    facts: dict[str, JsonValue] = {"operation_probability": picked.operation.probability}
    if picked.target:
        facts["target_probability"] = picked.target.probability
    if rejected:
        facts["fields_without_text"] = list(rejected)
    return Decision(
        action=action,
        probability=picked.probability,
        candidates=(*_candidates(picked.operation, {}), *_target_candidates(menu, picked)),
        usage=usage,
        facts=facts,
    )


def _target_candidates(menu: Menu, picked: Picked) -> tuple[Candidate, ...]:
    if picked.target is None:
        return ()
    operation = picked.operation.choice
    names = {index: f"{operation} {target.label()}" for index, target in menu.targets[operation].items()}
    return _candidates(picked.target, names)[:MOST_CANDIDATES]


def _candidates(answer: Answer, names: dict[str, str]) -> tuple[Candidate, ...]:
    ranked = sorted(answer.probabilities.items(), key=lambda item: -item[1])
    return tuple(Candidate(label=names.get(option, option), probability=value) for option, value in ranked)
