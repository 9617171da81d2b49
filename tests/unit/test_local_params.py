"""Parameters: what is drawn for a seed, what it is put into, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.errors import SettingsError, TaskFileError
from pytest_webbench.task import Task
from pytest_webbench.task.native import parse_task, read_task
from pytest_webbench.task.params import filled_task
from pytest_webbench.world.local.draws import draw

FOLDER = Path(__file__).parents[1] / "support" / "notes"
STAR = read_task(FOLDER / "tasks" / "star-best.yaml")


def with_params(**params: Any) -> Task:
    return Task.model_validate(
        STAR.model_dump(exclude={"params", "checks", "solution", "counterexamples"})
        | {"goal": "Look at the notes.", "params": params}
        | {"checks": [{"name": "c", "get": "final_url", "metric": "exact_match", "expected": "x"}]}
    )


def drawn(seed: int = 0, **params: Any) -> dict[str, Any]:
    return draw(with_params(**params), FOLDER / "sites", seed)


def test_draw_is_the_same_for_a_seed_and_another_for_others() -> None:
    params = {"note": {"sql": "select text from notes_notes order by random()"}}
    found = [drawn(seed, **params)["note"]["text"] for seed in (0, 0, 1, 2, 3, 4)]
    assert found[0] == found[1]
    assert len(set(found)) > 1


def test_later_queries_see_what_was_drawn_before() -> None:
    found = drawn(
        least={"one_of": [1]},
        first={"sql": "select id, stars from notes_notes where stars >= :least order by stars"},
        other={"sql": "select stars from notes_notes where id <> :first_id and stars > :least"},
    )
    assert (found["first"]["stars"], found["other"]) == (1, {"stars": 2})
    assert (found["me"], found["today"]) == (1, "2026-11-24")


def test_draw_that_leads_to_nothing_is_made_again() -> None:
    found = drawn(
        stars={"one_of": [0, 50, 60, 70, 80]},
        note={"sql": "select id from notes_notes where stars = :stars"},
    )
    assert found["stars"] == 0


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"note": {"sql": "select id from notes_notes where stars > 99"}}, "seed 3 .*note: no row"),
        (
            {"note": {"sql": "select 1 as n from notes_notes", "unique": ["n"]}},
            "note: the first two rows tie in n",
        ),
        ({"note": {"sql": "select id from notes_notes", "unique": ["x"]}}, "gives id"),
        ({"note": {"sql": "delete from notes_notes"}}, "params.note: this SQL may only read"),
    ],
)
def test_draw_that_cannot_be_made_names_task_seed_and_parameter(
    params: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        drawn(3, **params)
    assert "star-best" in str(caught.value)


def test_values_stand_in_goal_checks_and_steps_with_their_types() -> None:
    task = filled_task(STAR, draw(STAR, FOLDER / "sites", 0))
    assert "{{" not in task.model_dump_json()
    assert task.checks[0].expected == [
        {"update": "notes.notes", "row": {"id": 3}, "to": {"stars": {"gt": 2}}}
    ]
    assert task.params == {}
    assert task.digest() != STAR.digest()


def test_what_a_step_reads_is_left_for_that() -> None:
    steps = [
        {"do": "read", "get": "page_title", "as": "page"},
        {"do": "done", "answer": "{{page}} {{n}}"},
    ]
    data = with_params(n={"one_of": [5]}).model_dump() | {"answer": "text", "solution": steps}
    task = filled_task(Task.model_validate(data), {"n": 5, "me": 1, "today": "x"})
    assert task.solution[1].model_dump()["answer"] == "{{page}} 5"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"{{best.text}}"', '"{{bets.text}}"', "goal.*did you mean 'best'"),
        ("row: {id: '{{best.id}}'}", "row: {id: '{{nobody.id}}'}", "unknown name 'nobody'"),
        ("'Star {{other.text}}'", "'Star {{othr.text}}'", "did you mean 'other'"),
        (", unique: [stars]}", ", one_of: [1]}", "either sql or one_of"),
    ],
)
def test_placeholder_that_nothing_fills_is_an_error_of_the_file(
    old: str, new: str, message: str
) -> None:
    text = (FOLDER / "tasks" / "star-best.yaml").read_text()
    assert old in text
    with pytest.raises(TaskFileError, match=message):
        parse_task(text.replace(old, new, 1), "star-best.yaml")
