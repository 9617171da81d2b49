"""Suite C is sound: every task, every proof, in the replica world."""

from __future__ import annotations

from pathlib import Path

import pytest

SUITE = Path(__file__).parents[2] / "suites" / "suite_c"
TASKS = sorted((SUITE / "tasks").glob("*.yaml"))

pytestmark = pytest.mark.browser


def test_suite_c_has_27_tasks_on_27_sites() -> None:
    from pytest_webbench.task.native import read_task

    tasks = [read_task(path) for path in TASKS]
    assert len(tasks) == 27
    assert len({task.site for task in tasks}) == 27
    assert sum(len(task.solution) >= 4 for task in tasks) >= 19
    assert all(len(task.counterexamples) >= 4 for task in tasks)


@pytest.mark.slow
@pytest.mark.parametrize("path", TASKS, ids=[path.stem for path in TASKS])
def test_suite_c_task_is_sound(pytester: pytest.Pytester, path: Path) -> None:
    result = pytester.runpytest_subprocess(
        str(path), "--rootdir", str(pytester.path), "--webbench-validate", "2"
    )
    result.stdout.fnmatch_lines(["1 of 1 tasks are sound"])
    assert result.ret == 0
