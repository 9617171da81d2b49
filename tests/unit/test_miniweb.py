"""The suite miniweb without a browser: every task can be drawn, and the page about it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench.task import Task
from pytest_webbench.task.folder import read_folder
from pytest_webbench.world.base import task_in_edition
from tests.support.miniweb_page import SUITE, rows, skills

PAGE = Path(__file__).parents[2] / "docs" / "miniweb.md"
TASKS = list(read_folder(SUITE).tasks.values())


def by_id(task: Task) -> str:
    return task.id


@pytest.mark.parametrize("task", TASKS, ids=by_id)
def test_task_can_be_drawn_in_twenty_seeds_and_differs(task: Task) -> None:
    found = [task_in_edition(task, SUITE, seed) for seed in range(20)]
    assert all("{{" not in one.model_dump_json() for one in found)
    assert len({one.digest() for one in found}) > 2


@pytest.mark.parametrize("task", TASKS, ids=by_id)
def test_task_names_its_skills_and_has_a_counterexample(task: Task) -> None:
    assert skills(task)
    assert task.solution
    assert task.counterexamples
    assert any(check.metric == "changes_match" for check in task.checks)


def test_page_lists_every_task_as_it_is() -> None:
    listed = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert listed == rows()
