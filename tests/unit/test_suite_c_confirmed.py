"""Every task of Suite C says what of it is confirmed, and docs/suite-c.md repeats it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench.report.episode_notes import not_audited
from pytest_webbench.task import Task
from pytest_webbench.task.folder import read_folder
from pytest_webbench.task.native import read_task

ROOT = Path(__file__).parents[2]
TASKS = [read_task(path) for path in sorted((ROOT / "suites/suite_c/tasks").glob("*.yaml"))]
PAGE = (ROOT / "docs" / "suite-c.md").read_text(encoding="utf-8")


def section(task: Task) -> str:
    """What the page says of one task: its heading, its table and what was not seen."""
    return PAGE.partition(f"\n### {task.id}\n")[2].partition("\n#")[0]


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def test_page_has_every_task_once() -> None:
    headings = [line[4:] for line in PAGE.splitlines() if line.startswith("### ")]
    assert headings == [task.id for task in TASKS]
    for task in TASKS:
        assert PAGE.count(f"\n| {task.id} |") == 1


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_page_says_what_is_confirmed(task: Task) -> None:
    assert task.source is not None
    confirmed = task.source.confirmed
    assert confirmed is not None
    found = section(task)
    for fact in confirmed.facts:
        assert f"| {cell(fact.what)} | {cell(fact.by)} |" in found
    for unseen in confirmed.unseen:
        assert unseen in " ".join(found.split())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_task_is_named_as_its_file_and_its_source(task: Task) -> None:
    assert task.source is not None
    assert task.source.id == task.id
    assert (ROOT / "suites/suite_c/tasks" / f"{task.id}.yaml").is_file()


def test_each_task_was_audited_with_whole_episodes_as_it_is_now() -> None:
    assert not_audited(read_folder(ROOT / "suites" / "suite_c")) == [], (
        "run: webbench audit suites/suite_c --episodes --write"
    )
