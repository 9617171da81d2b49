"""The agent around a policy: what it asks, what it does with the answer, when it stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from playwright.sync_api import Page

from pytest_webbench._usage import Usage
from pytest_webbench.agents import Budget, GaveUp
from pytest_webbench.agents.base import AgentContext
from pytest_webbench.agents.detached import LocalBackoff
from pytest_webbench.agents.loop import PolicyAgent, Tools, decide_once
from pytest_webbench.agents.policy import Candidate, Decision, Turn
from pytest_webbench.agents.stop_rules import StopLimits
from pytest_webbench.browser.actions import Action, Blocked, Click, Done, Wait
from pytest_webbench.browser.observation import Element, Mode, Observation
from pytest_webbench.errors import BadReply, EndpointError, StepError
from pytest_webbench.task import TaskBrief

BRIEF = TaskBrief(
    task_id="t",
    goal="Open the last page.",
    start_url="https://a.test/",
    wants_answer=False,
    max_actions=60,
    max_seconds=100.0,
    locale="en-US",
    timezone="UTC",
)
ASKING = replace(BRIEF, wants_answer=True)
NEXT = Click(ref="e1")
Says = Decision | Exception


def page_number(number: int) -> Observation:
    return Observation(
        url=f"https://a.test/{number}",
        title=f"Page {number}",
        text="",
        fingerprint=f"page {number}",
        elements=(Element(ref="e1", role="link", name="Next", tag="a", operations=("click",)),),
    )


@dataclass
class Site:
    """A row of pages, observer and executor in one: a click leads to the next, up to ``last``."""

    last: int = 1000
    at: int = 0
    looks: int = 0
    done: list[Action] = field(default_factory=list)
    fails: Callable[[int], bool] = lambda _number: False

    def look(self, page: Page, *, mode: Mode = "axtree") -> Observation:
        self.looks += 1
        return page_number(self.at)

    def do(self, page: Page, action: Action) -> Page:
        self.done.append(action)
        if self.fails(len(self.done)):
            raise StepError("it is covered")
        if isinstance(action, Click):
            self.at = min(self.at + 1, self.last)
        return page

    def tools(self) -> Tools:
        return Tools(self, self, lambda action, seen: f"{action.do} on {seen.title}")


@dataclass
class Script:
    """A policy that says what it was given, the last of it for ever."""

    says: list[Says]
    mode: Mode = "axtree"
    turns: list[Turn] = field(default_factory=list)
    closed: bool = False

    def choose(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        said = self.says[min(len(self.turns), len(self.says)) - 1]
        if isinstance(said, Exception):
            raise said
        return said

    @contextmanager
    def opened(self, context: AgentContext) -> Iterator[Script]:
        yield self
        self.closed = True


@dataclass
class Notes:
    """A journal that keeps its notes."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    spent: Usage = field(default_factory=Usage)

    def note(self, kind: str, **facts: Any) -> None:
        self.lines.append({"kind": kind, **facts})

    def spend(self, usage: Usage) -> None:
        self.spent += usage


@dataclass
class Outcome:
    """What a run of the loop came to."""

    answer: str | None
    gave_up: str
    site: Site
    policy: Script
    notes: Notes


def say(action: Action, **facts: Any) -> Decision:
    return Decision(action=action, **facts)


def play(
    *says: Says,
    brief: TaskBrief = BRIEF,
    site: Site | None = None,
    actions: int = 60,
    seconds: Callable[[], float] = lambda: 0.0,
    limits: StopLimits | None = None,
) -> Outcome:
    site, policy, notes = site or Site(), Script(list(says)), Notes()
    agent = PolicyAgent(policy.opened, tools=site.tools(), limits=limits)
    agent.attach(AgentContext(notes, LocalBackoff(), None))
    budget = Budget(actions, 100.0, lambda: len(site.done), seconds)
    answer, gave_up = None, ""
    try:
        answer = agent.run(brief, cast(Page, None), budget)
    except GaveUp as reason:
        gave_up = str(reason)
    return Outcome(answer, gave_up, site, policy, notes)


def test_loop_acts_until_the_policy_is_done() -> None:
    outcome = play(say(NEXT), say(NEXT), say(Done()))
    assert (outcome.site.at, outcome.answer, outcome.gave_up) == (2, None, "")
    assert outcome.policy.closed
    assert [turn.observation.title for turn in outcome.policy.turns] == [
        "Page 0",
        "Page 1",
        "Page 2",
    ]


def test_answer_is_returned() -> None:
    assert play(say(NEXT), say(Done(answer="42")), brief=ASKING).answer == "42"


TYPED = replace(ASKING, answer_schema={"type": "object", "required": ["n"]})


def test_typed_answer_that_does_not_fit_is_asked_for_again() -> None:
    outcome = play(say(Done(answer="42")), say(Done(answer='{"n": 42}')), brief=TYPED)
    assert outcome.answer == '{"n": 42}'
    (note,) = outcome.policy.turns[1].notes
    assert "Not done, because the answer does not fit" in note


def test_typed_answer_that_never_fits_is_returned_in_the_end() -> None:
    outcome = play(say(Done(answer="forty-two")), brief=TYPED)
    assert (outcome.answer, len(outcome.policy.turns)) == ("forty-two", 3)


def test_blocked_decision_gives_up_with_its_reason() -> None:
    assert play(say(Blocked(reason="a wall"))).gave_up == "a wall"


def test_history_lists_actions_pages_and_effects() -> None:
    outcome = play(
        say(NEXT), say(Wait()), say(NEXT), say(Done()), site=Site(fails=lambda number: number == 3)
    )
    history = outcome.policy.turns[-1].history
    assert [(past.label, past.changed, past.error, past.url) for past in history] == [
        ("click on Page 0", True, "", "https://a.test/0"),
        ("wait on Page 1", False, "", "https://a.test/1"),
        ("click on Page 1", False, "it is covered", "https://a.test/1"),
    ]


def test_every_decision_is_one_line_of_the_journal() -> None:
    usage = Usage(calls=1, seconds=0.5, input_tokens=10, output_tokens=2, cost=0.001)
    chosen = say(
        NEXT,
        thought="on",
        probability=0.75,
        usage=usage,
        facts={"extra": 1},
        candidates=(
            Candidate(label="CLICK", probability=0.75),
            Candidate(label="DONE", probability=0.25),
        ),
    )
    notes = play(chosen, say(Done())).notes
    assert notes.spent == usage + Usage()
    first, second = notes.lines
    assert first.pop("seconds") >= 0
    assert first == {
        "kind": "decision",
        "number": 1,
        "label": "click on Page 0",
        "action": {"do": "click", "ref": "e1"},
        "thought": "on",
        "probability": 0.75,
        "candidates": [
            {"label": "CLICK", "probability": 0.75},
            {"label": "DONE", "probability": 0.25},
        ],
        "asks": 1,
        "usage": {
            "calls": 1,
            "seconds": 0.5,
            "input_tokens": 10,
            "output_tokens": 2,
            "cost": 0.001,
        },
        "url": "https://a.test/0",
        "fingerprint": "page 0",
        "changed": True,
        "error": "",
        "extra": 1,
    }
    assert (second["number"], second["label"], second["changed"]) == (2, "done on Page 1", None)


class TimeUp(KeyboardInterrupt):
    pass


def test_decision_is_recorded_even_if_time_runs_out_during_it() -> None:
    class Hanging(Site):
        def do(self, page: Page, action: Action) -> Page:
            raise TimeUp

    site, policy, notes = Hanging(), Script([say(NEXT)]), Notes()
    agent = PolicyAgent(policy.opened, tools=site.tools())
    agent.attach(AgentContext(notes, LocalBackoff(), None))
    with pytest.raises(TimeUp):
        agent.run(BRIEF, cast(Page, None), Budget(60, 100.0, lambda: 0, lambda: 0.0))
    assert [(line["label"], line["changed"]) for line in notes.lines] == [("click on Page 0", None)]


# -- replies that cannot be used ---------------------------------------------------------------


def test_bad_reply_is_retried_with_the_reason() -> None:
    outcome = play(BadReply("no JSON", Usage(calls=1, cost=0.5)), say(Done(), usage=Usage(calls=1)))
    assert outcome.gave_up == ""
    assert outcome.policy.turns[1].notes == ("Your last reply could not be used: no JSON",)
    assert (outcome.notes.spent.calls, outcome.notes.spent.cost) == (2, 0.5)
    assert outcome.notes.lines[0]["errors"] == ["no JSON"]
    assert outcome.notes.lines[1]["asks"] == 2


def test_three_turns_of_bad_replies_fail_the_agent() -> None:
    outcome = play(BadReply("no JSON"))
    assert outcome.gave_up == "the model gave no usable reply in 3 turns: no JSON"
    assert len(outcome.policy.turns) == 9
    assert outcome.site.looks == 3


def test_good_turn_resets_the_count_of_bad_ones() -> None:
    bad = [BadReply("no JSON")] * 6
    outcome = play(*bad, say(NEXT), *bad, say(NEXT), say(Done()))
    assert (outcome.site.at, outcome.gave_up) == (2, "")


def test_endpoint_error_is_not_caught() -> None:
    with pytest.raises(EndpointError, match="gone"):
        play(EndpointError("gone"))


def test_single_decision_needs_no_page() -> None:
    turn = Turn(brief=BRIEF, observation=page_number(0))
    asked = decide_once(Script([BadReply("a"), BadReply("b"), say(NEXT)]), turn)
    assert asked.decision == say(NEXT)
    assert asked.rejected == ("a", "b")
    assert decide_once(Script([BadReply("a")]), turn).decision is None


# -- stop rules --------------------------------------------------------------------------------


def test_three_actions_without_effect_give_up() -> None:
    clicks = [say(Click(ref=f"e{number}")) for number in range(9)]
    outcome = play(*clicks, site=Site(last=0))
    assert outcome.gave_up == "the page did not change in the last 3 actions"
    assert len(outcome.site.done) == 3


def test_five_errors_in_a_row_give_up() -> None:
    clicks = [say(Click(ref=f"e{number}")) for number in range(9)]
    outcome = play(*clicks, site=Site(fails=lambda _number: True))
    assert outcome.gave_up == "the last 5 actions could not be done"
    assert len(outcome.site.done) == 5


def test_first_cycle_is_observed_again_before_giving_up() -> None:
    outcome = play(say(Wait()))
    assert outcome.gave_up == "the same actions on the same pages have come round three times"
    assert len(outcome.site.done) == 2
    assert len(outcome.policy.turns) == 4
    assert outcome.policy.turns[3].notes[0].startswith("Not done, because the same actions")


def test_number_of_decisions_is_limited() -> None:
    outcome = play(say(NEXT), limits=StopLimits(decisions=7))
    assert outcome.gave_up == "it has made 7 decisions"
    assert outcome.site.at == 7


def test_action_budget_ends_the_loop() -> None:
    outcome = play(say(NEXT), actions=4)
    assert outcome.gave_up == "all actions are used up"
    assert len(outcome.site.done) == 4


def test_time_budget_ends_the_loop() -> None:
    ticks = iter(range(0, 1000, 30))
    assert play(say(NEXT), seconds=lambda: float(next(ticks))).gave_up == "the time is used up"


# -- the last answer ---------------------------------------------------------------------------


@dataclass
class Answers(Script):
    """Says ``last`` once nothing else counts."""

    last: Decision = field(default_factory=lambda: say(Done(answer="17")))

    def choose(self, turn: Turn) -> Decision:
        super().choose(turn)
        return self.last if turn.last else say(NEXT)


def end_with(last: Decision, brief: TaskBrief = ASKING) -> tuple[str | None, Answers]:
    site, policy = Site(), Answers([say(NEXT)], last=last)
    agent = PolicyAgent(policy.opened, tools=site.tools())
    return agent.run(
        brief, cast(Page, None), Budget(4, 100.0, lambda: len(site.done), lambda: 0.0)
    ), policy


def test_answer_is_requested_at_the_end_of_the_budget() -> None:
    answer, policy = end_with(say(Done(answer="17")))
    assert answer == "17"
    assert "all actions are used up" in policy.turns[-1].notes[-1]


@pytest.mark.parametrize("last", [Done(), Done(answer=" "), NEXT, Blocked(reason="no idea")])
def test_missing_final_answer_gives_up(last: Action) -> None:
    with pytest.raises(GaveUp, match="all actions are used up"):
        end_with(say(last))


def test_answer_is_requested_after_a_cycle() -> None:
    outcome = play(*[say(Wait())] * 4, say(Done(answer="17")), brief=ASKING)
    assert outcome.answer == "17"
    assert [turn.last for turn in outcome.policy.turns] == [False, False, False, False, True]


def test_no_answer_is_requested_if_the_task_needs_none() -> None:
    with pytest.raises(GaveUp, match="all actions are used up"):
        end_with(say(Done(answer="17")), brief=BRIEF)


def test_time_is_reserved_for_the_answer() -> None:
    ticks = iter([0.0, *[91.0] * 50])
    outcome = play(say(Done(answer="17")), brief=ASKING, seconds=lambda: next(ticks))
    assert outcome.answer == "17"
    assert outcome.policy.turns[-1].last
