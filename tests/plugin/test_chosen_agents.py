"""Which agents a session runs, where they were chosen, and what stops it before it has begun."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webbench.plugin.settings import Settings
from pytest_webbench.run import RunDir
from tests.plugin.test_recorded_steps import COVERED, step, write
from tests.support.mini_suite import MINI, RunMini

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
Agents = Callable[[str], None]
UNUSABLE = """
class Keyless:
    def __init__(self):
        raise KeyError("MY_API_KEY")

    def run(self, brief, page, budget):
        pass


class Exits(Keyless):
    def __init__(self):
        raise SystemExit(3)


class Needy(Keyless):
    def __init__(self, model):
        pass


def make_nothing():
    return None


class Fine(Keyless):
    def __init__(self):
        pass
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "*no agent was chosen: give --webbench-agent*conftest.py"),
        (("-n", "2"), "*no agent was chosen: give --webbench-agent*conftest.py"),
        (("--webbench-agent", "agents:Keyless"), "*'agents:Keyless' could not be made: KeyError*"),
        (("--webbench-agent", "agents:Exits"), "*could not be made: SystemExit: 3"),
        (("--webbench-agent", "agents:Needy"), "*could not be made: TypeError: *model*"),
        (("--webbench-agent", "agents:make_nothing"), "*has no method run(brief, page, budget)"),
        (("-n", "2", "--webbench-agent", "agents:Keyless"), "*could not be made: KeyError*"),
        (("--webbench-agent", "agents:Fine", "--setup-only"), "*--setup-only makes no sense here*"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_session_that_cannot_run_ends_before_anything_is_planned(
    run_mini: RunMini,
    agents: Agents,
    pytester: pytest.Pytester,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    agents(UNUSABLE)
    result = run_mini(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
    assert not (pytester.path / "runs").exists()


def test_workers_refuse_a_wrong_agent_of_the_ini_file(
    run_mini: RunMini, agents: Agents, pytester: pytest.Pytester
) -> None:
    agents(UNUSABLE)
    pytester.makeini("[pytest]\nwebbench_agent = agents:Keyless\n")
    deep = pytester.path / "a" / "b"
    deep.mkdir(parents=True)
    (pytester.path / "mini").rename(deep / "mini")
    result = run_mini("-n", "2", path="a")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*'agents:Keyless' could not be made: KeyError*"])
    assert not (pytester.path / "runs").exists()


@pytest.mark.parametrize("option", ["--setup-plan", "--collect-only"])
def test_looking_at_a_session_writes_nothing(
    run_mini: RunMini, pytester: pytest.Pytester, option: str
) -> None:
    (pytester.path / "here").mkdir()
    (pytester.path / "mini").rename(pytester.path / "here" / "mini")
    before = set((pytester.path / "here").rglob("*"))
    arguments = ("--rootdir", "here", "-p", "no:cacheprovider", "--webbench-agent", "noop")
    result = run_mini(*arguments, option, path="here/mini")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*webbench: agent noop, chosen by --webbench-agent*"])
    assert set((pytester.path / "here").rglob("*")) == before


@pytest.mark.browser
def test_own_fixture_replaces_the_default_of_the_ini_file(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nwebbench_agent = noop\n")
    result = run_mini("--collect-only")
    result.stdout.fnmatch_lines(["*webbench: agent noop, chosen by webbench_agent in tox.ini*"])
    pytester.makeconftest(
        """
        import pytest

        class Mine:
            def run(self, brief, page, budget):
                return None

        @pytest.fixture
        def webbench_agent():
            return Mine()
        """
    )
    run_mini("-k", "open-next").assert_outcomes(failed=1)
    assert [item.agent for item in RunDir(pytester.path / "runs" / "t").planned()] == ["fixture"]


def test_default_agent_takes_no_part_where_none_runs(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwebbench_agent = noop\n")
    assert Settings.read(pytester.parseconfig()).agent == ("noop",)
    for option in (["--webbench-rescore", "t"], ["--webbench-validate", "1"]):
        assert Settings.read(pytester.parseconfig(*option)).agent == ()
        named = pytester.parseconfig(*option, "--webbench-agent", "random")
        assert Settings.read(named).agent == ("random",)


def test_repository_has_a_default_agent_for_its_suites(pytester: pytest.Pytester) -> None:
    # A session of its own, since the ini file of the outer one is the same.
    command = ("-k", "wp-cache", "--collect-only", "-p", "no:cacheprovider")
    result = pytester.run(
        "bash", "-c", f'cd "{ROOT}" && {sys.executable} -m pytest {" ".join(command)}'
    )
    result.stdout.fnmatch_lines(
        [
            "webbench: agent scripted, chosen by webbench_agent in pyproject.toml",
            "testpaths: suites",
            "*BenchmarkItem wp-cache-commercial-redis>",
        ]
    )
    assert result.ret == 0


@pytest.mark.browser
def test_other_agents_measure_each_recorded_step_once(
    pytester: pytest.Pytester, agents: Agents
) -> None:
    agents("class Mine:\n    def run(self, brief, page, budget):\n        return None\n")
    folder = pytester.mkdir("suites")
    shutil.copytree(MINI, folder / "mini")
    recorded = folder / "recorded"
    recorded.mkdir()
    (recorded / "mind2web.toml").write_text('name = "probe"\ntitle = "x"\nlicence = "none"\n')
    path = write(recorded, COVERED, step(1, "5"))
    chosen = [f"--webbench-agent={name}" for name in ("noop", "agents:Mine", "heuristic")]
    arguments = (*chosen, "--m2w-path", str(path), "--webbench-run", "t", "-k", "t- or say")
    done = pytester.runpytest_subprocess(
        "suites", *arguments, "--webbench-repeats", "2", "-n", "2", "--tb", "no"
    )
    done.stdout.fnmatch_lines(
        [
            "recorded steps, heuristic:",
            "recorded steps, perception (coverage only, each step once: "
            "noop, Mine cannot decide single steps):",
        ]
    )
    planned = [
        (item.task, item.agent, item.repeat)
        for item in RunDir(pytester.path / "runs" / "t").planned()
        if item.suite == "probe"
    ]
    measured = [("t-0", "perception", 1), ("t-1", "perception", 1)]
    asked = [(task, "heuristic", repeat) for task in ("t-0", "t-1") for repeat in (1, 2)]
    assert sorted(planned) == sorted([*measured, *asked])
