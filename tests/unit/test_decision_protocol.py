"""The decision agent's protocol: requests, which answers count, and trouble on the way."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from pytest_webbench.agents import GaveUp
from pytest_webbench.agents.chat.client import ChatClient
from pytest_webbench.agents.decision.agent_type import DecisionOptions, check, make, route
from pytest_webbench.agents.decision.answers import choice_in, usage_of
from pytest_webbench.agents.decision.client import DecisionClient
from pytest_webbench.agents.decision.menu import MOST_TARGETS, menu_of
from pytest_webbench.agents.decision.page_memory import PageMemory
from pytest_webbench.agents.decision.policy import DecisionPolicy
from pytest_webbench.agents.decision.questions import request_body
from pytest_webbench.agents.decision.text_helper import TextHelper
from pytest_webbench.agents.detached import LocalBackoff
from pytest_webbench.agents.endpoint.transport import Endpoint
from pytest_webbench.agents.loop import decide_once
from pytest_webbench.agents.policy import PastAction, Turn
from pytest_webbench.agents.registry import BuildContext
from pytest_webbench.browser.actions import (
    Action,
    Back,
    Blocked,
    Click,
    Done,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    TypeText,
    Wait,
)
from pytest_webbench.browser.observation import Choice, Element, Observation, Panel
from pytest_webbench.errors import BadReply, EndpointError, SettingsError
from pytest_webbench.task import TaskBrief
from tests.support.fake_http import Answer, Asked, Service, serving

BRIEF = TaskBrief(
    task_id="t",
    goal="Find lamps for tomorrow.",
    start_url="https://shop.test/",
    wants_answer=False,
    max_actions=60,
    max_seconds=100.0,
    locale="en-US",
    timezone="UTC",
)
SIZE = (
    Choice(value="s", label="Small", selected=True),
    Choice(value="l", label="Large"),
    Choice(value="", label="XL"),
)
SEEN = Observation(
    url="https://shop.test/",
    title="Shop",
    text="All our lamps",
    fingerprint="f",
    elements=(
        Element(
            ref="e1",
            role="link",
            name="Lamps",
            tag="a",
            operations=("click",),
            box=(10, 20, 30, 40),
        ),
        Element(
            ref="e2",
            role="searchbox",
            name="Search",
            tag="input",
            operations=("click", "type"),
            value="",
            kind="search",
            hint="at most 40 characters",
            context="Header",
        ),
        Element(
            ref="e3",
            role="combobox",
            name="Size",
            tag="select",
            operations=("select",),
            value="Small",
            choices=SIZE,
        ),
        Element(
            ref="e4",
            role="checkbox",
            name="In stock",
            tag="input",
            operations=("click",),
            checked=False,
        ),
    ),
)
TURN = Turn(brief=BRIEF, observation=SEEN)
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def spread(options: list[str], choice: str, probability: float = 0.9) -> dict[str, float]:
    """A distribution that holds ``choice`` for so probable, and all others for the same."""
    rest = [option for option in options if option != choice]
    return {option: (1 - probability) / len(rest) for option in rest} | {
        choice: probability if rest else 1.0
    }


def answers(body: dict[str, Any], **choices: str) -> dict[str, Any]:
    """A sound reply to a request: the choices that are named, else the first option."""
    found = {}
    for name, question in body["questions"].items():
        options = list(question["criteria"])
        choice = choices.get(name, options[0])
        probabilities = spread(options, choice)
        found[name] = {
            "type": "choice",
            "choice": choice,
            "confidence": probabilities[choice],
            "probabilities": probabilities,
        }
    return {"model": "m", "answers": found, "usage": {"input_tokens": 100, "output_tokens": 0}}


# -- what is asked -----------------------------------------------------------------------------


def test_request_holds_state_and_questions() -> None:
    past = PastAction(action=TypeText(ref="e2", text="lamp"), label='type "lamp"', changed=True)
    failed = PastAction(action=Click(ref="e9"), label="click it", changed=False, error="covered")
    turn = replace(TURN, history=(past, failed))
    body = request_body("GOAL", turn, menu_of(SEEN), model="m", titles=["Home", "Sale"])
    assert set(body) == {"model", "state", "questions"}
    assert body["state"]["page"] == {
        "url": "https://shop.test/",
        "title": "Shop",
        "text": "All our lamps\nVisited before: Home | Sale",
    }
    assert body["state"]["recent_actions"] == [
        {"action": 'type "lamp"', "kind": "type", "text": "lamp", "page_changed": True},
        {
            "action": "click it (could not be done: covered)",
            "kind": "click",
            "text": "",
            "page_changed": False,
        },
    ]
    assert body["state"]["elements"] == [
        {
            "role": "link",
            "index": "1",
            "label": "Lamps",
            "operations": ["CLICK"],
            "position": {"x": 25, "y": 40},
        },
        {
            "role": "searchbox",
            "index": "2",
            "label": "Search",
            "operations": ["CLICK", "TYPE_TEXT"],
            "value": "",
            "context": "Header",
            "input_constraints": {"type": "search", "hint": "at most 40 characters"},
        },
        {
            "role": "combobox",
            "index": "3",
            "label": "Size",
            "operations": ["SELECT"],
            "value": "Small",
            "options": [
                {"index": "3:2", "label": "Large", "value": "l"},
                {"index": "3:3", "label": "XL", "value": ""},
            ],
        },
        {
            "role": "checkbox",
            "index": "4",
            "label": "In stock",
            "operations": ["CLICK"],
            "checked": False,
        },
    ]
    questions = body["questions"]
    assert list(questions) == ["operation", "click_target", "type_text_target", "select_target"]
    assert list(questions["operation"]["criteria"]) == [
        "CLICK",
        "TYPE_TEXT",
        "SELECT",
        "SCROLL_DOWN",
        "SCROLL_UP",
        "WAIT",
        "DONE",
        "BLOCKED",
    ]
    assert questions["click_target"]["criteria"]["4"] == {
        "element": "[4] In stock",
        "current_value": "",
        "role": "checkbox",
        "checked": False,
    }
    assert questions["select_target"]["criteria"]["3:2"] == {
        "element": "[3:2] Size: Large",
        "current_value": "Small",
        "role": "combobox",
    }
    assert questions["select_target"]["instructions"]["operation"] == "SELECT"
    assert all(question["instructions"]["goal"] == "GOAL" for question in questions.values())
    json.dumps(body, allow_nan=False)


def operations(seen: Observation) -> dict[str, Action]:
    return menu_of(seen).plain


def test_only_operations_that_the_page_allows_are_offered() -> None:
    assert set(operations(replace(SEEN, elements=()))) == {
        "SCROLL_DOWN",
        "SCROLL_UP",
        "WAIT",
        "DONE",
        "BLOCKED",
    }
    focused = replace(SEEN, elements=(replace(SEEN.elements[1], focused=True),))
    assert operations(focused)["PRESS_ENTER"] == Press(key="Enter")
    assert operations(focused)["PRESS_ESCAPE"] == Press(key="Escape")
    assert operations(replace(SEEN, can_go_back=True))["GO_BACK"] == Back()
    assert operations(replace(SEEN, tabs=("a", "b"), tab=1))["GO_BACK"] == SwitchTab(index=0)
    panels = (
        Panel(ref="p1", name="Results", above=0, below=50),
        Panel(ref="p2", name="", above=9, below=9),
    )
    found = operations(replace(SEEN, panels=panels))
    assert found["E5"] == Scroll(direction="down", ref="p1")
    assert (found["E6"], found["E7"]) == (Scroll(ref="p2"), Scroll(direction="up", ref="p2"))


def test_unusable_elements_are_not_offered() -> None:
    link = SEEN.elements[0]
    odd = (
        replace(link, disabled=True),
        replace(link, in_view=False),
        replace(SEEN.elements[1], kind="password"),
        replace(link, operations=("upload",), kind="file"),
    )
    assert menu_of(replace(SEEN, elements=odd)).targets == {}
    assert list(menu_of(replace(SEEN, elements=odd), whole_page=True).targets["CLICK"]) == ["1"]


def test_number_of_offered_actions_is_limited() -> None:
    many = Element(
        ref="s",
        role="combobox",
        name="Country",
        tag="select",
        operations=("select",),
        choices=tuple(Choice(value=str(number), label=str(number)) for number in range(240)),
    )
    links = tuple(replace(SEEN.elements[0], ref=f"l{number}") for number in range(300))
    menu = menu_of(replace(SEEN, elements=(many, *links)))
    assert (len(menu.targets["SELECT"]), len(menu.targets["CLICK"])) == (240, MOST_TARGETS - 240)
    assert len(menu.elements) == 11


def test_choices_become_actions() -> None:
    menu = menu_of(SEEN)
    assert menu.action("CLICK", "1") == Click(ref="e1")
    assert menu.action("SELECT", "3:2") == SelectOption(ref="e3", option="l")
    assert menu.action("SELECT", "3:3") == SelectOption(ref="e3", option="XL")
    assert menu.action("TYPE_TEXT", "2") is None
    assert menu.action("WAIT") == Wait()


@pytest.mark.parametrize(
    ("url", "base", "path"),
    [
        ("http://127.0.0.1:8200", "http://127.0.0.1:8200", "/api/alpha/decisions"),
        (
            "https://openrouter.ai/api/alpha/decisions",
            "https://openrouter.ai",
            "/api/alpha/decisions",
        ),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai", "/api/alpha/decisions"),
        ("https://api.typesafe.ai", "https://api.typesafe.ai", "/v1/systemone"),
        ("https://api.typesafe.ai/v1/systemone", "https://api.typesafe.ai", "/v1/systemone"),
        ("http://localhost:1/v1/systemone", "http://localhost:1", "/v1/systemone"),
        ("http://typesafe.ai.evil.test", "http://typesafe.ai.evil.test", "/api/alpha/decisions"),
    ],
)
def test_path_is_derived_from_the_address(url: str, base: str, path: str) -> None:
    assert route(url) == (base, path)


def test_path_can_be_configured() -> None:
    assert route("http://127.0.0.1:1", "/v1/systemone") == ("http://127.0.0.1:1", "/v1/systemone")


# -- which answers count -----------------------------------------------------------------------

MENU = menu_of(SEEN)
BODY = request_body("GOAL", TURN, MENU, model="m")
OPERATIONS = list(MENU.operations)


def operation_says(**changes: Any) -> dict[str, Any]:
    """A reply whose answer about the operation is changed."""
    reply = answers(BODY, operation="WAIT")
    reply["answers"]["operation"] |= changes
    return reply


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (None, "no object `answers`"),
        ([], "no object `answers`"),
        ({"answers": []}, "no object `answers`"),
        ({"answers": {}}, "no answer to 'operation'"),
        ({"answers": {"operation": "WAIT"}}, "no answer to 'operation'"),
        (operation_says(choice="FLY"), "'FLY' was not offered"),
        (operation_says(choice=["WAIT"]), "was not offered"),
        (operation_says(choice=None), "None was not offered"),
        (operation_says(probabilities=None), "must name exactly the 8 options"),
        (operation_says(probabilities={"WAIT": 1.0}), "must name exactly the 8 options"),
        (
            operation_says(probabilities=spread([*OPERATIONS, "FLY"], "WAIT")),
            "must name exactly the 8 options",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT", 0.95) | {"WAIT": 0.9}),
            "sum to 0.95, not 1",
        ),
        (operation_says(probabilities=spread(OPERATIONS, "DONE")), "is not the most probable"),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": -0.1}),
            "is -0.1, not a number",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": 1.1}),
            "is 1.1, not a number",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": math.nan}),
            "is nan, not a number",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": math.inf}),
            "is inf, not a number",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": 10**400}),
            "not a number",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": "0"}),
            "is '0', not a number",
        ),
        (
            operation_says(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": True}),
            "is True, not a number",
        ),
    ],
)
def test_invalid_distribution_is_refused(reply: Any, problem: str) -> None:
    with pytest.raises(BadReply) as caught:
        choice_in(reply, MENU)
    assert problem in str(caught.value)
    assert len(str(caught.value)) < 300


def test_only_the_chosen_operation_and_target_are_validated() -> None:
    reply = answers(BODY, operation="CLICK", click_target="4")
    reply["answers"] |= {"select_target": None, "type_text_target": {"choice": "x"}}
    choice = choice_in(reply, MENU)
    assert (choice.operation.choice, choice.target and choice.target.choice) == ("CLICK", "4")
    assert choice.probability == pytest.approx(0.9 * 0.9)
    reply["answers"]["click_target"] = {"choice": "99"}
    with pytest.raises(BadReply, match="click_target"):
        choice_in(reply, MENU)


def test_joint_choice_takes_the_most_probable_pair() -> None:
    reply = answers(BODY, operation="CLICK", type_text_target="2")
    reply["answers"]["operation"]["probabilities"] = (
        spread(OPERATIONS, "CLICK", 0.5)
        | {name: 0.0 for name in OPERATIONS if name not in ("CLICK", "SELECT")}
        | {"SELECT": 0.5}
    )
    even = {"1": 0.34, "2": 0.33, "4": 0.33}
    reply["answers"]["click_target"] |= {"choice": "1", "probabilities": even}
    assert choice_in(reply, MENU).operation.choice == "CLICK"
    joint = choice_in(reply, MENU, joint=True)
    assert (joint.operation.choice, joint.target and joint.target.choice) == ("SELECT", "3:2")


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.floats()
        | st.integers()
        | st.sampled_from([*OPERATIONS, "choice", "1"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "answers",
                        "operation",
                        "choice",
                        "probabilities",
                        "usage",
                        "click_target",
                        *OPERATIONS,
                    ]
                ),
                inner,
            )
        ),
        max_leaves=20,
    )
)
def test_any_reply_is_used_or_refused(reply: Any) -> None:
    usage_of(reply, 1.0)
    with pytest.raises(BadReply):
        choice_in(reply, MENU)


@given(st.lists(st.floats(0.001, 1.0), min_size=len(OPERATIONS), max_size=len(OPERATIONS)))
def test_every_valid_distribution_is_accepted(weights: list[float]) -> None:
    total = math.fsum(weights)
    probabilities = {name: weight / total for name, weight in zip(OPERATIONS, weights, strict=True)}
    best = max(probabilities, key=lambda name: probabilities[name])
    reply = answers(BODY)
    reply["answers"]["operation"] = {"choice": best, "probabilities": probabilities}
    choice = choice_in(reply, MENU)
    assert choice.operation.probability == probabilities[best]


# -- the policy, against a server --------------------------------------------------------------


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def chat_says(*replies: str) -> list[Answer]:
    return [
        Answer(
            body={
                "choices": [
                    {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
                ],
                "usage": {"prompt_tokens": 50, "completion_tokens": 5},
            }
        )
        for text in replies
    ]


@dataclass
class Time:
    """Passes at once."""

    now: float = 0.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def policy_against(
    stack: ExitStack, decisions: Any, texts: Any = None, *, timeout: float = 5.0, **options: Any
) -> tuple[DecisionPolicy, Service, Service]:
    """A policy, the decision server it asks, and its text helper."""
    server = stack.enter_context(serving(decisions))
    helper = stack.enter_context(serving(texts or chat_says('{"text": "lamp", "answer": "17"}')))
    time = Time()
    endpoint, chat = (
        stack.enter_context(
            Endpoint(
                service.url,
                timeout=timeout,
                sleep=time.sleep,
                backoff=LocalBackoff(time.clock),
                tries=2,
            )
        )
        for service in (server, helper)
    )
    chosen = DecisionOptions(
        model="m", url=server.url, text={"model": "t", "url": helper.url}, **options
    )
    policy = DecisionPolicy(
        DecisionClient(endpoint, "/v1/systemone", model="m"),
        TextHelper(ChatClient(chat, "t")),
        chosen.style(),
        now=lambda: NOW,
    )
    return policy, server, helper


def always(**choices: str) -> Any:
    return lambda asked: Answer(body=answers(asked.body, **choices))


def test_server_choice_becomes_a_decision_with_its_probabilities(stack: ExitStack) -> None:
    policy, server, _ = policy_against(stack, always(operation="CLICK", click_target="4"))
    decision = policy.choose(TURN)
    assert decision.action == Click(ref="e4")
    assert decision.probability == pytest.approx(0.81)
    assert (decision.usage.calls, decision.usage.input_tokens, decision.usage.cost) == (
        1,
        100,
        None,
    )
    assert decision.usage.seconds > 0
    labels = [candidate.label for candidate in decision.candidates]
    assert labels[0] == "CLICK"
    assert len(labels) == len(OPERATIONS) + 3
    assert labels[len(OPERATIONS)] == 'CLICK [4] checkbox "In stock"'
    assert decision.facts == {
        "operation_probability": pytest.approx(0.9),
        "target_probability": pytest.approx(0.9),
    }
    (asked,) = server.asked
    assert asked.path == "/v1/systemone"
    goal = asked.body["questions"]["operation"]["instructions"]["goal"]
    assert goal.endswith('Today is Sunday, 2026-11-29 (UTC). "tomorrow" is Monday, 2026-11-30.')


def test_relative_dates_are_those_of_the_configured_zone(stack: ExitStack) -> None:
    policy, server, _ = policy_against(stack, always(), timezone="Pacific/Kiritimati")
    policy.choose(TURN)
    assert "Today is Monday, 2026-11-30 (Pacific/Kiritimati)" in json.dumps(server.asked[0].body)


def test_field_value_is_written_by_the_helper(stack: ExitStack) -> None:
    policy, _, helper = policy_against(stack, always(operation="TYPE_TEXT"))
    decision = policy.choose(TURN)
    assert decision.action == TypeText(ref="e2", text="lamp")
    assert (decision.usage.calls, decision.usage.input_tokens) == (2, 150)
    (asked,) = helper.asked
    assert asked.body["temperature"] == 0.0
    prompt = asked.body["messages"][-1]["content"]
    assert all(
        words in prompt
        for words in ("Find lamps", '"label": "Search"', "at most 40 characters", "All our lamps")
    )


@pytest.mark.parametrize(
    "text", ['{"text": ""}', '{"text": null}', '{"other": "x"}', "no idea", '{"text": 7}']
)
def test_field_without_a_text_is_not_offered_again(stack: ExitStack, text: str) -> None:
    def decide(asked: Asked) -> Answer:
        typing = "TYPE_TEXT" in asked.body["questions"]["operation"]["criteria"]
        return Answer(body=answers(asked.body, operation="TYPE_TEXT" if typing else "WAIT"))

    policy, server, _ = policy_against(stack, decide, chat_says(text))
    decision = policy.choose(TURN)
    assert decision.action == Wait()
    assert decision.facts["fields_without_text"] == ["Search"]
    assert policy.choose(TURN).action == Wait()
    assert ["type_text_target" in asked.body["questions"] for asked in server.asked] == [
        True,
        False,
        False,
    ]
    elsewhere = replace(TURN, observation=replace(SEEN, url="https://shop.test/other"))
    policy.choose(elsewhere)
    assert "type_text_target" in server.asked[3].body["questions"]


def test_agent_gives_up_after_five_fields_without_a_text(stack: ExitStack) -> None:
    field = SEEN.elements[1]
    fields = tuple(replace(field, ref=f"f{number}") for number in range(6))
    policy, _, helper = policy_against(stack, always(operation="TYPE_TEXT"), chat_says("{}"))
    with pytest.raises(GaveUp, match="no text for 5 fields"):
        policy.choose(replace(TURN, observation=replace(SEEN, elements=fields)))
    assert len(helper.asked) == 5


ASKING = replace(TURN, brief=replace(BRIEF, wants_answer=True))


def test_helper_writes_the_answer_from_the_pages_seen(stack: ExitStack) -> None:
    policy, _, helper = policy_against(stack, always(operation="WAIT"))
    policy.choose(ASKING)
    after = replace(
        ASKING, observation=replace(SEEN, title="Lamp 17", text="The 17th lamp"), last=True
    )
    assert policy.choose(after).action == Done(answer="17")
    prompt = helper.asked[0].body["messages"][-1]["content"]
    assert prompt.index("All our lamps") < prompt.index("The 17th lamp")


def test_done_and_blocked_end_the_episode(stack: ExitStack) -> None:
    policy, _, helper = policy_against(stack, always(operation="DONE"))
    assert policy.choose(TURN).action == Done()
    assert policy.choose(ASKING).action == Done(answer="17")
    assert len(helper.asked) == 1
    policy, _, _ = policy_against(stack, always(operation="BLOCKED"))
    assert policy.choose(TURN).action == Blocked(
        reason="the model chose BLOCKED (probability 0.90)"
    )


PRICE: dict[str, JsonValue] = {
    "type": "object",
    "required": ["price"],
    "properties": {"price": {"$ref": "#/$defs/money"}},
    "$defs": {"money": {"type": "number"}},
}
TYPED = replace(ASKING, brief=replace(ASKING.brief, answer_schema=PRICE))


@pytest.mark.parametrize("said", ['{"answer": {"price": 4.5}}', '{"answer": "{\\"price\\": 4.5}"}'])
def test_helper_writes_typed_answers(stack: ExitStack, said: str) -> None:
    policy, _, helper = policy_against(stack, always(operation="DONE"), chat_says(said))
    assert policy.choose(TYPED).action == Done(answer='{"price": 4.5}')
    (asked,) = helper.asked
    assert '"required": ["price"]' in asked.body["messages"][-1]["content"]
    schema = asked.body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["answer"]["properties"] == PRICE["properties"]
    assert schema["$defs"] == PRICE["$defs"]


def test_typed_answer_that_never_fits_is_no_trouble_of_the_endpoint(stack: ExitStack) -> None:
    says = chat_says('{"answer": {"price": null}}')
    policy, _, helper = policy_against(stack, always(operation="DONE"), says)
    assert policy.choose(TYPED).action == Done(answer='{"price": null}')
    assert len(helper.asked) == 3


def test_missing_helper_answer_is_unscored(stack: ExitStack) -> None:
    policy, _, helper = policy_against(stack, always(operation="DONE"), chat_says('{"answer": ""}'))
    with pytest.raises(
        EndpointError, match="no usable answer in 3 tries: text helper: 'answer' is empty"
    ):
        policy.choose(ASKING)
    assert len(helper.asked) == 3
    policy, _, _ = policy_against(stack, always(operation="DONE"), [Answer(status=500)])
    with pytest.raises(EndpointError, match="HTTP 500"):
        policy.choose(ASKING)


def test_pages_are_shortened_for_a_small_context(stack: ExitStack) -> None:
    def answer(asked: Asked) -> Answer:
        size = len(asked.body["messages"][-1]["content"])
        too_long = Answer(
            status=400, body={"error": {"message": "maximum context length is 4096 tokens"}}
        )
        return too_long if size > 50_000 else chat_says('{"answer": "17"}')[0]

    policy, _, helper = policy_against(stack, always(operation="WAIT"), answer)
    for number in range(20):
        policy.choose(
            replace(ASKING, observation=replace(SEEN, title=str(number), text="x" * 20_000))
        )
    policy.choose(replace(ASKING, last=True))
    assert len(helper.asked) == 3


# -- trouble on the way ------------------------------------------------------------------------

GOOD = Answer(body=answers(BODY, operation="WAIT"))


def bad(**changes: Any) -> Answer:
    return Answer(body=operation_says(**changes))


@pytest.mark.parametrize(
    "unsound",
    [
        bad(choice="FLY"),
        bad(probabilities={"WAIT": 1.0}),
        bad(probabilities=spread(OPERATIONS, "WAIT") | {"DONE": "NaN"}),
        Answer(body=json.dumps(operation_says()).replace("0.9", "1e999")),
        Answer(body={}),
        Answer(body=[1]),
    ],
)
def test_invalid_distribution_is_requested_three_times_at_most(
    stack: ExitStack, unsound: Answer
) -> None:
    policy, server, _ = policy_against(stack, [unsound, unsound, GOOD])
    asked = decide_once(policy, TURN)
    assert (asked.decision and asked.decision.action, len(asked.rejected), asked.usage.calls) == (
        Wait(),
        2,
        3,
    )
    policy, server, _ = policy_against(stack, [unsound])
    assert decide_once(policy, TURN).decision is None
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    "trouble",
    [
        Answer(status=500, body="oh"),
        Answer(status=503),
        Answer(status=429, headers={"retry-after": "1"}),
        Answer(status=400, body={"detail": "no such layout"}),
        Answer(status=422),
        Answer(body='{"answers": {"operation": {"cho'),
        Answer(body='{"answers": {"operation": {"probabilities": {"WAIT": NaN}}}}'),
        Answer(body="<html>hello</html>"),
        Answer(body={"answers": {}}, trouble="cut"),
        Answer(trouble="reset"),
        Answer(trouble="stall"),
        Answer(body=b"[" + b" " * 20_100_000),
    ],
    ids=lambda answer: f"{answer.status} {answer.trouble or str(answer.body)[:20]}",
)
def test_endpoint_errors_are_never_agent_failures(stack: ExitStack, trouble: Answer) -> None:
    policy, _, _ = policy_against(
        stack, [trouble], timeout=0.3 if trouble.trouble == "stall" else 5.0
    )
    with pytest.raises(EndpointError):
        decide_once(policy, TURN)


def test_transient_errors_are_retried(stack: ExitStack) -> None:
    policy, server, _ = policy_against(
        stack, [Answer(status=429, headers={"retry-after": "0"}), GOOD]
    )
    assert policy.choose(TURN).action == Wait()
    assert len(server.asked) == 2


def test_wrong_key_stops_the_session(stack: ExitStack) -> None:
    policy, _, _ = policy_against(
        stack, [Answer(status=401, body={"error": {"message": "no", "code": 401}})]
    )
    with pytest.raises(SettingsError, match="key"):
        policy.choose(TURN)


# -- options -----------------------------------------------------------------------------------

TABLE = {
    "type": "decision",
    "url": "http://127.0.0.1:1",
    "model": "m",
    "text": {"url": "http://127.0.0.1:1", "model": "t"},
}


@pytest.mark.parametrize(
    "changes",
    [
        {"text": None},
        {"timezone": "Mars/Olympus"},
        {"path": "/x"},
        {"timeout": 0},
        {"unknown": 1},
        {"url": "ftp://x"},
    ],
)
def test_invalid_options_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        DecisionOptions.model_validate({**TABLE, **changes})


def test_agent_is_made_without_connecting() -> None:
    assert not make(DecisionOptions.model_validate(TABLE), BuildContext(name="d")).dedicated_browser  # type: ignore[attr-defined]


def test_unset_key_variable_is_reported_at_once() -> None:
    options = DecisionOptions.model_validate({**TABLE, "key": "NO_SUCH_KEY"})
    with pytest.raises(SettingsError, match="NO_SUCH_KEY"):
        make(options, BuildContext(name="d"))


def test_preflight_asks_both_endpoints(stack: ExitStack) -> None:
    server = stack.enter_context(serving(always(operation="CLICK")))
    helper = stack.enter_context(serving(chat_says('{"answer": "2"}')))
    options = DecisionOptions.model_validate(
        {**TABLE, "url": server.url, "text": {"url": helper.url, "model": "t"}}
    )
    assert (
        check(options, BuildContext(name="d", patient=False))
        == "m chose CLICK, and the text helper answered"
    )
    assert [len(service.asked) for service in (server, helper)] == [1, 1]


# -- what is remembered ------------------------------------------------------------------------


def test_memory_keeps_the_newest_pages_that_fit() -> None:
    memory = PageMemory(pages=3, page_chars=10, most_chars=1000)
    for title in "abcda":
        memory.add(replace(SEEN, title=title, text=title * 20))
    assert memory.titles() == ["c", "d"]
    assert [line for line in memory.as_text().splitlines() if not line.startswith("=")] == [
        "c" * 10,
        "d" * 10,
        "a" * 10,
    ]
    assert len(memory.as_text(50)) <= 51
