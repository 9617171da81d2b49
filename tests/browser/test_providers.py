"""Browsers that we start and browsers that we are lent."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Playwright

from pytest_webbench.browser.find import find_browser
from tests.support.mini_suite import RunMini

pytestmark = pytest.mark.browser


def open_pages(address: str) -> list[str]:
    return [
        target["url"] for target in httpx.get(f"{address}/json").json() if target["type"] == "page"
    ]


def test_running_chrome_is_used_over_cdp_and_restored(
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
    arguments = (
        "--webbench-world",
        "live",
        "--webbench-browser",
        f"cdp:{running_chrome}",
        "-k",
        "open-next or say",
    )
    httpx.put(f"{running_chrome}/json/new?about:blank")
    before = open_pages(running_chrome)
    run_mini("--webbench-agent", "scripted", *arguments).assert_outcomes(passed=2)
    assert open_pages(running_chrome) == before == ["about:blank"], (
        "its own tab is still open, and none of ours"
    )


def test_replica_world_refuses_an_external_browser(run_mini: RunMini) -> None:
    result = run_mini(
        "--webbench-agent",
        "noop",
        "--webbench-browser",
        "cdp:http://127.0.0.1:9",
        "-k",
        "open-next",
    )
    result.stdout.fnmatch_lines(
        ["*the replica world needs a browser that we start ourselves*use --webbench-world live*"]
    )
    result.assert_outcomes(errors=1)


def test_unresponsive_browser_is_infra(run_mini: RunMini) -> None:
    arguments = (
        "--webbench-world",
        "live",
        "--webbench-browser",
        "cdp:http://127.0.0.1:9",
        "--webbench-infra-retries",
        "0",
    )
    result = run_mini("--webbench-agent", "noop", "-k", "open-next", *arguments)
    result.stdout.fnmatch_lines(
        ["*no browser answers at http://127.0.0.1:9*", "*unscored: 1 infra*"]
    )


def test_missing_browser_error_lists_the_places_searched(run_mini: RunMini) -> None:
    result = run_mini(
        "--webbench-agent", "noop", "--webbench-browser", "local:/no/such/chrome", "-k", "open-next"
    )
    result.stdout.fnmatch_lines(
        ["*no Chromium was found. Looked at:*", "*path given: /no/such/chrome: not there*"]
    )
    result.stdout.fnmatch_lines(["*webbench browser install*"])


def test_playwright_fixtures_use_the_found_browser(playwright: Playwright) -> None:
    found = find_browser(bundled=playwright.chromium.executable_path)
    browser = playwright.chromium.launch(executable_path=found.path)
    assert browser.version
    browser.close()
