"""`answer: json`: which schemas a task may have, and which answers fit."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from pytest_webbench.agents.chat.prompt import _answer_rule
from pytest_webbench.agents.policy import Turn
from pytest_webbench.browser.observation import Observation
from pytest_webbench.checks.answer_schema import MOST_CHARACTERS, misfit, schema_issues
from pytest_webbench.errors import TaskFileError
from pytest_webbench.judge import judge
from pytest_webbench.judge.episode_audit import _other_answers
from pytest_webbench.task.native import parse_task
from pytest_webbench.testing import brief, evidence, task

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["lamp", "price"],
    "properties": {
        "lamp": {"type": "string", "pattern": "^[A-Z]"},
        "price": {"$ref": "#/$defs/money"},
        "tags": {"type": "array", "items": {"enum": ["new", "old"]}, "uniqueItems": True},
    },
    "additionalProperties": False,
    "$defs": {"money": {"type": "number", "exclusiveMinimum": 0}},
}
FITS = '{"lamp": "Brass", "price": 49.9}'


@pytest.mark.parametrize(
    "answer",
    [
        FITS,
        f" \n{FITS}\n",
        f"```json\n{FITS}\n```",
        f"```\n{FITS}\n```",
        '{"price": 1e2, "lamp": "Brass", "tags": ["new"]}',
    ],
)
def test_answer_fits(answer: str) -> None:
    assert misfit(answer, SCHEMA) == ""


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "there is no answer"),
        (" \n", "there is no answer"),
        ("It is the brass lamp.", "not JSON and nothing else"),
        (f"Here it is: {FITS}", "not JSON and nothing else"),
        (f"{FITS} as I found out.", "not JSON and nothing else"),
        (f"{FITS}\n{FITS}", "not JSON and nothing else"),
        (f"Here:\n```json\n{FITS}\n```", "not JSON and nothing else"),
        ("```json\n```", "not JSON"),
        ('{"lamp": "Brass", "price": NaN}', "NaN"),
        ('{"lamp": "Brass", "price": 1e999}', "too large"),
        ('{"lamp": "Brass", "price": 1, "price": 2}', "the same key twice"),
        ('{"lamp": "Brass"}', "'price' is a required property"),
        ('{"lamp": "Brass", "price": "49.90"}', "price: '49.90' is not of type 'number'"),
        ('{"lamp": "Brass", "price": 0}', "price: 0"),
        ('{"lamp": "brass", "price": 1}', "lamp: 'brass' does not match"),
        ('{"lamp": "Brass", "price": 1, "x": 1}', "'x' was unexpected"),
        ('{"lamp": "Brass", "price": 1, "tags": ["new", "new"]}', "non-unique"),
        ('{"lamp": "Brass", "price": 1, "tags": ["red"]}', "tags[0]: 'red' is not one of"),
        ("[" * 5000 + "]" * 5000, "nested too deeply"),
        (FITS + " " * MOST_CHARACTERS, "characters, at most"),
        ("12", "12 is not of type 'object'"),
    ],
)
def test_answer_does_not_fit(answer: str | None, why: str) -> None:
    assert why in misfit(answer, SCHEMA)


def test_scalars_may_be_asked_for() -> None:
    assert misfit("12", {"type": "integer"}) == ""
    assert misfit('"Brass"', {"type": "string"}) == ""
    assert "not JSON" in misfit("Brass", {"type": "string"})


@pytest.mark.parametrize(
    ("schema", "at", "what"),
    [
        ([], (), "an object"),
        (True, (), "an object"),
        ({"type": "strng"}, ("type",), "did you mean 'string'?"),
        ({"type": ["null", "int"]}, ("type",), "unknown type 'int'"),
        ({"requird": ["a"]}, ("requird",), "did you mean 'required'?"),
        ({"required": "a"}, ("required",), "not of type 'array'"),
        ({"minimum": "1"}, ("minimum",), "not of type 'number'"),
        ({"properties": {"a": {"typ": 1}}}, ("properties", "a", "typ"), "unknown keyword 'typ'"),
        ({"properties": {"a": 5}}, ("properties", "a"), "an object"),
        ({"properties": {"enum": {"x": 1}}}, ("properties", "enum", "x"), "unknown keyword"),
        ({"anyOf": [{"type": "null"}, {"x": 1}]}, ("anyOf", 1, "x"), "unknown keyword"),
        ({"pattern": "(a+)+$"}, ("pattern",), "for ever"),
        ({"pattern": "("}, ("pattern",), "bad pattern"),
        (
            {"patternProperties": {"(x*)*y": {}}},
            ("patternProperties", "(x*)*y"),
            "for ever",
        ),
        ({"items": {"pattern": "(a|a)*b"}}, ("items", "pattern"), "for ever"),
        ({"$ref": "https://a.example/s.json"}, ("$ref",), "leads elsewhere"),
        ({"$ref": "file:///etc/passwd"}, ("$ref",), "leads elsewhere"),
        ({"items": {"$ref": "#"}}, ("items", "$ref"), "leads elsewhere"),
        ({"$ref": "#/$defs/mony", "$defs": {"money": {}}}, ("$ref",), "did you mean 'money'?"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, ("$schema",), "dialect"),
        ({"$dynamicRef": "#a"}, ("$dynamicRef",), "unknown keyword"),
        ({"$id": "https://a.example/"}, ("$id",), "unknown keyword"),
    ],
)
def test_issue_of_a_schema_says_where_it_is(schema: Any, at: tuple[Any, ...], what: str) -> None:
    issue = schema_issues(schema)[0]
    assert issue.at == at
    assert what in issue.what


def test_schema_without_an_end_is_refused() -> None:
    ring = {"$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"not": {"$ref": "#/$defs/a"}}}}
    assert any("refers to itself" in issue.what for issue in schema_issues(ring))
    doubled: dict[str, Any] = {"$defs": {"s0": {}}, "$ref": "#/$defs/s30"}
    for number in range(30):
        both = [{"$ref": f"#/$defs/s{number}"}] * 2
        doubled["$defs"][f"s{number + 1}"] = {"allOf": both}
    assert any("counted as often" in issue.what for issue in schema_issues(doubled))
    deep: dict[str, Any] = {}
    for _ in range(400):
        deep = {"not": deep}
    assert any("nested" in issue.what for issue in schema_issues(deep))


def test_good_schema_has_no_issue() -> None:
    assert schema_issues(SCHEMA) == []
    assert schema_issues({}) == []
    assert schema_issues({"const": {"$ref": "x", "typ": 1}, "properties": {"$ref": {}}}) == []


# -- task files --------------------------------------------------------------------------------

FILE = """\
id: lamp
goal: Say which lamp is the cheapest.
start_url: https://shop.example/
answer: json
answer_schema:
  type: object
  properties:
    price: {type: number}
checks:
- {name: price, get: agent_answer, metric: answer_match, expected: {price: 5}}
solution:
- {do: done, answer: '{"price": 5}'}
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "what"),
    [
        ("answer: json", "answer: text", 5, "answer_schema", "only for `answer: json`"),
        ("type: number", "type: nmber", 8, "answer_schema.properties.price.type", "'number'?"),
        ("  type: object", "  typ: object", 6, "answer_schema.typ", "did you mean 'type'?"),
        ("5}'}", "five}'}", 12, "solution[0].answer", "does not fit answer_schema"),
        ('{"price": 5}', '{"price": "5"}', 12, "solution[0].answer", "price: '5' is not"),
    ],
)
def test_task_file_says_what_is_wrong(old: str, new: str, line: int, field: str, what: str) -> None:
    with pytest.raises(TaskFileError) as caught:
        parse_task(FILE.replace(old, new, 1), "lamp.yaml", stem="lamp")
    (problem,) = caught.value.problems
    assert (problem.line, problem.field) == (line, field)
    assert what in problem.what


def test_schema_must_be_there() -> None:
    data = yaml.safe_load(FILE)
    del data["answer_schema"]
    with pytest.raises(TaskFileError, match="`answer: json` needs it"):
        parse_task(yaml.safe_dump(data), "lamp.yaml", stem="lamp")


# -- judging -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "outcome", "detail"),
    [
        (FITS, "passed", ""),
        (f"```json\n{FITS}\n```", "passed", ""),
        ('{"lamp": "Oak", "price": 49.9}', "failed", ""),
        (f"The answer: {FITS}", "failed", "the answer does not fit: it is not JSON"),
        ('{"lamp": "Brass"}', "failed", "the answer does not fit: 'price' is a required"),
        (None, "failed", "the answer does not fit: there is no answer"),
    ],
)
def test_what_does_not_fit_is_no_answer(answer: str | None, outcome: str, detail: str) -> None:
    names_lamp = {"get": "agent_answer", "metric": "answer_match", "expected": {"lamp": "Brass"}}
    typed = task(answer="json", answer_schema=SCHEMA, checks=[{"name": "lamp", **names_lamp}])
    verdict = judge(typed, evidence(answer=answer))
    assert verdict.outcome == outcome
    assert verdict.detail.startswith(detail)
    if detail:
        assert verdict.checks[0].found == "(nothing)"


def test_right_answers_in_other_forms_are_json_too() -> None:
    typed = task(answer="json", answer_schema=SCHEMA)
    forms = [form for kind, _, form in _other_answers(typed, evidence(answer=FITS))]
    assert forms
    assert [misfit(form, SCHEMA) for form in forms] == [""] * len(forms)


# -- agents ------------------------------------------------------------------------------------


def test_chat_models_are_told_the_schema() -> None:
    wanted = brief(wants_answer=True, answer_schema=SCHEMA)
    seen = Observation(url="https://a.example/", title="", text="", elements=())
    rule = _answer_rule(Turn(brief=wanted, observation=seen))
    assert '"required": ["lamp", "price"]' in rule
