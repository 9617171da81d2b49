"""The examples of the documentation that need a browser: agents, a replica site, judging again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.run import LedgerEntry, RunDir
from tests.support.mini_suite import RunMini

Results = Callable[[], dict[str, LedgerEntry]]

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def files_in(name: str) -> dict[str, str]:
    """Code blocks that name their file in a first line of comment, by that name."""
    pattern = r"^```\w+\n(?:# |\{# )(\S+\.\w+)(?: #\})?\n(.*?)^```$"
    return dict(re.findall(pattern, read(name), re.DOTALL | re.MULTILINE))


def write(files: dict[str, str]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "name"), [("my_agent", "ClickFirstMatch"), ("my_async_agent", "AsyncFirstMatch")]
)
def test_documented_agent_works(
    run_mini: RunMini, results: Results, module: str, name: str
) -> None:
    write({f"{module}.py": files_in("agents.md")[f"{module}.py"]})
    run_mini("--webbench-agent", f"{module}:{name}").assert_outcomes(passed=2, failed=1)
    endings = {
        task: (entry.agent, entry.outcome, entry.ending) for task, entry in results().items()
    }
    assert endings == {
        "flaky-start": (name, "passed", "done"),
        "open-next": (name, "passed", "done"),
        "say-number": (name, "failed", "gave_up"),
    }


def test_documented_conftest_works(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    write(files_in("agents.md"))
    run_mini("-k", "open-next").assert_outcomes(passed=1)
    assert {key.agent for key in RunDir(pytester.path / "runs" / "t").results()} == {"fixture"}


def test_documented_replica_site_is_sound(run_mini: RunMini) -> None:
    files = files_in("worlds.md")
    assert len(files) == 5
    write(files)
    result = run_mini("--webbench-validate", "3", path="books")
    result.assert_outcomes(passed=6)
    (shown,) = re.findall(
        r"^\$ webbench validate books\n(.*?)^```$", read("worlds.md"), re.DOTALL | re.MULTILINE
    )
    result.stdout.fnmatch_lines(shown.splitlines())


def test_documented_rejudging_works(run_mini: RunMini) -> None:
    run_mini("--webbench-agent", "scripted", "-k", "open-next").assert_outcomes(passed=1)
    (source,) = re.findall(r"```python\n(.*?)```", read("run-directory.md"), re.DOTALL)
    ours = source.replace(
        "runs/demo/episodes/scripted/wp-cache-commercial-redis",
        "runs/t/episodes/scripted/open-next",
    )
    assert ours != source
    exec(compile(ours, "run-directory.md", "exec"), {})
