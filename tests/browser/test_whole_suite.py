"""Suite C as its users run it: the reference agent passes everything, free agents pass nothing."""

from __future__ import annotations

import pytest

from tests.browser.test_suite_c import SUITE

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("agent", "outcomes"),
    [
        ("scripted", {"passed": 27}),
        ("noop", {"failed": 27}),
        pytest.param("random", {"failed": 27}, marks=pytest.mark.slow),
    ],
)
def test_whole_suite(pytester: pytest.Pytester, agent: str, outcomes: dict[str, int]) -> None:
    arguments = ("--rootdir", str(pytester.path), "--webbench-agent", agent, "--tb=no", "-q")
    result = pytester.runpytest_subprocess(str(SUITE), *arguments)
    result.assert_outcomes(**outcomes)
    assert "unscored" not in result.stdout.str()
