"""JSON in what language models write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.agents.chat.json_repair import LONGEST, find_json, without_thinking

CLICK = {"do": "click", "ref": "e1"}


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "click", "ref": "e1"}',
        'I will click the link.\n{"do": "click", "ref": "e1"}\nThat should do.',
        'Sure!\n```json\n{"do": "click", "ref": "e1"}\n```\nDone.',
        '```\n{"do": "click", "ref": "e1"}\n```',
        'see {this} first: ```json\n{"do": "click", "ref": "e1"}\n```',
        '{"do": "click", "ref": "e1",}',
        "{'do': 'click', 'ref': 'e1'}",
        "{“do”: “click”, “ref”: “e1”}",
        "{do: click, ref: e1}",
        '{"do": "click",\n  "ref": "e1",\n}',
        '<think>maybe {"do": "back"}</think>{"do": "click", "ref": "e1"}',
        'maybe {"do": "back"}</think>{"do": "click", "ref": "e1"}',
        'the link [e1] (see [2]) is right: {"do": "click", "ref": "e1"}',
        '{"do": "click", "ref": "e1"}\nPage: next\n{"do": "done"}',
    ],
)
def test_object_is_found_inside_other_text(text: str) -> None:
    assert find_json(text) == CLICK


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"do": "click", "ref": "e1"}]', [CLICK]),
        ("{'text': 'it\\'s', 'answer': 'don't know'}", {"text": "it's", "answer": "don't know"}),
        ('{"text": "say “hi”, then \'bye\'"}', {"text": "say “hi”, then 'bye'"}),
        ('{“text”: “a b”, “c”: “d"}', {"text": "a b", "c": "d"}),
        ('{"x": NaN}', {"x": "NaN"}),
        ('{"value": "the tag <think>"}', {"value": "the tag <think>"}),
        ('{"text": "two\nlines"}', {"text": "two\nlines"}),
        ('{"a": True, "b": None, "c": [1, 2,],}', {"a": True, "b": None, "c": [1, 2]}),
        ('{"a": 1e3, b: -2.5}', {"a": 1000.0, "b": -2.5}),
        ('{"a": {"b": {"c": "}"}}}', {"a": {"b": {"c": "}"}}}),
    ],
)
def test_syntax_slips_are_repaired_outside_strings_only(text: str, found: object) -> None:
    assert find_json(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would click the first link.",
        "the list [1, 2, 3] and {} and []",
        '{"do": "type", "ref": "e1", "value": "half a va',
        '{"do": "click", "ref": "e1"',
        '<think>{"do": "click", "ref": "e1"}',
        "{" * 200_000,
        "[" * 5000 + "]" * 5000,
        '{"a":' * 3000,
        '"' * 100_000,
        "```" * 30_000,
        '{"a": ' + "9" * 50_000 + "}",
    ],
)
def test_text_without_a_complete_object_gives_none(text: str) -> None:
    assert find_json(text) is None


@given(st.text(max_size=400))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = find_json(text)
    assert found is None or isinstance(found, dict | list)


@given(st.text(alphabet="{}[]\"'“”‘’`,:\\<>/abe1 \n", max_size=300))
def test_any_mix_of_brackets_and_quotes_is_read_without_an_error(text: str) -> None:
    find_json(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
objects = st.dictionaries(st.text(min_size=1, max_size=8), values, min_size=1, max_size=4)


@given(
    objects,
    st.text(alphabet="abc .,\n", max_size=20),
    st.text(alphabet="abc .,\n{}[]", max_size=20),
)
def test_every_object_survives_prose_around_it(
    value: dict[str, object], before: str, after: str
) -> None:
    assert find_json(before + json.dumps(value) + after) == value


@given(objects)
def test_every_object_survives_a_code_fence(value: dict[str, object]) -> None:
    assert find_json(f"Here:\n```json\n{json.dumps(value, indent=1)}\n```") == value


@given(objects)
def test_truncated_object_is_never_completed(value: dict[str, object]) -> None:
    text = json.dumps({"outer": value})
    found = find_json(text[:-1])
    assert found != {"outer": value}


def test_only_the_beginning_of_a_long_reply_is_read() -> None:
    assert find_json("x" * LONGEST + '{"do": "done"}') is None


def test_thinking_is_left_out_even_if_its_tag_is_not_closed() -> None:
    assert without_thinking("a<think>b</think>c<think>d") == "ac"
