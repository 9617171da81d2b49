"""Which files are taken for tasks that lie in the wrong place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webbench._suite_files import misplaced

TASK = "id: x\ngoal: Open it\nstart_url: https://a.test/\nchecks: []\n"
PLAYBOOK = "- name: install\n  checks: 1\n"


def place(root: Path, name: str, text: str = TASK, *, suite: str = "") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if suite:
        (root / suite / "suite.toml").write_text('name = "s"\n', encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "suite"),
    [
        ("s/tasks/x.yml", "s"),
        ("s/tasks/x.YAML", "s"),
        ("s/tasks/a/b/x.yaml", "s"),
        ("s/x.yml", "s"),
    ],
)
def test_task_within_a_suite_is_to_be_moved(tmp_path: Path, name: str, suite: str) -> None:
    told = misplaced(place(tmp_path, name, suite=suite), named=False)
    assert f"move it to {tmp_path / 's' / 'tasks' / 'x.yaml'}, or out of the suite" in told


@pytest.mark.parametrize(
    ("name", "named"),
    [("s/tasks/x.yaml", False), ("s/tasks/deep/x.yml", False), ("s/x.yaml", True)],
)
def test_folder_of_tasks_is_to_become_a_suite(tmp_path: Path, name: str, named: bool) -> None:
    told = misplaced(place(tmp_path, name), named=named)
    assert f"{tmp_path / 's'} is no suite: a suite has a suite.toml" in told


@pytest.mark.parametrize(
    ("name", "text", "suite"),
    [
        ("roles/x/tasks/main.yml", PLAYBOOK, ""),
        ("tasks/goals.yaml", "goal: 3\n", ""),
        ("s/x.yaml", PLAYBOOK, "s"),
        ("s/tasks/x.json", TASK, "s"),
        ("s/tasks/README.md", TASK, "s"),
        ("elsewhere/x.yaml", TASK, ""),
    ],
)
def test_other_files_are_left_alone(tmp_path: Path, name: str, text: str, suite: str) -> None:
    assert misplaced(place(tmp_path, name, text, suite=suite), named=False) == ""
