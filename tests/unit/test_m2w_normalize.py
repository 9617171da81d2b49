"""Turning a task of the dataset into recorded steps."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.mind2web.normalize import box_of, geometry, masked, role_in, steps_of
from pytest_webbench.mind2web.records import RecordedStep, read_lines, to_line

RAW = (
    '<html backend_node_id="1" bounding_box_rect="0,0,1280,3000">'
    '<div class="x" backend_node_id="2" bounding_box_rect="-1,-1,-1,-1"><text '
    'backend_node_id="3">gone</text></div>'
    '<a is_clickable="true" backend_node_id="4" bounding_box_rect="8,1e1,120.5,20"/>'
    '<b bounding_box_rect="1,2,3" backend_node_id="5"/><i backend_node_id="6" '
    'bounding_box_rect="nan,0,1,1"/></html>'
)
TARGET = {
    "tag": "a",
    "backend_node_id": "4",
    "is_original_target": False,
    "is_top_level_target": True,
}
ATTRIBUTES = {"backend_node_id": "7", "bounding_box_rect": "1,2,3,4", "is_clickable": "true"}
TASK: dict[str, Any] = {
    "annotation_id": "abc",
    "website": "shop",
    "domain": "Shopping",
    "subdomain": "General",
    "confirmed_task": "Find a\x00 lamp",
    "action_reprs": [
        "[link]  Lamps -> CLICK",
        "[combobox]  Size -> SELECT: M",
        "[div]  x -> HOVER",
    ],
    "actions": [
        {
            "operation": {"op": "CLICK", "original_op": "ENTER", "value": ""},
            "raw_html": RAW,
            "cleaned_html": '<a backend_node_id="4" data_pw_testid_buckeye_candidate="1" '
            'title="buckeye"/>',
            "pos_candidates": [
                TARGET,
                {**TARGET, "backend_node_id": "9", "is_original_target": True},
                TARGET,
            ],
            "neg_candidates": [
                {"tag": "p", "attributes": json.dumps(ATTRIBUTES)},
                {"tag": "i", "backend_node_id": "8", "attributes": "no json"},
            ],
        },
        {"operation": {"op": "select", "value": "M"}, "cleaned_html": "<p/>", "pos_candidates": []},
        {"operation": {"op": "SCROLL"}, "cleaned_html": "<p/>", "pos_candidates": [TARGET]},
        {
            "operation": {"op": "TYPE", "value": None},
            "cleaned_html": "",
            "pos_candidates": [TARGET],
        },
    ],
}


def as_strings(task: dict[str, Any]) -> dict[str, Any]:
    """The same as the multimodal edition has it: objects within as JSON text."""
    packed = copy.deepcopy(task)
    for action in packed["actions"]:
        action["operation"] = json.dumps(action["operation"])
        action["pos_candidates"] = [json.dumps(one) for one in action["pos_candidates"]]
        action["neg_candidates"] = json.dumps(action.get("neg_candidates", []))
    packed["actions"] = [json.dumps(action) for action in packed["actions"]]
    return packed


@pytest.fixture
def steps() -> list[RecordedStep]:
    return list(steps_of(TASK, split="train"))


def test_objects_and_json_strings_of_objects_are_read_alike(steps: list[RecordedStep]) -> None:
    assert list(steps_of(as_strings(TASK), split="train")) == steps


def test_other_operations_are_skipped_but_lost_targets_are_kept(
    steps: list[RecordedStep],
) -> None:
    assert [(one.step_index, one.num_steps, one.op, one.original_op) for one in steps] == [
        (0, 4, "CLICK", "ENTER"),
        (1, 4, "SELECT", "SELECT"),
        (3, 4, "TYPE", "TYPE"),
    ]
    assert [(one.targets, one.gold_backend_node_id) for one in steps] == [
        (("4", "9"), "9"),
        ((), ""),
        (("4",), "4"),
    ]
    assert [(one.value, one.cleaned_html == "") for one in steps] == [
        ("", False),
        ("M", False),
        ("", True),
    ]


def test_history_is_the_recorded_one(steps: list[RecordedStep]) -> None:
    assert [len(one.prev_action_reprs) for one in steps] == [0, 1, 3]
    assert [(one.gold_repr, one.role) for one in steps[1:]] == [
        ("[combobox]  Size -> SELECT: M", "combobox"),
        ("", ""),
    ]
    assert steps[0].goal == "Find a\ufffd lamp"


def test_only_attributes_that_give_the_answer_away_are_masked(
    steps: list[RecordedStep],
) -> None:
    assert steps[0].cleaned_html == '<a backend_node_id="4" title="buckeye"/>'
    both = """<a data-pw-testid-buckeye='7'/><b data_pw_testid_buckeye="x" id="y"/>"""
    assert masked(both) == '<a/><b id="y"/>'


def test_candidates_are_read_from_their_attributes(steps: list[RecordedStep]) -> None:
    first, second = steps[0].candidates
    assert (first.id, first.tag, first.clickable, first.box) == ("7", "p", True, (1, 2, 3, 4))
    assert (second.id, second.clickable, second.box) == ("8", None, None)


def test_boxes_hidden_and_clickable_nodes_are_read_from_raw_html(
    steps: list[RecordedStep],
) -> None:
    found = geometry(RAW)
    assert found.boxes == {"4": (8, 10, 120.5, 20)}
    assert geometry(RAW, ("1",)).boxes == {"1": (0, 0, 1280, 3000), "4": (8, 10, 120.5, 20)}
    assert found.hidden == ("2",)  # a box that cannot be read says nothing
    assert found.clickable == ("4",)
    assert (steps[0].hidden, steps[1].boxes) == (found.hidden, {})


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("1,2,3,4", (1, 2, 3, 4)),
        ("0,0,0,0", (0, 0, 0, 0)),
        ("-5,-6,1,1", (-5, -6, 1, 1)),
        ("-1,-1,-1,-1", None),
        ("", None),
        ("1,2,3", None),
        ("a,b,c,d", None),
        ("0,0,inf,1", None),
        ("1,2,3,4,5", None),
    ],
)
def test_box_is_four_numbers_of_a_node_with_layout(text: str, box: object) -> None:
    assert box_of(text) == box


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*TASK, "op", "value"]), inner)
        ),
    )
)
def test_odd_task_gives_no_steps(odd: Any) -> None:
    for task in (
        {"actions": odd},
        {"actions": [odd]},
        {**TASK, "actions": [{"operation": {"op": "CLICK"}, "x": odd}]},
    ):
        for one in steps_of(task):
            assert next(read_lines([to_line(one)], "here")) == one


def test_role_is_read_from_the_beginning_of_the_representation() -> None:
    assert [role_in(text) for text in ("[combobox]  x -> CLICK", "x [a]", "", "[]")] == [
        "combobox",
        "",
        "",
        "",
    ]
