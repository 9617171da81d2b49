"""What an agent returns, raises or gives as its reason: how its episode is recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from pytest_webbench.evidence.episode_files import EpisodeFiles
from pytest_webbench.run import LedgerEntry
from tests.support.mini_suite import RunMini

Agents = Callable[[str], None]
Results = Callable[[], dict[str, LedgerEntry]]

pytestmark = pytest.mark.browser

ONE_BY_TASK = """
from pytest_webbench import GaveUp

RETURNS = {returns}

class Varied:
    def run(self, brief, page, budget):
        return RETURNS[brief.task_id]()

async def later():
    return "never"

def give_up():
    raise GaveUp("there is no\\nsuch plugin")

def stumble():
    raise ValueError("my own mistake\\nin two lines")
"""


def test_why_an_episode_ended_is_told_everywhere(
    run_mini: RunMini,
    agents: Agents,
    results: Results,
    pytester: pytest.Pytester,
) -> None:
    returns = {"flaky-start": "later", "open-next": "stumble", "say-number": "give_up"}
    told = ["of type coroutine", "ValueError: my own mistake", "there is no such plugin"]
    chosen = ", ".join(f"{task!r}: lambda: {name}()" for task, name in returns.items())
    agents(ONE_BY_TASK.replace("{returns}", f"{{{chosen}}}"))
    result = run_mini("--webbench-agent", "agents:Varied", "--junitxml", "out.xml")
    result.assert_outcomes(failed=3)
    shown = [line for line in result.outlines if line.startswith("  ending ")]
    cases = etree.parse(str(pytester.path / "out.xml")).iterfind(".//testcase/failure")
    messages = [case.get("message", "") for case in cases]
    for number, task in enumerate(sorted(returns)):
        entry = results()[task]
        evidence = EpisodeFiles(Path("runs/t") / entry.folder).evidence()
        assert evidence is not None
        for text in (evidence.ending_detail, shown[number], entry.brief, messages[number]):
            assert told[number] in text
        assert evidence.answer is None


def test_generator_is_refused_before_the_first_episode(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents("class Pieces:\n    async def run(self, brief, page, budget):\n        yield 'x'\n")
    result = run_mini("--webbench-agent", "agents:Pieces")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*run of agent 'agents:Pieces' is a generator*"])
    assert not (pytester.path / "runs").exists()
