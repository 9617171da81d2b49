"""`{{name.field}}` in steps: filled in when a script is played, checked when its file is read."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webbench.checks import MISSING
from pytest_webbench.errors import StepError, TaskFileError
from pytest_webbench.judge.validation import proofs_of
from pytest_webbench.task.native import parse_task
from pytest_webbench.task.placeholders import filled, filled_json
from pytest_webbench.task.script import Done, Drag, Goto, Target, Type
from pytest_webbench.task.stored import parse_stored_task
from pytest_webbench.testing import task

VALUES: dict[str, Any] = {
    "lamp": {"name": 'Brass "17"', "price": "$1,299.00", "sold": MISSING, "a b": "x"},
    "rows": [{"n": 1}, {"n": 2}],
    "count": 3,
    "note": "none yet",
}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{{lamp.price}}", "$1,299.00"),
        ("a {{ lamp.name }} b", 'a Brass "17" b'),
        ("{{rows[-1].n}} of {{count}}", "2 of 3"),
        ("{{rows}}", '[{"n": 1}, {"n": 2}]'),
        ("{{lamp.a b}}", "x"),
        ("{{ 5 }} {x} {{}}", "{{ 5 }} {x} {{}}"),
    ],
)
def test_placeholders_are_filled(text: str, result: str) -> None:
    step = Type(do="type", role="textbox", name="Search", text=text)
    assert filled(step, VALUES).text == result


def test_nested_fields_are_filled_and_others_stay_the_same() -> None:
    onto = Target(role="list", name="{{note}}")
    drag = filled(Drag(do="drag", role="listitem", name="{{lamp.price}}", to=onto), VALUES)
    assert (drag.name, drag.to.name) == ("$1,299.00", "none yet")
    plain = Goto(do="goto", url="https://a.example/")
    assert filled(plain, VALUES) is plain


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('{"price": {{lamp.price}}}', '{"price": 1299}'),
        ('{"name": "{{lamp.name}}"}', '{"name": "Brass \\"17\\""}'),
        ('{"name": {{lamp.name}}}', '{"name": 17}'),
        ('{"note": {{note}}}', '{"note": "none yet"}'),
        ('{"all": {{rows}}, "count": {{count}}}', '{"all": [{"n": 1}, {"n": 2}], "count": 3}'),
        ('{"a": "say \\"hi\\" {{lamp.name}}"}', '{"a": "say \\"hi\\" Brass \\"17\\""}'),
    ],
)
def test_json_stays_json(text: str, result: str) -> None:
    assert filled_json(text, VALUES) == result


@pytest.mark.parametrize("path", ["lamp.sold", "lamp.nothing", "other", "rows[7]"])
def test_value_that_was_not_read_is_reported(path: str) -> None:
    with pytest.raises(StepError, match="was not on the page that was read"):
        filled(Done(do="done", answer=f"{{{{{path}}}}}"), VALUES)


FILE = """\
id: lamp
goal: Say what the cheapest lamp costs.
start_url: https://shop.example/
answer: text
checks:
- {name: price, get: agent_answer, metric: answer_match, expected: 5}
solution:
- {do: read, get: {type: dom_extract, selectors: {price: .price}}, as: lamp}
- {do: read, get: page_title, as: title}
- {do: type, role: textbox, name: Price, text: '{{lamp.price}}'}
- {do: upload, role: button, name: Photo, files: [files/a.jpg]}
- {do: goto, url: '{{title}}'}
- {do: done, answer: 'It is {{lamp.price}}.'}
counterexamples:
- name: another price
  steps:
  - {do: done, answer: It is 7.}
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "what"),
    [
        ("'{{lamp.price}}'", "'{{lmap.price}}'", 10, "solution[2].text", "did you mean 'lamp'?"),
        ("'{{lamp.price}}'", "'{{lamp.prise}}'", 10, "solution[2].text", "did you mean 'price'?"),
        ("'{{title}}'", "'{{title.a}}'", 12, "solution[4].url", "unknown field 'a'"),
        ("name: Price", "name: '{{x}}'", 10, "solution[2].name", "unknown name 'x'"),
        ("[files/a.jpg]", "['{{x}}.jpg']", 11, "solution[3].files[0]", "unknown name 'x'"),
        ("It is 7.", "'It is {{lamp.price}}.'", 17, "counterexamples[0].steps[0].answer", "'lamp'"),
        ("as: title", "as: later", 12, "solution[4].url", "unknown name 'title'"),
        ("as: title", "as: a-b", 9, "solution[1].as", "pattern"),
        ("get: page_title", "get: page_titel", 9, "solution[1].get", "did you mean"),
        ("get: page_title", "get: clipboard", 9, "solution[1].get", "cannot be read"),
        ("selectors:", "selector:", 8, "solution[0].get.selector", "unknown option"),
        ("files/a.jpg", "../a.jpg", 11, "solution[3].files[0]", "within the suite's folder"),
        ("files/a.jpg", "/etc/passwd", 11, "solution[3].files[0]", "within the suite's folder"),
        ("files/a.jpg", "files/../../a", 11, "solution[3].files[0]", "within the suite's"),
        ("'{{title}}'", "shop", 12, "solution[4].url", "must be an http:// or https://"),
    ],
)
def test_file_says_what_is_wrong(old: str, new: str, line: int, field: str, what: str) -> None:
    with pytest.raises(TaskFileError) as caught:
        parse_task(FILE.replace(old, new, 1), "lamp.yaml", stem="lamp")
    problem = caught.value.problems[0]
    assert (problem.line, problem.field) == (line, field)
    assert what in problem.what


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("{do: press, key: Enter, role: textbox}", "role and name go together"),
        ("{do: press, key: Enter, name: Search}", "role and name go together"),
        ("{do: slide, role: slider, name: Price}", "is missing"),
        ("{do: slide, role: slider, name: Price, to: [1]}", "must be a number"),
        ("{do: drag, role: listitem, name: Lamp, to: {role: list}}", "is missing"),
        ("{do: upload, role: button, name: Photo, files: []}", "at least 1 item"),
        ("{do: click, role: button, name: Go, dialog: ignore}", "unknown value 'ignore'"),
    ],
)
def test_step_with_wrong_options_is_refused(step: str, what: str) -> None:
    text = FILE.replace("- {do: done, answer: 'It is {{lamp.price}}.'}", f"- {step}")
    with pytest.raises(TaskFileError, match=what) as caught:
        parse_task(text, "lamp.yaml", stem="lamp")
    assert [problem.line for problem in caught.value.problems] == [13]


def test_task_with_such_steps_is_stored_and_read_back() -> None:
    read = parse_task(FILE, "lamp.yaml", stem="lamp")
    again = parse_stored_task(read.model_dump_json(indent=1).encode())
    assert again == read
    assert proofs_of(again, seeds=[0])[0].steps == tuple(read.solution)


def test_placeholders_of_an_answer_are_no_misfit_of_its_schema() -> None:
    read = {"do": "read", "get": "page_title", "as": "n"}
    done = {"do": "done", "answer": '{"n": {{n}}}'}
    schema = {"type": "object"}
    assert task(answer="json", answer_schema=schema, solution=[read, done]).solution
