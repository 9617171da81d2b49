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

from pytest_webbench.evidence.episode_files import EpisodeFiles
from pytest_webbench.run import LedgerEntry, RunDir
from tests.support.mini_suite import RunMini

Results = Callable[[], dict[str, LedgerEntry]]
Agents = Callable[[str], None]

pytestmark = pytest.mark.browser


def cases_in(path: Path) -> list[etree._Element]:
    found: list[etree._Element] = etree.parse(str(path)).findall(".//testcase")
    return found


@pytest.mark.parametrize(
    "workers", [(), ("-n", "2"), ("-n", "2", "--dist", "worksteal")], ids=" ".join
)
def test_scripted_agent_passes_and_writes_its_run(
    run_mini: RunMini,
    results: Results,
    pytester: pytest.Pytester,
    mini: Path,
    workers: tuple[str, ...],
) -> None:
    with (mini / "tasks" / "open-next.yaml").open("a", encoding="utf-8") as file:
        file.write("source: {benchmark: WebGym}\n")
    result = run_mini("--webbench-agent", "scripted", *workers)
    result.assert_outcomes(passed=3)
    planned = {
        item.task: (item.site, item.source)
        for item in RunDir(pytester.path / "runs" / "t").planned()
    }
    assert (planned["open-next"], planned["say-number"]) == (
        ("mini.test", "WebGym"),
        ("mini.test", ""),
    )
    result.stdout.fnmatch_lines(
        [
            "*mini (replica world), agent scripted: 3 of 3 passed = 100.0% (95 % interval "
            "43.9% to 100.0%)*",
            "*runs/t*",
        ]
    )
    assert {entry.outcome for entry in results().values()} == {"passed"}
    (browser,) = {entry.browser for entry in results().values()}
    assert re.fullmatch(r"chromium \d+(\.\d+)+", browser)
    assert RunDir(pytester.path / "runs" / "t").facts()["environment"]["browsers"] == [browser]
    folder = pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next"
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "task.json",
        "steps.jsonl",
        "shots",
        "shots.jsonl",
        "evidence.json",
        "verdict.json",
        "final.mhtml",
        "final.jpg",
    }
    (step,) = EpisodeFiles(folder).steps()
    assert (step.kind, step.target.role, step.target.name) == ("click", "link", "Next")
    assert (step.url, step.url_after) == ("https://mini.test/", "https://mini.test/next")


def test_noop_agent_fails_with_an_explanation(run_mini: RunMini) -> None:
    result = run_mini("--webbench-agent", "noop", "--color", "yes")
    result.assert_outcomes(failed=3)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout.str())
    assert "expected  url_matches https://mini.test/next" in plain
    assert "found     https://mini.test/" in plain
    assert "plugin/attempt.py" not in plain


def test_passes_of_trusted_agents_need_not_be_tested(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    chosen = ("--webbench-agent", "scripted", "--webbench-agent", "noop", "-k", "open-next")
    result = run_mini(*chosen, "--webbench-test-passes", "never")
    result.stdout.fnmatch_lines(["  not tested: 1 passed (--webbench-test-passes never)"])
    assert result.stdout.str().count("not tested") == 1
    found = {
        entry.agent: entry for entry in RunDir(pytester.path / "runs" / "t").results().values()
    }
    assert (found["scripted"].untested, found["noop"].untested) == (True, False)
    evidence = (pytester.path / "runs/t" / found["scripted"].folder / "evidence.json").read_text()
    assert "passes are not tested: --webbench-test-passes never" in evidence


def test_finished_run_resumes_without_a_browser(run_mini: RunMini, results: Results) -> None:
    run_mini("--webbench-agent", "noop").assert_outcomes(failed=3)
    before = results()
    again = run_mini("--webbench-agent", "noop", "--webbench-browser", "local:/no/such/browser")
    again.assert_outcomes(failed=3)
    assert "expected  url_matches" in again.stdout.str()
    assert results() == before


@pytest.mark.slow
def test_only_unscored_items_run_again(run_mini: RunMini, mini: Path, results: Results) -> None:
    (mini / "failures").write_text("99")
    run_mini("--webbench-agent", "scripted", "--webbench-infra-retries", "0").assert_outcomes(
        passed=2, errors=1
    )
    before = results()
    (mini / "failures").write_text("0")
    run_mini("--webbench-agent", "scripted").assert_outcomes(passed=3)
    after = results()
    assert after["flaky-start"].outcome == "passed"
    assert {name for name in after if after[name] != before[name]} == {"flaky-start"}


@pytest.mark.slow
def test_changed_task_runs_again(run_mini: RunMini, mini: Path, results: Results) -> None:
    run_mini("--webbench-agent", "scripted", "-k", "open-next").assert_outcomes(passed=1)
    file = mini / "tasks" / "open-next.yaml"
    file.write_text(
        file.read_text().replace(
            "expected: https://mini.test/next", "expected: https://mini.test/form"
        )
    )
    run_mini("--webbench-agent", "scripted", "-k", "open-next").assert_outcomes(failed=1)


@pytest.mark.slow
def test_last_failed_and_exitfirst_work(run_mini: RunMini) -> None:
    run_mini("--webbench-agent", "noop", "-x").assert_outcomes(failed=1)
    result = run_mini("--webbench-agent", "noop", "--lf")
    result.assert_outcomes(failed=1)


@pytest.mark.slow
def test_agents_and_repeats_multiply_items(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    arguments = (
        "--webbench-agent",
        "noop",
        "--webbench-agent",
        "scripted",
        "--webbench-repeats",
        "2",
    )
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
    arguments = (
        "--webbench-agent",
        "scripted",
        "--webbench-infra-retry-delay",
        "0",
        "--junitxml",
        "report.xml",
    )
    run_mini(*arguments, "test_other.py", "-k", "flaky-start or other").assert_outcomes(passed=2)
    cases = {case.get("name"): case for case in cases_in(pytester.path / "report.xml")}
    assert set(cases) == {"flaky-start", "test_other"}
    case = cases["flaky-start"]
    assert [child.tag for child in case] == ["properties", "flakyError"]
    properties = {one.get("name"): one.get("value") for one in case.iterfind("properties/*")}
    assert properties["webbench.outcome"] == "passed"
    assert properties["webbench.attempts"] == "2"
    assert properties["webbench.episode"] == "runs/t/episodes/scripted/flaky-start.attempt2"
    suite = etree.parse(str(pytester.path / "report.xml")).find(".//testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("errors"), suite.get("failures")) == ("2", "0", "0")


@pytest.mark.slow
def test_junit_is_read_by_a_strict_reader(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    from junitparser import JUnitXml

    run_mini("--webbench-agent", "noop", "--junitxml", "report.xml")
    for path in (pytester.path / "report.xml", pytester.path / "runs" / "t" / "junit.xml"):
        report = JUnitXml.fromfile(str(path))
        assert sum(1 for suite in report for _ in suite) == 3


@pytest.mark.slow
@pytest.mark.fault
def test_run_with_a_killed_worker_resumes_without_loss(
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
    (error,) = [
        case for case in cases_in(pytester.path / "report.xml") if case.find("error") is not None
    ]
    assert error.get("name") == "open-next"
    partial = pytester.path / "runs" / "t" / "episodes" / "Fatal" / "open-next.partial"
    assert [step.target.name for step in EpisodeFiles(partial).steps()] == ["Next"], (
        "a killed episode still shows its steps"
    )
    run_mini(*arguments).assert_outcomes(passed=3)
    assert {name: entry.outcome for name, entry in results().items()} == dict.fromkeys(
        ("flaky-start", "open-next", "say-number"), "passed"
    )
    assert not partial.exists()


@pytest.mark.slow
@pytest.mark.fault
def test_killed_session_resumes_to_the_same_ledger(
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
    command = [
        sys.executable,
        "-m",
        "pytest",
        "mini",
        "--webbench-run",
        "t",
        "--webbench-agent",
        "agents:Slow",
    ]
    session = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while not Path("here").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(session.pid, signal.SIGKILL)
    session.wait()
    assert set(results()) == {"flaky-start"}
    Path("go").touch()
    run_mini("--webbench-agent", "agents:Slow").assert_outcomes(passed=3)
    assert {
        name: (entry.outcome, entry.ending) for name, entry in results().items()
    } == dict.fromkeys(("flaky-start", "open-next", "say-number"), ("passed", "done"))


@pytest.mark.slow
def test_agent_from_a_conftest_is_used(
    run_mini: RunMini, pytester: pytest.Pytester, results: Results
) -> None:
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


def test_agent_never_sees_checks_or_solution(
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
        "task_id",
        "goal",
        "start_url",
        "wants_answer",
        "answer_schema",
        "max_actions",
        "max_seconds",
        "locale",
        "timezone",
        "left",
    }
    assert told["left"] == [10, True]


def test_playwright_recordings_are_stored_in_the_episode_folder(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    arguments = (
        "--tracing",
        "on",
        "--screenshot",
        "on",
        "--slowmo",
        "5",
        "--webbench-artifacts",
        "none",
    )
    run_mini("--webbench-agent", "scripted", "-k", "open-next", *arguments).assert_outcomes(
        passed=1
    )
    folder = pytester.path / "runs" / "t" / "episodes" / "scripted" / "open-next"
    assert (folder / "trace.zip").stat().st_size > 1000
    assert (folder / "page.png").read_bytes().startswith(b"\x89PNG")
    assert not (folder / "final.mhtml").exists()


@pytest.mark.slow
def test_video_is_stored_or_explains_what_it_needs(
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


@pytest.mark.slow
def test_recordings_for_failures_are_dropped_on_success(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    arguments = ("--tracing", "retain-on-failure", "-k", "open-next")
    run_mini(
        "--webbench-agent", "scripted", "--webbench-agent", "noop", *arguments
    ).assert_outcomes(passed=1, failed=1)
    episodes = pytester.path / "runs" / "t" / "episodes"
    assert not (episodes / "scripted" / "open-next" / "trace.zip").exists()
    assert (episodes / "noop" / "open-next" / "trace.zip").exists()


def test_requests_outside_the_replica_are_recorded_and_blocked(
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


@pytest.mark.slow
class TestValidate:
    """`webbench validate` finds tasks that cannot be trusted."""

    def test_sound_tasks_validate(self, run_mini: RunMini) -> None:
        result = run_mini("--webbench-validate", "2", "-k", "open-next")
        result.assert_outcomes(passed=4)
        result.stdout.fnmatch_lines(
            ["sound*open-next*start-page 1/1, counterexample 1/1; nearest: * checks hold"]
        )
        result.stdout.fnmatch_lines(["1 of 1 tasks are sound"])

    def test_task_that_memory_answers_is_unsound(self, run_mini: RunMini) -> None:
        result = run_mini("--webbench-validate", "1", "-k", "say-number")
        result.stdout.fnmatch_lines(["*passes with the solution's own answer, from memory*"])
        result.stdout.fnmatch_lines(["0 of 1 tasks are sound"])

    @pytest.mark.parametrize(
        ("old", "new", "problem"),
        [
            (
                "expected: https://mini.test/next",
                "expected: https://mini.test/",
                "the start page passes without",
            ),
            ("link, name: Form", "link, name: Next", "this counterexample passes"),
            (
                "link, name: Form",
                "link, name: Nowhere",
                "the script of the counterexample could not be played",
            ),
            (
                "solution:\n- {do: click, role: link, name: Next}",
                "solution: []",
                "the reference solution does not",
            ),
        ],
    )
    def test_planted_bad_task_is_unsound(
        self, run_mini: RunMini, mini: Path, old: str, new: str, problem: str
    ) -> None:
        file = mini / "tasks" / "open-next.yaml"
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
        result = run_mini("--webbench-validate", "1", "-k", "open-next")
        assert result.ret == 1
        result.stdout.fnmatch_lines(
            ["UNSOUND*open-next*", f"*{problem}*", "0 of 1 tasks are sound"]
        )

    def test_task_that_accepts_the_goal_is_unsound(self, run_mini: RunMini, mini: Path) -> None:
        file = mini / "tasks" / "say-number.yaml"
        loose = "metric: include_exclude\n  expected: [links]"
        file.write_text(file.read_text().replace("metric: answer_match\n  expected: 11", loose))
        result = run_mini("--webbench-validate", "1", "-k", "say-number")
        result.stdout.fnmatch_lines(["*the start page passes with the goal as answer*"])

    def test_flaky_solution_is_unsound(self, run_mini: RunMini, mini: Path) -> None:
        (mini / "failures").write_text("1")
        file = mini / "tasks" / "flaky-start.yaml"
        text = file.read_text().replace(
            "start_url: https://mini.test/flaky", "start_url: https://mini.test/"
        )
        text = text.replace(
            "solution:\n", "solution:\n- {do: goto, url: 'https://mini.test/flaky'}\n"
        )
        text = text.replace(
            "- {do: click, role: link, name: Next}", "- {do: click, role: link, name: Next}"
        )
        file.write_text(text)
        result = run_mini("--webbench-validate", "3", "-k", "flaky-start")
        result.stdout.fnmatch_lines(["UNSOUND*flaky-start*solution 2/3*"])
