"""`--webbench-rescore` and `webbench judge`: stored episodes are judged, none is run."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.run import LedgerEntry, RunDir
from tests.support.mini_suite import STRICT, RunMini

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Results = Callable[[], dict[str, LedgerEntry]]
Rescore = Callable[..., pytest.RunResult]


@pytest.fixture
def rescore(pytester: pytest.Pytester, run_mini: RunMini) -> Rescore:
    """Judges run ``t`` again, which the scripted agent has run before."""
    run_mini("--webbench-agent", "scripted", "-k", "open-next or say-number").assert_outcomes(
        passed=2
    )
    (pytester.path / "mini" / "replica").rename(
        pytester.path / "mini" / "gone"
    )  # no world, so no episode

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(
            "mini", *STRICT, "--webbench-rescore", "t", *arguments, timeout=300
        )

    return run


def webbench_judge(*arguments: str) -> Any:
    command = [
        sys.executable,
        "-c",
        "from pytest_webbench.cli import main; main()",
        "judge",
        "t",
        "--json",
        *arguments,
    ]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def bytes_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("junit.xml", "session.lock")  # times are in there
    }


CHECKS = "checks:\n"
NEW_CHECK = """checks:
- name: the new page says so
  get: {type: dom_extract, selectors: {text: body}}
  metric: json_object_match
  expected: {text: {contains: "You got here"}}
"""
FORM_CHECK = """checks:
- name: state of a control, which archives lose
  get: {type: control_state, selectors: {body: body}}
  metric: json_object_match
  expected: {body.disabled: false}
"""


def test_rescored_items_report_stored_episodes(rescore: Rescore, pytester: pytest.Pytester) -> None:
    before = bytes_of(pytester.path / "runs" / "t")
    result = rescore("-k", "open-next or say-number")
    result.assert_outcomes(passed=2)
    assert bytes_of(pytester.path / "runs" / "t") == before
    assert "flipped" not in result.stdout.str()


def test_item_without_a_stored_episode_is_an_error(
    rescore: Rescore, pytester: pytest.Pytester
) -> None:
    result = rescore("-k", "flaky-start")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["run t holds no episode of flaky-start by scripted: run it with --webbench-run t"]
    )
    assert [item.task for item in RunDir(pytester.path / "runs" / "t").planned()] == [
        "open-next",
        "say-number",
    ]


def test_changed_check_flips_the_verdict_with_a_reason(
    rescore: Rescore, pytester: pytest.Pytester, results: Results
) -> None:
    edit(
        pytester.path / "mini" / "tasks" / "open-next.yaml",
        "https://mini.test/next",
        "https://mini.test/form",
    )
    result = rescore("-k", "open-next or say-number")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*1 of 2 passed*", "flipped: open-next: passed -> failed: check * was changed"]
    )
    assert {name: (entry.outcome, entry.attempt) for name, entry in results().items()} == {
        "open-next": ("failed", 1),
        "say-number": ("passed", 1),
    }
    after = bytes_of(pytester.path / "runs" / "t")
    rescore("-k", "open-next or say-number").assert_outcomes(passed=1, failed=1)
    assert bytes_of(pytester.path / "runs" / "t") == after


def test_workers_rescore_too(rescore: Rescore, pytester: pytest.Pytester, results: Results) -> None:
    edit(
        pytester.path / "mini" / "tasks" / "open-next.yaml",
        "https://mini.test/next",
        "https://mini.test/form",
    )
    result = rescore("-k", "open-next or say-number", "-n", "2")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["flipped: open-next: passed -> failed: *"])
    assert len(RunDir(pytester.path / "runs" / "t").attempts()) == 2


def test_new_selector_is_read_from_the_archived_page(
    rescore: Rescore, pytester: pytest.Pytester
) -> None:
    edit(pytester.path / "mini" / "tasks" / "open-next.yaml", CHECKS, NEW_CHECK)
    rescore("-k", "open-next").assert_outcomes(passed=1)
    folder = pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next"
    (read,) = json.loads((folder / "evidence.json").read_text())["reads"].values()
    assert (read["archived"], "You got here" in read["value"]["text"]) == (True, True)


def test_state_missing_from_the_archive_is_a_broken_check(
    rescore: Rescore, pytester: pytest.Pytester
) -> None:
    edit(pytester.path / "mini" / "tasks" / "open-next.yaml", CHECKS, FORM_CHECK)
    result = rescore("-k", "open-next")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["open-next unscored (verifier_error)*", "*this was not asked of the page*"]
    )


def test_changed_goal_makes_another_task(rescore: Rescore, pytester: pytest.Pytester) -> None:
    file = pytester.path / "mini" / "tasks" / "open-next.yaml"
    goal = next(line for line in file.read_text().splitlines() if line.startswith("goal:"))
    edit(file, goal, "goal: Do something else altogether.")
    result = rescore("-k", "open-next")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["open-next cannot be judged again: the agent had another task (goal changed)*"]
    )


def test_validation_run_is_rescored_as_validation(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    run_mini("--webbench-validate", "1", "-k", "open-next").assert_outcomes(passed=3)
    assert webbench_judge()["flips"] == []
    edit(
        pytester.path / "mini" / "tasks" / "open-next.yaml",
        "https://mini.test/next",
        "https://mini.test/form",
    )
    flips = webbench_judge("--suite", "mini")["flips"]
    assert {(flip["agent"], flip["after"]) for flip in flips} == {
        ("solution-1", "failed"),
        ("counterexample-1", "failed"),
    }


def test_unknown_run_and_second_tag_are_usage_errors(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    result = pytester.runpytest_subprocess("mini", *STRICT, "--webbench-rescore", "nope")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--webbench-rescore 'nope': there is no such run in *"])
    result = run_mini("--webbench-rescore", "nope")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*leave out --webbench-run*"])


class TestCommand:
    """`webbench judge` says and writes the same, without pytest."""

    def test_flips_are_listed_once(self, rescore: Rescore, pytester: pytest.Pytester) -> None:
        edit(
            pytester.path / "mini" / "tasks" / "open-next.yaml",
            CHECKS,
            NEW_CHECK.replace("You got", "They got"),
        )
        changes = webbench_judge("--suite", "mini")
        assert [
            (one["task"], one["before"], one["after"], one["reasons"]) for one in changes["flips"]
        ] == [
            (
                "open-next",
                "passed",
                "failed",
                ["check 'the new page says so' is new", "the evidence is not the same"],
            )
        ]
        after = bytes_of(pytester.path / "runs" / "t")
        assert webbench_judge("--suite", "mini")["flips"] == webbench_judge()["changed"] == []
        assert bytes_of(pytester.path / "runs" / "t") == after

    def test_single_task_can_be_rejudged(self, rescore: Rescore, pytester: pytest.Pytester) -> None:
        assert webbench_judge("--task", "open-next")["on_record"] == 1

    def test_new_selectors_are_broken_checks_without_an_archive(
        self, rescore: Rescore, pytester: pytest.Pytester
    ) -> None:
        (
            pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next" / "final.mhtml"
        ).unlink()
        edit(pytester.path / "mini" / "tasks" / "open-next.yaml", CHECKS, NEW_CHECK)
        (flip,) = webbench_judge("--suite", "mini")["flips"]
        assert flip["after"] == "unscored (verifier_error)"

    def test_attempt_with_lost_evidence_is_unchanged(
        self, rescore: Rescore, pytester: pytest.Pytester
    ) -> None:
        shutil.rmtree(pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next")
        changes = webbench_judge()
        assert [(one["task"], one["after"]) for one in changes["left"]] == [("open-next", "passed")]
