"""Files written from models are read back as the very same task or suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webbench.task import Limits, Suite, Task
from pytest_webbench.task.native import parse_task, read_suite, read_task
from pytest_webbench.task.writing import suite_text, task_text

SUITES = Path(__file__).parents[2] / "suites"
TRAPS = [
    "\x85",
    "a\u2028b",
    "1.5e3",
    "1e5",
    "01234",
    "yes",
    "null",
    "~",
    "true",
    "2024-01-01",
    "12:30",
    "0x1F",
    "1_000",
    ".5",
    "+.5e1",
    "=",
    "a: b",
    "- a",
    "#",
    "*a",
    "&a",
    "!a",
    "'",
    '"',
    "\\d+\n",
    "\u2028",
    "\x7f",
    "😀",
    "",
    " ",
    "\t",
    "%",
    "@",
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=200), inner, max_size=3)
    ),
    max_leaves=8,
)


def task(value: object) -> Task:
    check = {
        "name": "c",
        "get": {"type": "const", "value": value},
        "metric": "literal_match",
        "expected": "x",
    }
    return Task.model_validate(
        {
            "id": "t",
            "goal": "Do what is asked.",
            "start_url": "https://a.example/",
            "checks": [check],
        }
    )


def same(one: Task) -> bool:
    return parse_task(task_text(one), "t.yaml", stem="t").digest() == one.digest()


@pytest.mark.parametrize("text", TRAPS, ids=ascii)
def test_ambiguous_texts_are_quoted(text: str) -> None:
    assert same(task([text, {text: text}]))


@given(VALUES)
def test_any_value_survives_being_written(value: object) -> None:
    assert same(task(value))


@pytest.mark.parametrize("path", sorted(SUITES.glob("*/tasks/*.yaml")), ids=lambda path: path.stem)
def test_suite_c_tasks_survive_being_written(path: Path) -> None:
    one = read_task(path)
    assert parse_task(task_text(one), path.name).digest() == one.digest()


def test_suite_survives_being_written(tmp_path: Path) -> None:
    suite = Suite(
        name="mine",
        title='A "title" \\ with\nall',
        licence="see\x7f",
        worlds=["live"],
        limits=Limits(actions=7),
        description="é 😀",
    )
    (tmp_path / "suite.toml").write_text(suite_text(suite), "utf-8")
    assert read_suite(tmp_path / "suite.toml") == suite
