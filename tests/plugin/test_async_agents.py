"""Agents with ``async def run``: they get asynchronous pages, and are judged like all others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry, RunDir
from tests.support.mini_suite import RunMini

Agents = Callable[[str], None]
Results = Callable[[], dict[str, LedgerEntry]]

pytestmark = pytest.mark.browser

VARIED = """
import asyncio, functools, itertools
from types import SimpleNamespace
from playwright.async_api import Page, expect
from pytest_webbench import GaveUp

async def follow(brief, page, budget):
    assert isinstance(page, Page)
    await page.get_by_role("link", name="Next").click()
    await page.wait_for_url("**/next")
    assert budget.actions_left == budget.actions - 1

def answers(act):
    @functools.wraps(act)
    def run(*given):
        return act(*given)
    return run

class Clicks:
    dedicated_browser = False
    def attach(self, context):
        self.context = context
    async def run(self, brief, page, budget):
        self.context.log("a line for the log")
        return await follow(brief, page, budget)

def Partly():
    return SimpleNamespace(run=functools.partial(follow))

def Wrapped():
    return SimpleNamespace(run=answers(follow))

class Called:
    class Run:
        async def __call__(self, brief, page, budget):
            await follow(brief, page, budget)
    run = Run()

class GivesUp:
    async def run(self, brief, page, budget):
        raise GaveUp("there is no way")

class Stumbles:
    async def run(self, brief, page, budget):
        raise ValueError("my own mistake")

class CancelsItself:
    async def run(self, brief, page, budget):
        asyncio.current_task().cancel()
        await asyncio.sleep(0)

class Number:
    async def run(self, brief, page, budget):
        return 11

class Leaves:
    async def run(self, brief, page, budget):
        raise SystemExit(3)

class Waits:
    async def run(self, brief, page, budget):
        await page.get_by_role("link", name="Next").click()
        await asyncio.Event().wait()

class ClicksOn:
    async def run(self, brief, page, budget):
        for number in itertools.count():
            await page.goto(f"https://mini.test/?{number}")
"""


def found(path: Path) -> dict[str, tuple[str, str | None]]:
    return {
        entry.agent: (entry.outcome, entry.ending)
        for entry in RunDir(path / "runs" / "t").results().values()
    }


def test_asynchronous_agents_pass_whatever_form_run_has(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(VARIED)
    names = ("Clicks", "Partly", "Wrapped", "Called")
    chosen = [word for name in names for word in ("--webbench-agent", f"agents:{name}")]
    result = run_mini(*chosen, "-k", "open-next", "-n", "2")
    result.assert_outcomes(passed=4)
    assert found(pytester.path) == dict.fromkeys(names, ("passed", "done"))
    assert "flagged" not in result.stdout.str()
    log = pytester.path / "runs/t/episodes/Clicks/open-next/agent.log"
    assert log.read_text(encoding="utf-8") == "a line for the log\n"


def test_asynchronous_agents_end_like_all_others(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(VARIED)
    expected = {
        "GivesUp": ("failed", "gave_up"),
        "Stumbles": ("failed", "agent_crashed"),
        "CancelsItself": ("failed", "agent_crashed"),
        "Number": ("failed", "agent_crashed"),
        "Leaves": ("failed", "agent_crashed"),
        "Waits": ("passed", "time_budget"),
        "ClicksOn": ("failed", "step_budget"),
    }
    chosen = [word for name in expected for word in ("--webbench-agent", f"agents:{name}")]
    limits = ("--webbench-max-actions", "3", "--webbench-max-seconds", "5")
    run_mini(*chosen, *limits, "-k", "open-next").assert_outcomes(passed=1, failed=6)
    assert found(pytester.path) == expected


def test_asynchronous_agent_of_a_fixture_is_awaited(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(VARIED)
    pytester.makeconftest(
        "import pytest\nfrom agents import Clicks\n"
        "@pytest.fixture\ndef webbench_agent():\n    return Clicks()\n"
    )
    run_mini("-k", "open-next").assert_outcomes(passed=1)
    assert found(pytester.path) == {"fixture": ("passed", "done")}
