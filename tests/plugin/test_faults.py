"""Whatever agents, pages and browsers do, the item ends with the right outcome."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from pytest_webbench.run import LedgerEntry
from tests.support.mini_suite import STRICT, RunMini

Results = Callable[[], dict[str, LedgerEntry]]
Agents = Callable[[str], None]

pytestmark = [pytest.mark.browser, pytest.mark.fault]


def read(pytester: pytest.Pytester, agent: str, task: str, name: str) -> str:
    return (pytester.path / "runs" / "t" / "episodes" / agent / task / name).read_text(
        encoding="utf-8"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "hang",
    [
        "import time; time.sleep(600)",
        "while True: pass",
        "page.wait_for_timeout(600_000)",
        "page.wait_for_selector('#never', timeout=0)",
        "page.get_by_role('link', name='Hang').click(); page.wait_for_timeout(300); "
        "page.evaluate('1')",
        "page.get_by_role('link', name='Dialogs').click(); page.wait_for_selector('#never', "
        "timeout=0)",
    ],
    ids=["sleep", "loop", "playwright-wait", "selector", "page-script", "endless-dialogs"],
)
def test_hanging_agent_or_page_ends_at_its_time_budget(
    run_mini: RunMini, agents: Agents, results: Results, hang: str
) -> None:
    agents(f"class Hang:\n    def run(self, brief, page, budget):\n        {hang}\n")
    result = run_mini(
        "--webbench-agent",
        "agents:Hang",
        "--webbench-max-seconds",
        "1.5",
        "-k",
        "open-next or say-number",
    )
    result.assert_outcomes(failed=2)
    assert {entry.ending for entry in results().values()} == {"time_budget"}
    assert all(entry.seconds < 15 for entry in results().values())


@pytest.mark.slow
def test_uninterruptible_agent_ends_only_its_worker(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        import pytest_webbench.episode.watchdog as watchdog
        watchdog.PATIENCE_SECONDS = 2.0

        class Stubborn:
            def run(self, brief, page, budget):
                while brief.task_id == "open-next":
                    try:
                        while True:
                            pass
                    except BaseException:
                        pass
        """
    )
    run_mini(
        "--webbench-agent",
        "agents:Stubborn",
        "--webbench-max-seconds",
        "1",
        "-n",
        "1",
        "-k",
        "open-next or say",
    )
    found = results()
    assert found["open-next"].outcome == "failed"
    assert found["open-next"].ending == "time_budget"
    assert found["say-number"].ending == "no_answer"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["no-xdist", "xdist"])
def test_agent_that_keeps_the_interpreters_lock_ends_only_its_item(
    run_mini: RunMini, agents: Agents, results: Results, workers: tuple[str, ...]
) -> None:
    agents(
        """
        import collections, itertools, re
        import pytest_webbench.episode.watchdog as watchdog
        watchdog.PATIENCE_SECONDS = watchdog._OVERSEER_SECONDS = 1.0

        class Stuck:
            def run(self, brief, page, budget):
                if brief.task_id == "say-number":
                    re.match("(a+)+$", "a" * 60 + "b")  # hears of signals
                elif brief.task_id == "open-next":
                    collections.deque(itertools.repeat(0), maxlen=0)  # hears of nothing
        """
    )
    run_mini("--webbench-agent", "agents:Stuck", "--webbench-max-seconds", "1", *workers)
    found = {task: (entry.outcome, entry.ending) for task, entry in results().items()}
    assert found["open-next"] == found["say-number"] == ("failed", "time_budget")
    assert len(found) == 3, "the item after it has run"
    folder = Path("runs/t") / results()["open-next"].folder
    assert (folder / "task.json").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    "mistake", ["raise OSError", "import pytest; pytest.skip('no mood')", "import sys; sys.exit(3)"]
)
def test_agent_that_exits_the_process_fails(
    run_mini: RunMini, agents: Agents, results: Results, mistake: str
) -> None:
    agents(f"class Quits:\n    def run(self, brief, page, budget):\n        {mistake}\n")
    run_mini("--webbench-agent", "agents:Quits", "-k", "open-next").assert_outcomes(failed=1)
    assert results()["open-next"].ending == "agent_crashed"


def test_fixture_that_fails_stops_the_session(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture
        def webbench_agent():
            raise KeyError("MY_API_KEY")
        """
    )
    result = run_mini()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*the agent could not be made: KeyError: 'MY_API_KEY'*",
            "Traceback (most recent call last):",
            '  File "*conftest.py", line *, in webbench_agent',
        ]
    )
    assert "fixtures.py" not in result.stdout.str(), "frames of pytest and of ours say nothing"
    assert "unscored" not in result.stdout.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert list((pytester.path / "runs").iterdir()) == []


@pytest.mark.parametrize(
    ("agent", "workers", "told"),
    [
        ("5", "0", "*'fixture' has no method run(*"),
        ("object()", "2", "*'fixture' has no method run(*"),
        ("type('Words', (), {'run': words})()", "0", "*run of agent 'fixture' is a generator*"),
    ],
)
def test_fixture_without_an_agent_stops_the_session(
    run_mini: RunMini, pytester: pytest.Pytester, agent: str, workers: str, told: str
) -> None:
    pytester.makeconftest(
        f"""
        import pytest

        def words(self, brief, page, budget):
            yield "one"

        @pytest.fixture
        def webbench_agent():
            return {agent}
        """
    )
    result = run_mini("-n", workers)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(
        ["*run*of agent 'fixture'*" if "W" in agent else "*no method run(*"]
    )
    assert list((pytester.path / "runs").iterdir()) == []


def test_agent_that_raises_fails_with_its_traceback(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents(
        "class Broken:\n    def run(self, brief, page, budget):\n        raise ValueError('my "
        "own mistake')\n"
    )
    result = run_mini("--webbench-agent", "agents:Broken", "-k", "open-next")
    result.assert_outcomes(failed=1)
    assert results()["open-next"].ending == "agent_crashed"
    assert "ValueError: my own mistake" in read(pytester, "Broken", "open-next", "agent.log")


def test_killed_browser_is_infra_and_retried(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents(
        """
        import os, pathlib, signal

        class Killer:
            def run(self, brief, page, budget):
                mark = pathlib.Path("killed")
                if not mark.exists():
                    mark.touch()
                    session = page.context.browser.new_browser_cdp_session()
                    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
                    browser = next(p["id"] for p in processes if p["type"] == "browser")
                    os.kill(browser, signal.SIGKILL)
                page.get_by_role("link", name="Next").click()
        """
    )
    result = run_mini(
        "--webbench-agent",
        "agents:Killer",
        "--webbench-infra-retry-delay",
        "0",
        "-k",
        "open-next or say",
    )
    result.assert_outcomes(passed=1, failed=1)
    assert "1 rerun" in result.stdout.str()
    assert results()["open-next"].attempt == 2


@pytest.mark.slow
def test_transient_infra_errors_are_retried(
    run_mini: RunMini, mini: Path, results: Results, pytester: pytest.Pytester
) -> None:
    (mini / "failures").write_text("2")
    result = run_mini(
        "--webbench-agent", "scripted", "--webbench-infra-retry-delay", "0", "-k", "flaky-start"
    )
    result.assert_outcomes(passed=1)
    assert results()["flaky-start"].attempt == 3


@pytest.mark.slow
def test_lasting_infra_errors_are_never_failures(
    run_mini: RunMini, mini: Path, results: Results
) -> None:
    (mini / "failures").write_text("99")
    result = run_mini(
        "--webbench-agent", "scripted", "--webbench-infra-retry-delay", "0", "-k", "flaky-start"
    )
    result.assert_outcomes(errors=1)
    assert results()["flaky-start"].outcome == "unscored"
    assert results()["flaky-start"].reason == "infra"
    result.stdout.fnmatch_lines(["*nothing scored (1 unscored)*", "*unscored: 1 infra*"])


@pytest.mark.slow
def test_wrong_answer_is_never_retried(run_mini: RunMini, results: Results) -> None:
    result = run_mini("--webbench-agent", "noop", "--reruns", "3", "-k", "open-next")
    result.assert_outcomes(failed=1)
    assert results()["open-next"].attempt == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("link", "outcome", "reason"),
    [("Wall", "unscored", "blocked"), ("Error", "unscored", "blocked"), ("Odd", "failed", "")],
)
def test_only_an_unjudgeable_page_is_unscored(
    run_mini: RunMini, agents: Agents, results: Results, link: str, outcome: str, reason: str
) -> None:
    click = f"page.get_by_role('link', name='{link}').click()"
    agents(f"class Clicks:\n    def run(self, brief, page, budget):\n        {click}\n")
    run_mini("--webbench-agent", "agents:Clicks", "-n", "1", "-k", "open-next")
    assert (results()["open-next"].outcome, results()["open-next"].reason) == (outcome, reason)


@pytest.mark.slow
def test_dead_address_typed_by_the_agent_fails(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        class Types:
            def run(self, brief, page, budget):
                try:
                    page.goto("https://mini.test:81/")
                except Exception:
                    page.wait_for_url("chrome-error://**")
        """
    )
    run_mini("--webbench-agent", "agents:Types", "-k", "open-next")
    assert results()["open-next"].outcome == "failed"


@pytest.mark.slow
def test_invalid_characters_break_no_file_and_no_message(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(
        r"""
        class Odd:
            def run(self, brief, page, budget):
                page.get_by_role("link", name="Odd").click()
                page.wait_for_selector("text=half")
                return "half \ud83d null \x00 bell \x07"
        """
    )
    result = run_mini("--webbench-agent", "agents:Odd", "-n", "2", "--junitxml", "report.xml")
    result.assert_outcomes(failed=3)
    cases = etree.parse(str(pytester.path / "report.xml")).findall(".//testcase")
    assert len(cases) == 3
    evidence = json.loads(read(pytester, "Odd", "open-next", "evidence.json"))
    assert evidence["answer"].startswith("half \ufffd null \ufffd bell")
    assert "half" in evidence["page"]["text"]


@pytest.mark.slow
def test_action_budget_ends_the_episode(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents(
        """
        class Busy:
            def run(self, brief, page, budget):
                page.goto("https://mini.test/form")
                page.get_by_label("Gift").check()
                page.get_by_label("Size").select_option("Large")
                page.get_by_role("button", name="Send").click()
                page.wait_for_timeout(5_000)
        """
    )
    run_mini("--webbench-agent", "agents:Busy", "--webbench-max-actions", "3", "-k", "open-next")
    assert results()["open-next"].ending == "step_budget"
    page = json.loads(read(pytester, "Busy", "open-next", "evidence.json"))["page"]
    assert page["url"] == "https://mini.test/form", (
        "the click beyond the budget must have no effect"
    )


@pytest.mark.slow
def test_goto_beyond_the_action_budget_has_no_effect(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents(
        """
        class Jumps:
            def run(self, brief, page, budget):
                page.get_by_role("link", name="Form").click()
                page.wait_for_url("**/form")
                page.goto("https://mini.test/next")
        """
    )
    result = run_mini(
        "--webbench-agent", "agents:Jumps", "--webbench-max-actions", "1", "-k", "open-next"
    )
    result.assert_outcomes(failed=1)
    assert results()["open-next"].ending == "step_budget"
    page = json.loads(read(pytester, "Jumps", "open-next", "evidence.json"))["page"]
    assert page["url"] == "https://mini.test/form"


def test_episode_ended_by_its_budget_is_judged(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        class Dawdles:
            def run(self, brief, page, budget):
                page.get_by_role("link", name="Next").click()
                while True:
                    page.title()
        """
    )
    run_mini(
        "--webbench-agent", "agents:Dawdles", "--webbench-max-seconds", "1.5", "-k", "open-next"
    ).assert_outcomes(passed=1)
    assert results()["open-next"].ending == "time_budget"


@pytest.mark.slow
def test_lost_playwright_is_replaced_before_the_next_item(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        import asyncio
        import threading
        import time

        import psutil

        def kill_the_driver():
            for process in psutil.Process().children(recursive=True):
                if "node" in process.name():
                    process.kill()

        def leave_a_thread():
            threading.Thread(target=time.sleep, args=(3_000,)).start()

        def stop_the_event_loop():
            asyncio.get_running_loop().stop()

        DEEDS = {
            "flaky-start": kill_the_driver,
            "open-next": leave_a_thread,
            "say-number": stop_the_event_loop,
        }

        class Destroys:
            def run(self, brief, page, budget):
                DEEDS[brief.task_id]()
                return "11"
        """
    )
    result = run_mini("--webbench-agent", "agents:Destroys", "--webbench-infra-retries", "0")
    result.assert_outcomes(failed=1, errors=2)
    told = {task: (entry.outcome, entry.reason) for task, entry in results().items()}
    assert told == {
        "flaky-start": ("unscored", "infra"),
        "open-next": ("failed", ""),
        "say-number": ("unscored", "infra"),
    }
    for task in ("flaky-start", "say-number"):
        assert "Playwright's driver or its event loop has ended" in results()[task].brief
    assert "Future exception was never retrieved" not in result.stderr.str()


@pytest.mark.slow
def test_trouble_that_an_agent_makes_is_failed_and_never_repeated(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        from pytest_webbench.errors import InfraError

        SCRIPTS = {
            "open-next": "document.title = ''; document.body.innerHTML = ''",
            "flaky-start": "document.body.innerText = 'Verify you are human'",
        }

        class Cheat:
            def run(self, brief, page, budget):
                if brief.task_id in SCRIPTS:
                    page.evaluate(SCRIPTS[brief.task_id])
                else:
                    page.evaluate("location.href = 'https://mini.test:81/'")
                    page.wait_for_url("chrome-error://**")
        """
    )
    run_mini("--webbench-agent", "agents:Cheat", "--reruns", "2").assert_outcomes(failed=3)
    assert {entry.attempt for entry in results().values()} == {1}


@pytest.mark.slow
def test_configuration_that_appears_ends_the_run(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        import pathlib

        class Writes:
            def run(self, brief, page, budget):
                pathlib.Path("mini/conftest.py").write_text("raise SystemExit")
        """
    )
    result = run_mini("--webbench-agent", "agents:Writes")
    result.stdout.fnmatch_lines(["*mini/conftest.py appeared while the run went on*"])
    assert len(results()) == 1
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_ctrl_c_keeps_the_state_and_says_how_to_resume(
    pytester: pytest.Pytester, mini: Path, agents: Agents, results: Results
) -> None:
    agents(
        """
        import time

        class Dawdles:
            def run(self, brief, page, budget):
                if brief.task_id != "flaky-start":
                    print("began", flush=True)
                    time.sleep(3_000)
        """
    )
    chosen = ("mini", "-s", *STRICT, "--webbench-agent", "agents:Dawdles", "--webbench-run", "t")
    session = pytester.popen(
        [sys.executable, "-m", "pytest", *chosen],
        stderr=subprocess.STDOUT,
        start_new_session=True,
        # Started in the background of a shell, as in CI, a process ignores interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with session:
        assert session.stdout is not None
        assert any(b"began" in line for line in session.stdout)
        os.killpg(session.pid, signal.SIGINT)
        rest = session.stdout.read().decode()
    assert session.returncode == pytest.ExitCode.INTERRUPTED
    assert rest.splitlines()[-1] == f"resume with: pytest {shlex.join(chosen)}"
    assert "never retrieved" not in rest
    assert "ResourceWarning" not in rest
    assert results()["flaky-start"].outcome == "failed"
    assert results()["open-next"].outcome == "unscored"
