"""`pytest_webbench.testing`: what authors of agents and checks test with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from pytest_webbench import Budget, TaskBrief
from pytest_webbench.testing import page_server, run_task, task

pytestmark = pytest.mark.browser

PAGES = {
    "/": "<title>Shop</title><h1>Shop</h1><a href=/lamps>Lamps</a>",
    "/lamps": "<title>Lamps</title><h1>12 lamps</h1>",
}


class OpensLamps:
    def run(self, brief: TaskBrief, page: Any, budget: Budget) -> str | None:
        page.get_by_role("link", name="Lamps").click()
        return "12" if brief.wants_answer else None


class DoesNothing:
    def run(self, brief: TaskBrief, page: Any, budget: Budget) -> None:
        return None


def test_an_agent_that_does_the_task_passes(tmp_path: Path, playwright: Playwright) -> None:
    with page_server(PAGES) as url:
        wanted = task(start_url=url, expected_url=f"{url}lamps")
        done = run_task(wanted, OpensLamps(), tmp_path, playwright=playwright)
    assert (done.verdict.outcome, done.explanation) == ("passed", "")
    assert [action.kind for action in done.evidence.actions] == ["click"]
    assert (done.folder / "final.jpg").is_file()


def test_an_agent_that_does_not_is_told_why(tmp_path: Path, playwright: Playwright) -> None:
    with page_server(PAGES) as url:
        wanted = task(start_url=url, expected_url=f"{url}lamps")
        done = run_task(wanted, DoesNothing(), tmp_path, playwright=playwright)
    assert done.verdict.outcome == "failed"
    assert f"url_matches {url}lamps" in done.explanation
