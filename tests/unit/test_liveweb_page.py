"""Every task of liveweb says where it comes from, and docs/liveweb.md repeats what is known."""

from __future__ import annotations

import pytest

from pytest_webbench.task import Task
from tests.support.liveweb_page import PAGE, TASKS, page

BENCHMARKS = {"Online-Mind2Web", "WebVoyager", "WebGym", "liveweb"}
KINDS = {"handbook", "catalogue", "figures", "forms"}
DIFFICULTIES = {"easy", "medium", "hard"}
DRIFTS = {"drift_low", "drift_medium", "drift_high"}


def test_page_agrees_with_the_task_files() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: python -m tests.support.liveweb_page > new && mv new docs/liveweb.md"
    )


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_task_says_where_it_comes_from_and_what_it_is(task: Task) -> None:
    assert task.source is not None
    assert task.source.id
    assert task.source.note, "why it differs from its source"
    assert task.source.confirmed is not None
    for choices in (KINDS, DIFFICULTIES, DRIFTS):
        assert len(choices & set(task.tags)) == 1, choices
    assert len(task.counterexamples) >= 6


def test_no_two_tasks_come_from_the_same_one() -> None:
    sources = [(task.source.benchmark, task.source.id) for task in TASKS if task.source]
    assert len(set(sources)) == len(sources)
