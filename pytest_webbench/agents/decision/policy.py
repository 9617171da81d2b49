"""The policy of the decision agent: puts the page to the model as typed questions.

It acts on the most probable choice. Where something has to be written, a text helper writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from ..._usage import Usage
from ...browser.actions import Action, Blocked, Done, TypeText
from ...browser.observation import Element, Mode, Observation
from ...errors import BadReply
from ...task.models import TaskBrief
from ..base import GaveUp
from ..dates import utc_now, with_dates
from ..policy import Candidate, Decision, Turn
from .answers import MenuChoice, QuestionAnswer
from .client import DecisionClient
from .menu import Menu, menu_of
from .page_memory import PageMemory
from .questions import request_body
from .text_helper import TextHelper

MOST_REJECTIONS: Final = 5
"""Fields for which the helper may have no text before the agent gives up."""
MOST_CANDIDATES: Final = 20
"""Targets that are noted, the most probable first."""
_CHECK_BRIEF: Final = TaskBrief(
    task_id="check",
    goal="Open the next page.",
    start_url="http://check.test/",
    wants_answer=True,
    max_actions=1,
    max_seconds=60.0,
    locale="en-US",
    timezone="UTC",
)
_CHECK_PAGE: Final = Observation(
    url=_CHECK_BRIEF.start_url,
    title="Page 1",
    text="Page 1 of 2",
    elements=(Element(ref="e1", role="link", name="Next", tag="a", operations=("click",)),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionStyle:
    """How the model is asked."""

    joint: bool = False
    """Choose operation and target together, by the product of their probabilities."""
    whole_page: bool = False
    """Offer elements out of view, too."""
    timezone: str | None = None
    """IANA zone of the goal's relative dates; None for the browser's."""


class DecisionPolicy:
    """Chooses with a decision model and writes with a text helper."""

    mode: Mode = "axtree"

    def __init__(
        self,
        client: DecisionClient,
        helper: TextHelper,
        style: QuestionStyle,
        *,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._client = client
        self._helper = helper
        self._style = style
        self._now = now
        self._memory = PageMemory()
        self._no_text: set[tuple[str, str]] = set()
        """Address and ref of fields for which the helper has no text."""

    def choose(self, turn: Turn) -> Decision:
        """The most probable choice as an action. `BadReply` if the model's answer is not sound."""
        self._memory.add(turn.observation)
        goal = self._goal(turn.brief)
        if turn.last:
            written = self._helper.answer(goal, self._memory, turn.brief.answer_schema)
            return Decision(action=Done(answer=written.text), usage=written.usage)
        usage = Usage()
        rejected: list[str] = []
        while True:
            menu = self._menu(turn.observation)
            try:
                choice, cost = self._ask(goal, turn, menu)
                usage += cost
                action, cost = self._action(goal, turn, menu, choice)
            except BadReply as error:
                # What was spent before in this turn must be booked, too.
                raise BadReply(str(error), usage + (error.usage or Usage())) from error
            usage += cost
            if action is not None:
                return _decision(menu, choice, action, usage=usage, rejected=rejected)
            # The field is no longer on the menu, so the model can be asked again.
            rejected.append(_field(menu, choice).name)

    def check(self) -> str:
        """Ask model and helper one tiny question each; `BadReply` or `EndpointError` on failure."""
        menu = menu_of(_CHECK_PAGE, whole_page=True)
        turn = Turn(brief=_CHECK_BRIEF, observation=_CHECK_PAGE)
        choice, _ = self._ask(_CHECK_BRIEF.goal, turn, menu)
        memory = PageMemory()
        memory.add(_CHECK_PAGE)
        self._helper.answer("How many pages are there? Answer with the number.", memory)
        return f"{self._client.model} chose {choice.operation.choice}, and the text helper answered"

    def _goal(self, brief: TaskBrief) -> str:
        return with_dates(brief.goal, self._style.timezone or brief.timezone, self._now)

    def _menu(self, seen: Observation) -> Menu:
        no_text = {ref for url, ref in self._no_text if url == seen.url}
        return menu_of(seen, whole_page=self._style.whole_page, no_text=no_text)

    def _ask(self, goal: str, turn: Turn, menu: Menu) -> tuple[MenuChoice, Usage]:
        titles = self._memory.titles()
        body = request_body(goal, turn, menu, model=self._client.model, titles=titles)
        return self._client.ask(body, menu, joint=self._style.joint)

    def _action(
        self, goal: str, turn: Turn, menu: Menu, choice: MenuChoice
    ) -> tuple[Action | None, Usage]:
        """The choice as an action; None if it is a field for which the helper has no text."""
        index = choice.target.choice if choice.target is not None else ""
        action = menu.action(choice.operation.choice, index)
        if action is None:
            return self._typing(goal, turn, _field(menu, choice))
        if isinstance(action, Done) and turn.brief.wants_answer:
            written = self._helper.answer(goal, self._memory, turn.brief.answer_schema)
            return Done(answer=written.text), written.usage
        if isinstance(action, Blocked):
            reason = f"the model chose BLOCKED (probability {choice.probability:.2f})"
            return Blocked(reason=reason), Usage()
        return action, Usage()

    def _typing(self, goal: str, turn: Turn, field: Element) -> tuple[TypeText | None, Usage]:
        try:
            written = self._helper.field_value(goal, turn, field)
        except BadReply as error:
            # Refs are given anew in each document, so the address belongs to it.
            self._no_text.add((turn.observation.url, field.ref))
            if len(self._no_text) >= MOST_REJECTIONS:
                raise GaveUp(
                    f"the text helper has no text for {MOST_REJECTIONS} fields: {error}"
                ) from error
            return None, error.usage or Usage()
        return TypeText(ref=field.ref, text=written.text), written.usage


def _field(menu: Menu, choice: MenuChoice) -> Element:
    assert choice.target is not None, "TYPE_TEXT has a target"
    return menu.targets[choice.operation.choice][choice.target.choice].element


def _decision(
    menu: Menu, choice: MenuChoice, action: Action, *, usage: Usage, rejected: list[str]
) -> Decision:
    facts: dict[str, JsonValue] = {"operation_probability": choice.operation.probability}
    if choice.target is not None:
        facts["target_probability"] = choice.target.probability
    if rejected:
        facts["fields_without_text"] = list(rejected)
    return Decision(
        action=action,
        probability=choice.probability,
        candidates=(*_candidates(choice.operation, {}), *_target_candidates(menu, choice)),
        usage=usage,
        facts=facts,
    )


def _target_candidates(menu: Menu, choice: MenuChoice) -> tuple[Candidate, ...]:
    if choice.target is None:
        return ()
    operation = choice.operation.choice
    targets = menu.targets[operation]
    names = {index: f"{operation} {target.label()}" for index, target in targets.items()}
    return _candidates(choice.target, names)[:MOST_CANDIDATES]


def _candidates(answer: QuestionAnswer, names: dict[str, str]) -> tuple[Candidate, ...]:
    ranked = sorted(answer.probabilities.items(), key=lambda item: -item[1])
    return tuple(
        Candidate(label=names.get(option, option), probability=value) for option, value in ranked
    )
