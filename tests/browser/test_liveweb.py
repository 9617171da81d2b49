"""The suite liveweb is sound: an eighth of its tasks by every proof, changing by commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.liveweb_page import ROOT, SUITE

TASKS = sorted((SUITE / "tasks").glob("*.yaml"))
_PARTS = 8


def _part() -> int:
    """Which eighth: that of the commit, so that a failure comes again."""
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return int(done.stdout or "0", 16) % _PARTS


_CHOSEN = TASKS[_part() :: _PARTS]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("path", _CHOSEN, ids=[path.stem for path in _CHOSEN])
def test_liveweb_task_is_sound(pytester: pytest.Pytester, path: Path) -> None:
    result = pytester.runpytest_subprocess(
        str(path),
        "--rootdir",
        str(pytester.path),
        "--webbench-validate",
        "3",
        "--webbench-world",
        "replica",
    )
    result.stdout.fnmatch_lines(["1 of 1 tasks are sound"])
    assert result.ret == 0
