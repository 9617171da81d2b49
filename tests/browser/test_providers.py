"""Browsers that we start and browsers that we are lent."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Playwright

from pytest_webbench.browser.find import find_browser
from pytest_webbench.world import World, open_world
from tests.conftest import MINI, RunMini

pytestmark = pytest.mark.browser


@pytest.fixture
def running_chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Chromium that somebody else started; it sees the small suite's replica sites."""
    world: World = open_world("replica", MINI)
    profile = tmp_path_factory.mktemp("profile")
    chrome = subprocess.Popen(
        [
            find_browser().path, "--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", *world.launch_args(),
        ],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert chrome.stderr is not None
    found = next(match for line in chrome.stderr if (match := re.search(r"ws://([\d.:]+)/", line)))
    yield f"http://{found[1]}"
    chrome.kill()
    chrome.wait()
    chrome.stderr.close()
    world.close()


def open_pages(address: str) -> list[str]:
    return [target["url"] for target in httpx.get(f"{address}/json").json() if target["type"] == "page"]


def test_a_running_chrome_is_used_over_cdp_and_left_as_it_was(
    run_mini: RunMini, running_chrome: str, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def browser_context_args(browser_context_args):
            return {**browser_context_args, "ignore_https_errors": True}
        """
    )
    arguments = ("--webbench-world", "live", "--webbench-browser", f"cdp:{running_chrome}", "-k", "open-next or say")
    httpx.put(f"{running_chrome}/json/new?about:blank")
    before = open_pages(running_chrome)
    run_mini("--webbench-agent", "scripted", *arguments).assert_outcomes(passed=2)
    assert open_pages(running_chrome) == before == ["about:blank"], "its own tab is still open, and none of ours"


def test_the_replica_world_needs_a_browser_of_our_own(run_mini: RunMini) -> None:
    result = run_mini("--webbench-agent", "noop", "--webbench-browser", "cdp:http://127.0.0.1:9", "-k", "open-next")
    result.stdout.fnmatch_lines(
        ["*the replica world needs a browser that we start ourselves*use --webbench-world live*"]
    )
    result.assert_outcomes(errors=1)


def test_a_browser_that_does_not_answer_is_infra(run_mini: RunMini) -> None:
    arguments = (
        "--webbench-world",
        "live",
        "--webbench-browser",
        "cdp:http://127.0.0.1:9",
        "--webbench-infra-retries",
        "0",
    )
    result = run_mini("--webbench-agent", "noop", "-k", "open-next", *arguments)
    result.stdout.fnmatch_lines(["*no browser answers at http://127.0.0.1:9*", "*unscored: 1 infra*"])


def test_a_named_browser_that_is_not_there_says_where_was_looked(run_mini: RunMini) -> None:
    result = run_mini("--webbench-agent", "noop", "--webbench-browser", "local:/no/such/chrome", "-k", "open-next")
    result.stdout.fnmatch_lines(["*no Chromium was found. Looked at:*", "*path given: /no/such/chrome: not there*"])
    result.stdout.fnmatch_lines(["*webbench browser install*"])


def test_playwright_starts_the_browser_that_was_found(playwright: Playwright) -> None:
    found = find_browser(bundled=playwright.chromium.executable_path)
    browser = playwright.chromium.launch(executable_path=found.path)
    assert browser.version
    browser.close()
