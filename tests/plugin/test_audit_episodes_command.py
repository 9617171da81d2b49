"""`webbench audit SUITE --episodes` plays what is made from solutions, once, and notes it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WEBBENCH = [sys.executable, "-c", "from pytest_webbench.cli import main; main()"]
AUDIT = [*WEBBENCH, "audit", "mini", "--episodes", "--task", "open-next", "-n", "1"]
WAY = """- name: it was opened from the home page
  get: pages_seen
  metric: came_from
  expected: {host: mini.test, path: /}
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*AUDIT, *arguments], capture_output=True, text=True, check=False)


def test_right_episodes_pass_and_wrong_ones_fail(pytester: pytest.Pytester, mini: Path) -> None:
    task = mini / "tasks" / "open-next.yaml"
    task.write_text(task.read_text().replace("solution:\n", f"{WAY}solution:\n"))
    found = run("--json", "--write")
    assert found.stderr == ""
    data = json.loads(found.stdout)
    assert (found.returncode, data["sound"]) == (0, True)
    states = {one["label"]: one["state"] for one in data["tasks"][0]["mutants"]}
    assert states["new-tab-1"] == states["opened-twice-1"] == "accepted"
    assert states["item-first-1"] == states["item-typed-1"] == states["neighbour-1"] == "rejected"
    notes = (mini / "episodes.toml").read_text()
    assert '["open-next"]' in notes
    (run_folder,) = pytester.path.glob("runs/episodes-*")
    ledger = sorted(run_folder.glob("ledger/*.jsonl"))
    before = [path.read_bytes() for path in ledger]
    assert run("--write").returncode == 0  # nothing is played again
    assert [path.read_bytes() for path in ledger] == before
    assert (mini / "episodes.toml").read_text() == notes


def test_task_that_typed_addresses_pass_is_open(pytester: pytest.Pytester, mini: Path) -> None:
    task = mini / "tasks" / "open-next.yaml"
    task.write_text(task.read_text().replace('called "Next".', 'called "Next" from that list.'))
    found = run("--write")
    assert found.returncode == 1
    assert "item-typed-1: PASSES: list in front, https://mini.test/next typed" in found.stdout
    assert "open-next" not in (mini / "episodes.toml").read_text()
