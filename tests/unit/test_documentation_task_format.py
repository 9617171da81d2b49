"""The example in ``docs/task-format.md`` is valid for model and JSON Schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_webbench.errors import TaskFileError
from pytest_webbench.task import Check, Task
from pytest_webbench.task.native import _Builder, _compose, parse_task
from pytest_webbench.task.schema import suite_schema, task_schema

DOCUMENT = (Path(__file__).parents[2] / "docs/task-format.md").read_text("utf-8")


def example() -> str:
    block = re.search(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)
    assert block is not None
    return block[1]


def data(text: str) -> Any:
    return _Builder().build(_compose(text, "example"), ())


def schema_errors(text: str) -> list[str]:
    return [
        error.json_path for error in Draft202012Validator(task_schema()).iter_errors(data(text))
    ]


def test_example_task_is_valid() -> None:
    task = parse_task(example(), "example", stem="lamps-under-50")
    assert [check.name for check in task.checks][2] == "the number of reviews"


def test_example_uses_every_field() -> None:
    assert set(data(example())) == set(Task.model_fields)


def test_example_satisfies_the_schema() -> None:
    assert schema_errors(example()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("conj: and", "conj: xor"),
        ("tags:", "tagz:"),
        ("get: final_url", "get: final_urll"),
        ("metric: url_matches", "metric: url_match"),
        ("options: {also: [50]}", "options: {alsoo: [50]}"),
        ("options: {also: [50]}", "options: {also: 50}"),
        ("{actions: 40,", "{actions: -1,"),
        ("do: press", "do: push"),
        ("selectors: {reviews: .reviews .count}", "selector: .reviews"),
    ],
)
def test_schema_and_model_refuse_the_same_mistakes(old: str, new: str) -> None:
    text = example().replace(old, new, 1)
    assert text != example()
    with pytest.raises(TaskFileError):
        parse_task(text, "example")
    if "selector" not in new:  # `expected` may be any value as far as the schema knows
        assert schema_errors(text)


def test_confirmed_facts_do_not_change_the_task_digest() -> None:
    block = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)[1]
    source = data(block)["source"]
    plain = parse_task(example(), "example")
    task = Task.model_validate(plain.model_dump() | {"source": source})
    assert task.source is not None
    assert task.source.confirmed is not None
    assert task.source.confirmed.on == "2026-11-30"
    bare = task.model_copy(update={"source": task.source.model_copy(update={"confirmed": None})})
    assert task.digest() == bare.digest()
    assert "confirmed" not in bare.model_dump()["source"]


def test_every_field_is_described() -> None:
    for model in (Task, Check):
        assert all(f"`{name}`" in DOCUMENT for name in model.model_fields)


def test_published_schemas_are_valid() -> None:
    for schema in (task_schema(), suite_schema()):
        Draft202012Validator.check_schema(schema)
