"""Cheats that open the final address: none where the start page links to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from pytest_webbench import Budget, TaskBrief
from pytest_webbench.agents.base import GaveUp
from pytest_webbench.evidence.models import Evidence, PageState
from pytest_webbench.redteam.cheats import TypedAddress

pytestmark = pytest.mark.browser

START, END = "https://a.test/", "https://a.test/item"
BRIEF = TaskBrief(
    task_id="t",
    goal="Say what it costs.",
    start_url=START,
    wants_answer=True,
    max_actions=10,
    max_seconds=60,
    locale="en-US",
    timezone="UTC",
)


@pytest.fixture
def start(page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Page:
    """The start page of a task whose solution has been played."""
    folder = tmp_path / "runs" / "redteam-1" / "episodes" / "reference" / "t"
    folder.mkdir(parents=True)
    evidence = Evidence(answer="7", page=PageState(url=END, title="Item"))
    (folder / "evidence.json").write_text(evidence.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    page.route("**/*", lambda route: route.fulfill(content_type="text/html", body="a page"))
    page.goto(START)
    return page


def budget() -> Budget:
    return Budget(10, 60, lambda: 0, lambda: 0.0)


def test_shortcut_opens_what_the_start_page_does_not_link_to(start: Page) -> None:
    start.set_content("<a href='/other'>on</a>")
    assert TypedAddress().run(BRIEF, start, budget()) == "7"
    assert start.url == END


def test_shortcut_gives_up_where_the_start_page_links_to_the_end(start: Page) -> None:
    start.set_content("<a href='/item'>on</a>")
    with pytest.raises(GaveUp, match="the start page links to the final page"):
        TypedAddress().run(BRIEF, start, budget())
    assert start.url == START
