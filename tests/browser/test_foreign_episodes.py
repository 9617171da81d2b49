"""Foreign tasks are run like native ones: episode, evidence, verdict."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pytest_webbench.run import LedgerEntry
from tests.support.mini_suite import RunMini

pytestmark = pytest.mark.browser

AGENT = """
class Clicker:
    def run(self, brief, page, budget):
        page.get_by_role("link", name="Next").click()
        return "the next page"
"""
SUITE_C = [
    (
        "opens-next",
        "lambda u, t, x, a: u.endswith('/next') and t == 'Next' and 'You got here.' in x",
    ),
    ("by-its-link", "lambda u, t, x, a: any(s == 'click link \"Next\"' for s in a)"),
    ("elsewhere", "lambda u, t, x, a: '/form' in u"),
    ("no-sense", "lambda u, t, x, a: u < 3"),
]
WEBVOYAGER = {
    "web_name": "Mini",
    "id": "Mini--0",
    "ques": "Which page comes next?",
    "web": "https://mini.test/",
}


@pytest.fixture
def run(
    run_mini: RunMini, running_chrome: str, pytester: pytest.Pytester
) -> Callable[[str], pytest.RunResult]:
    """Runs an agent that opens the next page on a foreign file, in a browser that sees the small
    suite's replica.
    """
    pytester.makepyfile(clicker=AGENT)
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def browser_context_args(browser_context_args):
            return {**browser_context_args, "ignore_https_errors": True}
        """
    )

    def run_file(name: str) -> pytest.RunResult:
        browser = ("--webbench-browser", f"cdp:{running_chrome}")
        return run_mini(*browser, "--webbench-agent", "clicker:Clicker", path=name)

    return run_file


def test_suite_c_outcomes_follow_their_lambdas(
    run: Callable[[str], pytest.RunResult],
    pytester: pytest.Pytester,
    results: Callable[[], dict[str, LedgerEntry]],
) -> None:
    rows = [
        {
            "name": name,
            "start_url": "https://mini.test/",
            "goal": "Open the next page.",
            "check_python": check,
        }
        for name, check in SUITE_C
    ]
    (pytester.path / "small.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    result = run("small.jsonl")
    result.assert_outcomes(passed=2, failed=1, errors=1)
    found = {
        name.rpartition("/")[2]: (entry.outcome, entry.reason) for name, entry in results().items()
    }
    assert found == {
        "opens-next": ("passed", ""),
        "by-its-link": ("passed", ""),
        "elsewhere": ("failed", ""),
        "no-sense": ("unscored", "verifier_error"),
    }
    result.stdout.fnmatch_lines(["small (live world), agent Clicker: 2 of 3 passed*"])


def test_webvoyager_episodes_are_stored_once_for_a_judge(
    run: Callable[[str], pytest.RunResult],
    pytester: pytest.Pytester,
    results: Callable[[], dict[str, LedgerEntry]],
) -> None:
    (pytester.path / "voyage.jsonl").write_text(json.dumps(WEBVOYAGER))
    for _ in range(2):
        result = run("voyage.jsonl")
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["*unscored (needs_judge)*", "*unscored: 1 needs_judge*"])
    (entry,) = results().values()
    assert (entry.outcome, entry.reason, entry.attempt) == ("unscored", "needs_judge", 1)
    evidence = json.loads(
        (pytester.path / "runs" / "t" / entry.folder / "evidence.json").read_text("utf-8")
    )
    assert (evidence["answer"], evidence["page"]["url"]) == (
        "the next page",
        "https://mini.test/next",
    )
