"""The plugin as its users meet it: installed, and named in task files and options."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Playwright
from webbench_example.agent import FirstLink
from webbench_example.checks import WithinFactor, WordCount

from pytest_webbench.checks import MISSING
from pytest_webbench.testing import evidence, page_server, read, run_task, score, task

pytest_plugins = ["pytester"]
PAGES = {"/": "<a href=/lamps>Lamps</a>", "/lamps": "<h1>Three brass lamps</h1>"}


def test_words_are_counted() -> None:
    shown = evidence(page={"url": "https://shop.example/", "visible_text": "Three brass lamps"})
    assert read(WordCount(), shown) == 3
    assert read(WordCount(), evidence()) is MISSING


@pytest.mark.parametrize(("found", "holds"), [(6, 1.0), (24, 1.0), (5, 0.0), (25, 0.0)])
def test_a_number_within_a_factor(found: int, holds: float) -> None:
    assert score(WithinFactor(factor=2), found, 12) == holds


def test_a_factor_of_nothing_is_refused() -> None:
    assert WithinFactor().issues(0)


def test_the_agent_does_a_task(tmp_path: Path, playwright: Playwright) -> None:
    with page_server(PAGES) as url:
        wanted = task(goal="Open the lamps.", start_url=url, expected_url=f"{url}lamps")
        done = run_task(wanted, FirstLink(1), tmp_path, playwright=playwright)
    assert done.verdict.outcome == "passed", done.explanation


SUITE = """name = "pages"\ntitle = "Pages"\nlicence = "none"\nworlds = ["folder"]\n"""
TASK = """id: lamps
goal: Open the lamps.
start_url: http://pages.test/
checks:
- {name: the lamps are open, get: final_url, metric: url_matches, expected: "http://pages.test/lamps.html"}
- {name: about three words, get: word_count, metric: within_factor, expected: 3}
"""


def test_checks_world_and_agent_in_a_suite(pytester: pytest.Pytester) -> None:
    files = {
        "suite.toml": SUITE,
        "tasks/lamps.yaml": TASK,
        "pages/index.html": '<a href="lamps.html">Lamps</a>',
        "pages/lamps.html": "<h1>Three brass lamps</h1>",
    }
    for name, text in files.items():
        path = pytester.path / "pages-suite" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = pytester.runpytest_subprocess("pages-suite", "--webbench-agent", "first-link")
    done.assert_outcomes(passed=1)


def test_format_and_browser_service(pytester: pytest.Pytester) -> None:
    with page_server(PAGES) as url:
        row = f"lamps,Open the lamps.,{url},{url}lamps"
        pytester.makefile(".tasks.csv", shop=f"id,goal,start_url,expected_url\n{row}\n")
        done = pytester.runpytest_subprocess(
            "shop.tasks.csv",
            "--webbench-agent=first-link:1",
            "--webbench-browser=debug-chrome",
        )
    done.assert_outcomes(passed=1)


def test_a_row_without_a_goal_is_named(pytester: pytest.Pytester) -> None:
    pytester.makefile(".tasks.csv", shop="id,goal,start_url,expected_url\nlamps,,http://a.test,x\n")
    done = pytester.runpytest_subprocess("shop.tasks.csv", "--webbench-agent=first-link")
    done.stdout.fnmatch_lines(["*shop.tasks.csv, line 2: no goal*"])
