"""Actions in what chat models answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.chat.action_parser import known_ref, parse_action
from pytest_webbench.agents.chat.actions import (
    ACTION_TYPES,
    MOST_REFS,
    action_schema,
    in_words,
    possible_actions,
)
from pytest_webbench.agents.chat.messages import BadChatReply, Failure
from pytest_webbench.browser.actions import (
    Action,
    Back,
    Blocked,
    Click,
    ClickAt,
    Done,
    Drag,
    Press,
    Scroll,
    SelectOption,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from pytest_webbench.browser.observation import Element, Observation, Panel

SEEN = Observation(
    url="http://a.test/",
    title="A",
    text="A",
    elements=(
        Element(ref="e1", role="link", name="Next", tag="a", operations=("click",)),
        Element(
            ref="e12", role="textbox", name="Search", tag="input", operations=("click", "type")
        ),
        Element(ref="e13", role="combobox", name="Sort", tag="select", operations=("select",)),
    ),
    panels=(Panel(ref="e20", name="results", above=0, below=100),),
    tabs=("A", "B"),
    can_go_back=True,
)
ALL = tuple(ACTION_TYPES.values())


@pytest.mark.parametrize(
    ("data", "action"),
    [
        ({"do": "click", "ref": "e1"}, Click(ref="e1")),
        ({"do": "click", "ref": "[e1]", "value": ""}, Click(ref="e1")),
        ({"do": "click", "ref": 1}, Click(ref="e1")),
        ({"do": "click", "ref": "1"}, Click(ref="e1")),
        ({"do": "click", "ref": '[e1] link "Next"'}, Click(ref="e1")),
        ({"action": "CLICK", "element": "ref=e1"}, Click(ref="e1")),
        ({"action": {"do": "click", "ref": "e1"}, "thought": "x"}, Click(ref="e1")),
        ({"name": "click", "arguments": {"ref": "e1"}}, Click(ref="e1")),
        ({"type": "function", "name": "click", "parameters": {"element_id": 1}}, Click(ref="e1")),
        ({"actions": [{"click": {"index": 1}}]}, Click(ref="e1")),
        ({"click": "e1"}, Click(ref="e1")),
        ([{"do": "click", "ref": "e1"}], Click(ref="e1")),
        ({"do": "type", "ref": "e12", "value": "cache"}, TypeText(ref="e12", text="cache")),
        (
            {"do": "type", "ref": "e12", "value": "cache\n"},
            TypeText(ref="e12", text="cache", submit=True),
        ),
        (
            {"do": "type", "ref": "e12", "text": " a ", "submit": True},
            TypeText(ref="e12", text=" a ", submit=True),
        ),
        ({"do": "type", "ref": "e12", "value": ""}, TypeText(ref="e12", text="")),
        ({"do": "fill", "ref": "e12", "value": 2024}, TypeText(ref="e12", text="2024")),
        ({"type": {"ref": "e12", "text": "x"}}, TypeText(ref="e12", text="x")),
        ({"type": "type", "ref": "e12", "text": "x"}, TypeText(ref="e12", text="x")),
        (
            {"do": "select", "ref": "e13", "option": "Newest"},
            SelectOption(ref="e13", option="Newest"),
        ),
        ({"do": "press", "ref": "", "value": "enter"}, Press(key="Enter")),
        ({"do": "press", "value": "Control+a"}, Press(key="Control+a")),
        ({"do": "scroll", "ref": "", "value": "UP"}, Scroll(direction="up")),
        ({"do": "scroll", "ref": None}, Scroll()),
        ({"do": "scroll", "ref": "none", "value": ""}, Scroll()),
        ({"do": "scroll_up"}, Scroll(direction="up")),
        ({"do": "scroll", "ref": "e20", "value": "down 500"}, Scroll(ref="e20")),
        ({"do": "drag", "ref": "e1", "value": "[e13]"}, Drag(ref="e1", to="e13")),
        (
            {"do": "upload", "ref": "e12", "value": "a.txt, b.txt"},
            Upload(ref="e12", names=("a.txt", "b.txt")),
        ),
        ({"do": "upload", "ref": "e12", "names": ["a.txt"]}, Upload(ref="e12", names=("a.txt",))),
        ({"do": "go back", "ref": "", "value": ""}, Back()),
        ({"do": "tab", "value": "1"}, SwitchTab(index=1)),
        ({"do": "switch-tab", "index": 0}, SwitchTab(index=0)),
        ({"do": "wait", "seconds": 3}, Wait()),
        ({"do": "click_at", "value": "10, 20.5"}, ClickAt(x=10, y=20.5)),
        ({"do": "click_at", "x": 1, "y": 2}, ClickAt(x=1, y=2)),
        ({"do": "left_click", "ref": "e1", "coordinate": [1, 2]}, Click(ref="e1")),
        ({"do": "done", "ref": "", "value": "42"}, Done(answer="42")),
        ({"do": "done", "answer": 42}, Done(answer="42")),
        ({"do": "done", "answer": {"id": 1}}, Done(answer='{"id": 1}')),
        ({"do": "done", "value": " "}, Done()),
        ({"do": "blocked", "reason": "login"}, Blocked(reason="login")),
    ],
)
def test_action_is_read_under_many_names(data: Any, action: Action) -> None:
    assert parse_action(data, SEEN, ALL).action == action


def test_thought_is_kept() -> None:
    assert parse_action({"reasoning": "I see.", "do": "wait"}, SEEN, ALL).thought == "I see."


@pytest.mark.parametrize(
    ("data", "failure", "says"),
    [
        (None, Failure.NO_JSON, "no JSON object"),
        ({}, Failure.WRONG_ACTION, "`do` is missing"),
        (
            {"do": "fly"},
            Failure.WRONG_ACTION,
            "'fly' is not an action that is possible now; allowed: click, click_at",
        ),
        ({"do": "goto", "value": "http://x.test"}, Failure.WRONG_ACTION, "'goto'"),
        ([{"do": "wait"}, {"do": "back"}], Failure.WRONG_ACTION, "2 actions"),
        ({"actions": []}, Failure.WRONG_ACTION, "0 actions"),
        ({"do": "click"}, Failure.INVALID_REF, "click: `ref` is missing"),
        ({"do": "click", "ref": ""}, Failure.INVALID_REF, "`ref` is missing"),
        ({"do": "click", "ref": "none"}, Failure.INVALID_REF, "`ref` is missing"),
        ({"do": "click", "ref": "e99"}, Failure.INVALID_REF, "no element with ref 'e99'"),
        ({"do": "click", "ref": {"a": 1}}, Failure.INVALID_REF, "no element"),
        ({"do": "drag", "ref": "e1", "to": "e77"}, Failure.INVALID_REF, "e77"),
        ({"do": "type", "ref": "e12"}, Failure.WRONG_FIELD, "type: text: Field required"),
        ({"do": "select", "ref": "e13", "value": " "}, Failure.WRONG_FIELD, "select: option"),
        ({"do": "press", "value": ""}, Failure.WRONG_FIELD, "press: key"),
        (
            {"do": "press", "value": "x" * 100},
            Failure.WRONG_FIELD,
            "press: key: String should have at most 40",
        ),
        ({"do": "scroll", "value": "left"}, Failure.WRONG_FIELD, "scroll: direction"),
        ({"do": "tab", "value": "second"}, Failure.WRONG_FIELD, "tab: index"),
        ({"do": "tab", "value": -1}, Failure.WRONG_FIELD, "tab: index"),
        ({"do": "click_at", "value": "left"}, Failure.WRONG_FIELD, "click_at: x"),
        ({"do": "click_at", "x": "NaN", "y": 1}, Failure.WRONG_FIELD, "click_at: x"),
        ({"do": "upload", "ref": "e12", "names": [1]}, Failure.WRONG_FIELD, "upload: names"),
    ],
)
def test_bad_reply_is_explained_and_classified(data: Any, failure: Failure, says: str) -> None:
    with pytest.raises(BadChatReply) as caught:
        parse_action(data, SEEN, ALL)
    assert caught.value.failure is failure
    assert says in str(caught.value)


def test_action_that_is_not_offered_is_refused() -> None:
    with pytest.raises(
        BadChatReply, match="'click' is not an action that is possible now; allowed: done"
    ) as caught:
        parse_action({"do": "click", "ref": "e1"}, SEEN, possible_actions(SEEN, last=True))
    assert caught.value.failure is Failure.WRONG_ACTION


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
names = st.sampled_from(
    [
        *ACTION_TYPES,
        "do",
        "action",
        "ref",
        "value",
        "x",
        "y",
        "to",
        "names",
        "index",
        "args",
        "submit",
    ]
)


@given(
    st.dictionaries(
        names, json_values | st.sampled_from([*ACTION_TYPES, "e1", "e12", "up"]), max_size=5
    )
    | json_values
)
def test_any_json_is_an_action_or_a_bad_reply(data: Any) -> None:
    try:
        action = parse_action(data, SEEN, ALL).action
    except BadChatReply as error:
        action, said = None, str(error)
    assert isinstance(action, ALL) if action is not None else 0 < len(said) < 1000


def test_ambiguous_number_names_no_element() -> None:
    from dataclasses import replace

    seen = replace(SEEN, elements=(*SEEN.elements, replace(SEEN.elements[0], ref="f1")))
    assert known_ref("f1", seen) == "f1"
    with pytest.raises(BadChatReply):
        known_ref(1, seen)


def test_only_what_the_page_allows_is_offered() -> None:
    bare = Observation(url="http://a.test/", title="", text="", elements=())
    assert [kind.__name__ for kind in possible_actions(bare)] == [
        "Press",
        "Wait",
        "Done",
        "Blocked",
    ]
    assert [kind.__name__ for kind in possible_actions(SEEN)] == [
        "Click",
        "TypeText",
        "SelectOption",
        "Press",
        "Scroll",
        "Hover",
        "Drag",
        "Back",
        "SwitchTab",
        "Wait",
        "Done",
        "Blocked",
    ]
    assert ClickAt in possible_actions(SEEN, pixels=True)
    assert possible_actions(SEEN, last=True) == (Done,)


def test_schema_is_a_flat_object_with_the_visible_refs() -> None:
    assert action_schema((Click, Done), ("e1", "e12"), thought=True, max_tokens=264) == {
        "type": "object",
        "properties": {
            "thought": {"type": "string", "maxLength": 100},
            "do": {"type": "string", "enum": ["click", "done"]},
            "ref": {"type": "string", "enum": ["none", "e1", "e12"]},
            "value": {"type": "string", "maxLength": 100},
        },
        "required": ["thought", "do", "ref", "value"],
        "additionalProperties": False,
    }


def test_too_many_refs_are_not_listed() -> None:
    many = [f"e{number}" for number in range(MOST_REFS + 1)]
    assert action_schema((Click,), many, thought=False, max_tokens=100)["properties"]["ref"] == {
        "type": "string",
        "maxLength": 40,
    }


def test_every_action_is_described() -> None:
    lines = in_words(ALL).splitlines()
    assert [line.split(":")[0] for line in lines] == [f"- {name}" for name in ACTION_TYPES]
    assert lines[0] == "- click: Click an element; ref = its ref"
    assert lines[2] == (
        r"- type: Replace the content of a field; ref = its ref; value = the text; with \n "
        r"at the end of value, Enter "
        "is pressed afterwards"
    )
    assert lines[5] == (
        "- scroll: Scroll the page, or one panel of it, by most of its height; ref = ref of a "
        "panel; none for the "
        "page; value = up or down"
    )
