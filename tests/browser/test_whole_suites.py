"""Suites as their users run them: the reference agent passes everything, free agents nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.test_suite_c import SUITE as SUITE_C
from tests.support.liveweb_page import SUITE as LIVEWEB
from tests.support.miniweb_page import SUITE as MINIWEB

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("suite", "world"),
    [(SUITE_C, "replica"), (LIVEWEB, "replica"), (MINIWEB, "local")],
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.parametrize(
    ("agent", "outcome"), [("scripted", "passed"), ("noop", "failed"), ("random", "failed")]
)
def test_agent_passes_all_of_a_suite_or_nothing(
    pytester: pytest.Pytester, suite: Path, world: str, agent: str, outcome: str
) -> None:
    result = pytester.runpytest_subprocess(
        str(suite),
        "--rootdir",
        str(pytester.path),
        "--webbench-agent",
        agent,
        "--webbench-world",
        world,
        *(["--webbench-max-actions", "12"] if agent == "random" else []),
        "--tb=no",
        "-q",
    )
    tasks = len(list((suite / "tasks").glob("*.yaml")))
    result.assert_outcomes(**{outcome: tasks})
    assert "unscored" not in result.stdout.str()
    assert "flagged" not in result.stdout.str()
