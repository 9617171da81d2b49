"""A session that is killed at any file operation and resumed leaves what an undisturbed one leaves, to the byte."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.fault
@pytest.mark.parametrize("how", [(), ("--torn",)], ids=["whole lines", "half-written lines"])
def test_kill_at_every_file_operation_changes_nothing(tmp_path: Path, how: tuple[str, ...]) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.crash_points", str(tmp_path), *how]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["at"] for one in told if not one["same"]] == []
    assert sum(one["kills"] for one in told) > 100
