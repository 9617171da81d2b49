"""An isolated program sees neither the folders that are hidden from it nor other processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webbench.agents.command.isolation import isolated, why_impossible
from pytest_webbench.errors import SettingsError

SPY = """
import os, subprocess, sys
hidden, other = sys.argv[1:]
for above in ([], ["unshare", "--user", "--map-root-user", "--mount"]):
    subprocess.run([*above, "umount", hidden], capture_output=True)
print(os.listdir(hidden), os.listdir(other), os.getuid(), os.getcwd())
print(sorted(int(name) for name in os.listdir("/proc") if name.isdigit())[-1] < 100)
"""


@pytest.mark.skipif(bool(why_impossible()), reason=why_impossible())
def test_isolated_program_sees_no_hidden_folder_and_no_other_process(tmp_path: Path) -> None:
    for name in ("suite", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    command = [sys.executable, "-c", SPY, str(tmp_path / "suite"), str(tmp_path / "other")]
    hidden = [tmp_path / "suite", tmp_path / "no-such-folder"]
    start = isolated(command, cwd=tmp_path, hidden=hidden)
    done = subprocess.run(start, cwd=tmp_path, capture_output=True, text=True, check=False)
    user = subprocess.run(["id", "-u"], capture_output=True, text=True, check=True).stdout.strip()
    assert done.stdout.splitlines() == [f"[] ['file'] {user} {tmp_path}", "True"], done.stderr
    failing = isolated(["sh", "-c", "exit 7"], cwd=tmp_path, hidden=hidden)
    assert subprocess.run(failing, cwd=tmp_path, check=False).returncode == 7


def test_program_in_a_hidden_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    with pytest.raises(SettingsError, match="keep the agent's program and its cwd outside"):
        isolated(["sh"], cwd=tmp_path / "suite", hidden=[tmp_path / "suite"])
