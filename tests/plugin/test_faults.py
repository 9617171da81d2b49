"""Whatever agents, pages and browsers do: the item ends, the next one runs, and the right one is blamed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry
from tests.conftest import RunMini

Results = Callable[[], dict[str, LedgerEntry]]
Agents = Callable[[str], None]

pytestmark = [pytest.mark.browser, pytest.mark.fault]


def read(pytester: pytest.Pytester, agent: str, task: str, name: str) -> str:
    return (pytester.path / "runs" / "t" / "episodes" / agent / task / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "hang",
    [
        "import time; time.sleep(600)",
        "while True: pass",
        "page.wait_for_timeout(600_000)",
        "page.wait_for_selector('#never', timeout=0)",
        "page.get_by_role('link', name='Hang').click(); page.wait_for_timeout(300); page.evaluate('1')",
        "page.get_by_role('link', name='Dialogs').click(); page.wait_for_selector('#never', timeout=0)",
    ],
    ids=["sleep", "loop", "playwright-wait", "selector", "page-script", "endless-dialogs"],
)
def test_a_hanging_agent_or_page_ends_by_its_time_budget(
    run_mini: RunMini, agents: Agents, results: Results, hang: str
) -> None:
    agents(f"class Hang:\n    def run(self, brief, page, budget):\n        {hang}\n")
    result = run_mini(
        "--webbench-agent", "agents:Hang", "--webbench-max-seconds", "1.5", "-k", "open-next or say-number"
    )
    result.assert_outcomes(failed=2)
    assert {entry.ending for entry in results().values()} == {"time_budget"}
    assert all(entry.seconds < 15 for entry in results().values())


def test_an_agent_that_cannot_be_interrupted_costs_its_worker_and_nothing_else(
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
    run_mini("--webbench-agent", "agents:Stubborn", "--webbench-max-seconds", "1", "-n", "1", "-k", "open-next or say")
    found = results()
    assert found["open-next"].outcome == "failed"
    assert found["open-next"].ending == "time_budget"
    assert found["say-number"].ending == "no_answer"


@pytest.mark.parametrize(
    "mistake", ["raise OSError", "import pytest; pytest.skip('no mood')", "import sys; sys.exit(3)"]
)
def test_an_agent_that_ends_itself_has_failed(
    run_mini: RunMini, agents: Agents, results: Results, mistake: str
) -> None:
    agents(f"class Quits:\n    def run(self, brief, page, budget):\n        {mistake}\n")
    run_mini("--webbench-agent", "agents:Quits", "-k", "open-next").assert_outcomes(failed=1)
    assert results()["open-next"].ending == "agent_crashed"


def test_an_agent_that_cannot_be_made_stops_the_session_and_scores_nothing(
    run_mini: RunMini, agents: Agents, results: Results
) -> None:
    agents(
        """
        class Keyless:
            def __init__(self):
                raise KeyError("MY_API_KEY")

            def run(self, brief, page, budget):
                pass
        """
    )
    result = run_mini("--webbench-agent", "agents:Keyless")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*the agent could not be made: KeyError: 'MY_API_KEY'*", "*nothing scored (3 unscored)*"]
    )
    assert results() == {}


def test_an_agent_that_raises_has_failed_and_leaves_its_traceback(
    run_mini: RunMini, agents: Agents, results: Results, pytester: pytest.Pytester
) -> None:
    agents("class Broken:\n    def run(self, brief, page, budget):\n        raise ValueError('my own mistake')\n")
    result = run_mini("--webbench-agent", "agents:Broken", "-k", "open-next")
    result.assert_outcomes(failed=1)
    assert results()["open-next"].ending == "agent_crashed"
    assert "ValueError: my own mistake" in read(pytester, "Broken", "open-next", "agent.log")


def test_a_killed_browser_is_infra_and_the_episode_is_repeated(
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
                    os.kill(next(p["id"] for p in processes if p["type"] == "browser"), signal.SIGKILL)
                page.get_by_role("link", name="Next").click()
        """
    )
    result = run_mini(
        "--webbench-agent", "agents:Killer", "--webbench-infra-retry-delay", "0", "-k", "open-next or say"
    )
    result.assert_outcomes(passed=1, failed=1)
    assert "1 rerun" in result.stdout.str()
    assert results()["open-next"].attempt == 2


def test_trouble_that_goes_away_is_repeated_until_then(
    run_mini: RunMini, mini: Path, results: Results, pytester: pytest.Pytester
) -> None:
    (mini / "failures").write_text("2")
    result = run_mini("--webbench-agent", "scripted", "--webbench-infra-retry-delay", "0", "-k", "flaky-start")
    result.assert_outcomes(passed=1)
    assert results()["flaky-start"].attempt == 3


def test_trouble_that_stays_is_an_error_and_never_a_failure(run_mini: RunMini, mini: Path, results: Results) -> None:
    (mini / "failures").write_text("99")
    result = run_mini("--webbench-agent", "scripted", "--webbench-infra-retry-delay", "0", "-k", "flaky-start")
    result.assert_outcomes(errors=1)
    assert results()["flaky-start"].outcome == "unscored"
    assert results()["flaky-start"].reason == "infra"
    result.stdout.fnmatch_lines(["*nothing scored (1 unscored)*", "*unscored: 1 infra*"])


def test_a_wrong_answer_is_never_repeated(run_mini: RunMini, results: Results) -> None:
    result = run_mini("--webbench-agent", "noop", "--reruns", "3", "-k", "open-next")
    result.assert_outcomes(failed=1)
    assert results()["open-next"].attempt == 1


@pytest.mark.parametrize(
    ("link", "outcome", "reason"),
    [("Wall", "unscored", "blocked"), ("Error", "unscored", "blocked"), ("Odd", "failed", "")],
)
def test_only_a_page_that_cannot_be_judged_is_unscored(
    run_mini: RunMini, agents: Agents, results: Results, link: str, outcome: str, reason: str
) -> None:
    click = f"page.get_by_role('link', name='{link}').click()"
    agents(f"class Clicks:\n    def run(self, brief, page, budget):\n        {click}\n")
    run_mini("--webbench-agent", "agents:Clicks", "-n", "1", "-k", "open-next")
    assert (results()["open-next"].outcome, results()["open-next"].reason) == (outcome, reason)


def test_a_dead_address_typed_by_the_agent_is_its_own_failure(
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


def test_odd_characters_reach_every_file_and_the_wire_unharmed(
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
    from lxml import etree

    cases = etree.parse(pytester.path / "report.xml").findall(".//testcase")  # type: ignore[arg-type]
    assert len(cases) == 3
    evidence = json.loads(read(pytester, "Odd", "open-next", "evidence.json"))
    assert evidence["answer"].startswith("half \ufffd null \ufffd bell")
    assert "half" in evidence["page"]["text"]


def test_the_action_budget_ends_the_episode_and_bars_further_actions(
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
    assert page["url"] == "https://mini.test/form", "the click beyond the budget must have no effect"


def test_an_address_opened_beyond_the_action_budget_has_no_effect(
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
    result = run_mini("--webbench-agent", "agents:Jumps", "--webbench-max-actions", "1", "-k", "open-next")
    result.assert_outcomes(failed=1)
    assert results()["open-next"].ending == "step_budget"
    page = json.loads(read(pytester, "Jumps", "open-next", "evidence.json"))["page"]
    assert page["url"] == "https://mini.test/form"


def test_an_episode_that_ended_by_its_budget_is_still_judged(
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
    run_mini("--webbench-agent", "agents:Dawdles", "--webbench-max-seconds", "1.5", "-k", "open-next").assert_outcomes(
        passed=1
    )
    assert results()["open-next"].ending == "time_budget"
