"""The local world in a real browser: episodes do not see each other, and nothing leads to state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Playwright

from pytest_webbench.agents import Budget, TaskBrief
from pytest_webbench.browser.local import LocalBrowser
from pytest_webbench.task import Task
from pytest_webbench.testing import TaskRun, run_task
from pytest_webbench.world.base import task_in_edition
from pytest_webbench.world.local.stay import Stay
from pytest_webbench.world.local.world import Local
from tests.unit.test_local_params import FOLDER, STAR

pytestmark = pytest.mark.browser

Play = Callable[[Any], TaskRun]
HOME = "http://notes.localhost/"


class Acts:
    """An agent that does what a function does with the page."""

    def __init__(self, act: Callable[[Page], None]) -> None:
        self._act = act

    def run(self, brief: TaskBrief, page: Page, budget: Budget) -> None:
        del brief, budget
        self._act(page)


@pytest.fixture
def star() -> Task:
    return task_in_edition(STAR, FOLDER, 0)


@pytest.fixture
def play(star: Task, tmp_path: Path, playwright: Playwright) -> Play:
    def played(act: Callable[[Page], None]) -> TaskRun:
        return run_task(
            star, Acts(act), tmp_path, world="local", suite_folder=FOLDER, playwright=playwright
        )

    return played


def test_changes_are_judged_and_the_address_has_no_port(play: Play) -> None:
    def act(page: Page) -> None:
        page.get_by_role("button", name="Star Buy", exact=False).last.click()

    done = play(act)
    assert done.verdict.outcome == "passed", done.explanation
    assert done.evidence.page is not None
    assert done.evidence.page.url == HOME
    assert done.evidence.local is not None
    assert [line.path for line in done.evidence.local.log] == ["/", "/star/3", "/"]


def test_agent_that_tries_ports_hosts_and_files_reaches_no_state(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports: list[int] = []
    begin = Local.begin

    def begin_and_tell(world: Local, *args: Any) -> Stay:
        ports.append(world.http_port)
        return begin(world, *args)

    monkeypatch.setattr(Local, "begin", begin_and_tell)
    reached: dict[str, str] = {}

    def act(page: Page) -> None:
        (port,) = ports
        tried = [f"http://{host}:{port}/" for host in ("127.0.0.1", "localhost", "notes.localhost")]
        tried += [f"http://{host}/" for host in ("127.0.0.1", "localhost", "desk.localhost")]
        tried += [f"{HOME}{path}" for path in ("_admin", "seed.py", "schema.sql", "static/site.py")]
        tried += [(FOLDER / "sites" / "notes" / "seed.py").as_uri(), "chrome://version/"]
        for url in tried:
            try:
                answer = page.goto(url)
                reached[url] = str(answer.status if answer else page.url)
            except Error as error:
                reached[url] = str(error).splitlines()[0]
        page.goto(HOME)

    done = play(act)
    assert done.verdict.outcome == "failed"
    assert done.evidence.local is not None
    assert done.evidence.local.changes == ()
    assert {url: what for url, what in reached.items() if what == "200"} == {}
    assert len(reached) == 12


def test_pages_of_two_stays_at_once_do_not_see_each_other(playwright: Playwright) -> None:
    world = Local(FOLDER / "sites")
    provider = LocalBrowser(playwright, {})
    try:
        stays = [world.open_stay(0), world.open_stay(0)]
        browser = provider.acquire(world)
        pages = [browser.new_context().new_page() for _ in stays]
        for stay, page in zip(stays, pages, strict=True):
            page.goto(f"http://notes.{world.key_of(stay)}.localhost/")
        pages[0].get_by_role("textbox", name="Note").fill("Only here")
        pages[0].get_by_role("button", name="Add").click()
        pages[0].get_by_text("Only here (0)").wait_for()
        pages[1].reload()
        assert pages[1].get_by_text("Only here").count() == 0
        facts = [stay.end().local for stay in stays]
        assert [len(one.changes) for one in facts if one is not None] == [2, 0]
    finally:
        provider.release()
        world.close()
