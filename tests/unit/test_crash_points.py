"""A session killed at any file operation and resumed leaves the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.fault
@pytest.mark.parametrize(
    "how",
    [
        pytest.param((), id="whole lines"),
        pytest.param(("--torn",), id="half-written lines", marks=pytest.mark.slow),
    ],
)
def test_kill_at_every_file_operation_changes_nothing(tmp_path: Path, how: tuple[str, ...]) -> None:
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "tests.support.crash_points",
        str(tmp_path),
        *how,
    ]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["at"] for one in told if not one["same"]] == []
    assert sum(one["kills"] for one in told) > 100
