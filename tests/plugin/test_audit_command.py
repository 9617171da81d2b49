"""`webbench audit SUITE` runs missing solutions and exits 1 if a wrong episode passes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AUDIT = [
    sys.executable,
    "-c",
    "from pytest_webbench.cli import main; main()",
    "audit",
    "mini",
    "--task",
    "open-next",
]
LOOSE = "metric: url_pattern_match\n  expected: 'https://mini\\.test/next'"
STRICT = "metric: url_matches\n  expected: https://mini.test/next"


def audit(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*AUDIT, "-n", "1", *arguments], capture_output=True, text=True, check=False
    )


def test_sound_suite_exits_0_and_runs_its_solutions_once(
    pytester: pytest.Pytester, mini: Path
) -> None:
    first = audit()
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.endswith(
        "mutants of 1 tasks: 10 rejected, 0 survive with a written reason, 0 without\n"
    )
    (episodes,) = pytester.path.glob("runs/audit-*/episodes")
    assert sorted(path.name for path in episodes.iterdir()) == ["noop", "scripted"]
    (mini / "replica").rename(mini / "gone")  # what is stored is enough
    assert audit().stdout == audit("--run", episodes.parent.name).stdout == first.stdout


def test_planted_hole_exits_1_until_excused(pytester: pytest.Pytester, mini: Path) -> None:
    file = mini / "tasks" / "open-next.yaml"
    assert STRICT in file.read_text()
    file.write_text(file.read_text().replace(STRICT, LOOSE))
    found = audit("--json")
    data = json.loads(found.stdout)
    assert (found.returncode, data["sound"]) == (1, False)
    open_families = [one["family"] for one in data["tasks"][0]["families"] if one["survivors"]]
    reasons = "".join(f'{family} = "Planted by this test."\n' for family in open_families)
    (mini / "audit.toml").write_text(f"[open-next]\n{reasons}")
    (run,) = pytester.path.glob("runs/audit-*")
    assert audit("--run", run.name).returncode == 0


def test_audit_without_episodes_fails(mini: Path) -> None:
    found = audit("--run", "nothing")
    assert found.returncode == 1
    assert "open-next: NOT AUDITED: there is no episode of the scripted solution" in found.stdout
