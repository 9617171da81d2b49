"""Whole runs: outcomes, files, resume, JUnit, several workers, agents and repeats."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from pytest_webbench.evidence.steps import read_steps
from pytest_webbench.run import LedgerEntry, RunDir
from tests.conftest import RunMini

Results = Callable[[], dict[str, LedgerEntry]]
Agents = Callable[[str], None]

pytestmark = pytest.mark.browser


def cases_in(path: Path) -> list[etree._Element]:
    return etree.parse(path).findall(".//testcase")  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [(), ("-n", "2"), ("-n", "2", "--dist", "worksteal")], ids=" ".join)
def test_the_scripted_agent_passes_and_the_run_is_on_disk(
    run_mini: RunMini, results: Results, pytester: pytest.Pytester, mini: Path, workers: tuple[str, ...]
) -> None:
    with (mini / "tasks" / "open-next.yaml").open("a", encoding="utf-8") as file:
        file.write("source: {benchmark: WebGym}\n")
    result = run_mini("--webbench-agent", "scripted", *workers)
    result.assert_outcomes(passed=3)
    planned = {item.task: (item.site, item.source) for item in RunDir(pytester.path / "runs" / "t").planned()}
    assert (planned["open-next"], planned["say-number"]) == (("mini.test", "WebGym"), ("mini.test", ""))
    result.stdout.fnmatch_lines(
        ["*mini (replica world), agent scripted: 3 of 3 passed = 100.0% (95 % interval 43.9% to 100.0%)*", "*runs/t*"]
    )
    assert {entry.outcome for entry in results().values()} == {"passed"}
    folder = pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next"
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "task.json", "steps.jsonl", "shots", "shots.jsonl", "evidence.json", "verdict.json", "final.mhtml", "final.jpg"
    }  # fmt: skip
    (step,) = read_steps(folder)
    assert (step.kind, step.target.role, step.target.name) == ("click", "link", "Next")
    assert (step.url, step.url_after) == ("https://mini.test/", "https://mini.test/next")


def test_the_noop_agent_fails_and_the_terminal_says_why(run_mini: RunMini) -> None:
    result = run_mini("--webbench-agent", "noop", "--color", "yes")
    result.assert_outcomes(failed=3)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout.str())
    assert "expected  url_matches https://mini.test/next" in plain
    assert "found     https://mini.test/" in plain
    assert "plugin/attempt.py" not in plain


def test_a_finished_run_is_resumed_without_a_browser(run_mini: RunMini, results: Results) -> None:
    run_mini("--webbench-agent", "noop").assert_outcomes(failed=3)
    before = results()
    again = run_mini("--webbench-agent", "noop", "--webbench-browser", "local:/no/such/browser")
    again.assert_outcomes(failed=3)
    assert "expected  url_matches" in again.stdout.str()
    assert results() == before


def test_only_what_is_unscored_runs_again(run_mini: RunMini, mini: Path, results: Results) -> None:
    (mini / "failures").write_text("99")
    run_mini("--webbench-agent", "scripted", "--webbench-infra-retries", "0").assert_outcomes(passed=2, errors=1)
    before = results()
    (mini / "failures").write_text("0")
    run_mini("--webbench-agent", "scripted").assert_outcomes(passed=3)
    after = results()
    assert after["flaky-start"].outcome == "passed"
    assert {name for name in after if after[name] != before[name]} == {"flaky-start"}


def test_a_task_that_changed_runs_again(run_mini: RunMini, mini: Path, results: Results) -> None:
    run_mini("--webbench-agent", "scripted", "-k", "open-next").assert_outcomes(passed=1)
    file = mini / "tasks" / "open-next.yaml"
    file.write_text(file.read_text().replace("expected: https://mini.test/next", "expected: https://mini.test/form"))
    run_mini("--webbench-agent", "scripted", "-k", "open-next").assert_outcomes(failed=1)


def test_last_failed_and_exitfirst(run_mini: RunMini) -> None:
    run_mini("--webbench-agent", "noop", "-x").assert_outcomes(failed=1)
    result = run_mini("--webbench-agent", "noop", "--lf")
    result.assert_outcomes(failed=1)


def test_two_agents_times_two_repeats_are_four_items_of_each_task(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    arguments = ("--webbench-agent", "noop", "--webbench-agent", "scripted", "--webbench-repeats", "2")
    result = run_mini(*arguments, "-k", "open-next", "-n", "2", "--junitxml", "report.xml")
    result.assert_outcomes(passed=2, failed=2)
    keys = {(key.agent, key.repeat) for key in RunDir(pytester.path / "runs" / "t").results()}
    assert keys == {(agent, repeat) for agent in ("noop", "scripted") for repeat in (1, 2)}
    assert len(cases_in(pytester.path / "report.xml")) == 4
    result.stdout.fnmatch_lines(["*agent noop: 0 of 2 passed*", "*agent scripted: 2 of 2 passed*"])


def test_junit_has_one_case_per_item_with_earlier_attempts_inside(
    run_mini: RunMini, mini: Path, pytester: pytest.Pytester
) -> None:
    (mini / "failures").write_text("1")
    pytester.makepyfile(test_other="def test_other():\n    pass\n")
    arguments = ("--webbench-agent", "scripted", "--webbench-infra-retry-delay", "0", "--junitxml", "report.xml")
    run_mini(*arguments, "test_other.py", "-k", "flaky-start or other").assert_outcomes(passed=2)
    cases = {case.get("name"): case for case in cases_in(pytester.path / "report.xml")}
    assert set(cases) == {"flaky-start", "test_other"}
    case = cases["flaky-start"]
    assert [child.tag for child in case] == ["properties", "flakyError"]
    properties = {each.get("name"): each.get("value") for each in case.find("properties")}
    assert properties["webbench.outcome"] == "passed"
    assert properties["webbench.attempts"] == "2"
    assert properties["webbench.episode"] == "runs/t/episodes/scripted/flaky-start.attempt2"
    suite = etree.parse(pytester.path / "report.xml").find(".//testsuite")  # type: ignore[arg-type]
    assert suite is not None
    assert (suite.get("tests"), suite.get("errors"), suite.get("failures")) == ("2", "0", "0")


def test_junit_is_read_by_a_strict_reader(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    from junitparser import JUnitXml

    run_mini("--webbench-agent", "noop", "--junitxml", "report.xml")
    for path in (pytester.path / "report.xml", pytester.path / "runs" / "t" / "junit.xml"):
        report = JUnitXml.fromfile(str(path))
        assert sum(1 for suite in report for _ in suite) == 3


@pytest.mark.fault
def test_a_killed_worker_loses_nothing_and_resume_completes_the_run(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents(
        """
        import os, pathlib, signal

        class Fatal:
            def run(self, brief, page, budget):
                page.get_by_role("link", name="Next").click()
                if brief.task_id == "open-next" and not pathlib.Path("died").exists():
                    pathlib.Path("died").touch()
                    os.kill(os.getpid(), signal.SIGKILL)
                return "11"
        """
    )
    arguments = ("--webbench-agent", "agents:Fatal", "-n", "2", "--webbench-infra-retries", "0")
    first = run_mini(*arguments, "--junitxml", "report.xml")
    first.assert_outcomes(passed=2, failed=1)
    assert "open-next" not in results(), "a killed attempt must not look like a verdict"
    assert "1 infra" in first.stdout.str()
    (error,) = [case for case in cases_in(pytester.path / "report.xml") if case.find("error") is not None]
    assert error.get("name") == "open-next"
    partial = pytester.path / "runs" / "t" / "episodes" / "Fatal" / "open-next.partial"
    assert [step.target.name for step in read_steps(partial)] == ["Next"], "a killed episode still shows its steps"
    run_mini(*arguments).assert_outcomes(passed=3)
    assert {name: entry.outcome for name, entry in results().items()} == dict.fromkeys(
        ("flaky-start", "open-next", "say-number"), "passed"
    )
    assert not partial.exists()


@pytest.mark.fault
def test_a_killed_session_is_resumed_to_the_same_ledger(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents(
        """
        import pathlib, time

        class Slow:
            def run(self, brief, page, budget):
                if brief.task_id == "open-next" and not pathlib.Path("go").exists():
                    pathlib.Path("here").touch()
                    time.sleep(600)
                page.get_by_role("link", name="Next").click()
                return "11"
        """
    )
    command = [sys.executable, "-m", "pytest", "mini", "--webbench-run", "t", "--webbench-agent", "agents:Slow"]
    session = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while not Path("here").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(session.pid, signal.SIGKILL)
    session.wait()
    assert set(results()) == {"flaky-start"}
    Path("go").touch()
    run_mini("--webbench-agent", "agents:Slow").assert_outcomes(passed=3)
    assert {name: (entry.outcome, entry.ending) for name, entry in results().items()} == dict.fromkeys(
        ("flaky-start", "open-next", "say-number"), ("passed", "done")
    )


def test_an_agent_from_the_users_conftest(run_mini: RunMini, pytester: pytest.Pytester, results: Results) -> None:
    pytester.makeconftest(
        """
        import pytest

        class Mine:
            def run(self, brief, page, budget):
                page.get_by_role("link", name="Next").click()

        @pytest.fixture
        def webbench_agent():
            return Mine()
        """
    )
    run_mini("-k", "open-next").assert_outcomes(passed=1)


def test_the_agent_is_told_nothing_of_checks_or_solution(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(
        """
        import json, pathlib

        class Curious:
            def run(self, brief, page, budget):
                fields = {name: getattr(brief, name) for name in brief.__slots__}
                fields["left"] = [budget.actions_left, budget.seconds_left > 0]
                pathlib.Path("told.json").write_text(json.dumps(fields))
        """
    )
    run_mini("--webbench-agent", "agents:Curious", "-k", "open-next")
    told = json.loads((pytester.path / "told.json").read_text())
    assert set(told) == {
        "task_id", "goal", "start_url", "wants_answer", "max_actions", "max_seconds", "locale", "timezone", "left",
    }  # fmt: skip
    assert told["left"] == [10, True]


def test_recording_options_of_pytest_playwright_land_in_the_episode_folder(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    arguments = ("--tracing", "on", "--screenshot", "on", "--slowmo", "5", "--webbench-artifacts", "none")
    run_mini("--webbench-agent", "scripted", "-k", "open-next", *arguments).assert_outcomes(passed=1)
    folder = pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next"
    assert (folder / "trace.zip").stat().st_size > 1000
    assert (folder / "page.png").read_bytes().startswith(b"\x89PNG")
    assert not (folder / "final.mhtml").exists()


def test_a_video_lands_in_the_episode_folder_or_says_what_it_needs(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    result = run_mini("--webbench-agent", "scripted", "-k", "open-next", "--video", "on")
    if "needs Playwright's own ffmpeg" in result.stdout.str():
        result.stdout.fnmatch_lines(["*python -m playwright install ffmpeg*"])
        result.assert_outcomes(errors=1)
        return
    result.assert_outcomes(passed=1)
    folder = pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next"
    assert [path.suffix for path in (folder / "video").iterdir()] == [".webm"]


def test_what_is_recorded_for_failures_only_is_dropped_on_success(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    arguments = ("--tracing", "retain-on-failure", "-k", "open-next")
    run_mini("--webbench-agent", "scripted", "--webbench-agent", "noop", *arguments).assert_outcomes(passed=1, failed=1)
    episodes = pytester.path / "runs" / "t" / "episodes"
    assert not (episodes / "scripted" / "open-next" / "trace.zip").exists()
    assert (episodes / "noop" / "open-next" / "trace.zip").exists()


def test_requests_outside_the_replica_are_recorded_and_go_nowhere(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(
        """
        class Wanders:
            def run(self, brief, page, budget):
                page.get_by_role("link", name="Elsewhere").click()
                page.wait_for_selector("text=not part of this replica")
        """
    )
    run_mini("--webbench-agent", "agents:Wanders", "-k", "open-next").assert_outcomes(failed=1)
    folder = pytester.path / "runs" / "t" / "episodes" / "Wanders" / "open-next"
    evidence = json.loads((folder / "evidence.json").read_text())
    assert evidence["outside"][0] == "http://nowhere.test/x"


class TestValidate:
    """`webbench validate` finds tasks that cannot be trusted."""

    def test_sound_tasks(self, run_mini: RunMini) -> None:
        result = run_mini("--webbench-validate", "2", "-k", "open-next or say-number")
        result.assert_outcomes(passed=8)
        result.stdout.fnmatch_lines(["sound*open-next*solution 2/2, start-page 1/1, counterexample 1/1"])
        result.stdout.fnmatch_lines(["2 of 2 tasks are sound"])

    @pytest.mark.parametrize(
        ("old", "new", "problem"),
        [
            ("expected: https://mini.test/next", "expected: https://mini.test/", "the start page passes without"),
            ("link, name: Form", "link, name: Next", "this counterexample passes"),
            ("link, name: Form", "link, name: Nowhere", "the script of the counterexample could not be played"),
            ("solution:\n- {do: click, role: link, name: Next}", "solution: []", "the reference solution does not"),
        ],
    )
    def test_a_planted_bad_task_is_found(self, run_mini: RunMini, mini: Path, old: str, new: str, problem: str) -> None:
        file = mini / "tasks" / "open-next.yaml"
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
        result = run_mini("--webbench-validate", "1", "-k", "open-next")
        assert result.ret == 1
        result.stdout.fnmatch_lines(["UNSOUND*open-next*", f"*{problem}*", "0 of 1 tasks are sound"])

    def test_an_answer_that_parrots_the_goal_is_found(self, run_mini: RunMini, mini: Path) -> None:
        file = mini / "tasks" / "say-number.yaml"
        loose = "metric: include_exclude\n  expected: [links]"
        file.write_text(file.read_text().replace("metric: answer_match\n  expected: 11", loose))
        result = run_mini("--webbench-validate", "1", "-k", "say-number")
        result.stdout.fnmatch_lines(["*the start page passes with the goal as answer*"])

    def test_a_flaky_solution_is_found(self, run_mini: RunMini, mini: Path) -> None:
        (mini / "failures").write_text("1")
        file = mini / "tasks" / "flaky-start.yaml"
        text = file.read_text().replace("start_url: https://mini.test/flaky", "start_url: https://mini.test/")
        text = text.replace("solution:\n", "solution:\n- {do: goto, url: 'https://mini.test/flaky'}\n")
        text = text.replace("- {do: click, role: link, name: Next}", "- {do: click, role: link, name: Next}")
        file.write_text(text)
        result = run_mini("--webbench-validate", "3", "-k", "flaky-start")
        result.stdout.fnmatch_lines(["UNSOUND*flaky-start*solution 2/3*"])
