"""``--webbench-report``."""

from __future__ import annotations

import pytest

from tests.support.mini_suite import RunMini


def test_report_is_written_at_the_end_of_a_session(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    task = next((pytester.path / "mini" / "tasks").glob("*.yaml")).stem
    result = run_mini(
        "--webbench-agent", "scripted", "--webbench-report", path=f"mini/tasks/{task}.yaml"
    )
    result.stdout.fnmatch_lines(["report: runs/t/report/index.html"])
    report = pytester.path / "runs" / "t" / "report"
    assert (report / "index.html").is_file()
    assert task in (report / "data" / "items.js").read_text(encoding="utf-8")
    assert (report / "pages" / "0.html").is_file()
