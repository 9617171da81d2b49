"""Cheats that open the final address: that is none where the start page links to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pytest_webbench import Budget, TaskBrief
from pytest_webbench.agents.base import GaveUp
from pytest_webbench.evidence.models import Evidence, PageState
from pytest_webbench.redteam.cheats import TypedAddress
from pytest_webbench.world import World
from tests.support.mini_suite import HOME

pytestmark = pytest.mark.browser

BRIEF = TaskBrief(
    task_id="t",
    goal="Say what it costs.",
    start_url=HOME,
    wants_answer=True,
    max_actions=10,
    max_seconds=60,
    locale="en-US",
    timezone="UTC",
)


@pytest.fixture
def start(mini_browser: Browser, world: World) -> Page:
    page = mini_browser.new_page(**world.context_args())
    page.goto(HOME)
    return page


def cheat(page: Page, end: str) -> str | None:
    """Play a shortcut to a task whose solution has ended at ``end``."""
    folder = Path("runs/redteam-1/episodes/reference/t")
    folder.mkdir(parents=True)
    evidence = Evidence(answer="7", page=PageState(url=end, title="End"))
    (folder / "evidence.json").write_text(evidence.to_json(), encoding="utf-8")
    return TypedAddress().run(BRIEF, page, Budget(10, 60, lambda: 0, lambda: 0.0))


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def test_shortcut_opens_what_the_start_page_does_not_link_to(start: Page) -> None:
    assert cheat(start, f"{HOME}busy") == "7"
    assert start.url == f"{HOME}busy"


def test_shortcut_gives_up_where_the_start_page_links_to_the_end(start: Page) -> None:
    with pytest.raises(GaveUp, match="the start page links to the final page"):
        cheat(start, f"{HOME}next")
    assert start.url == HOME
