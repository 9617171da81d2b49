"""Task files behave as pytest users expect of test files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import RunMini

Collect = Callable[..., pytest.RunResult]


@pytest.fixture
def collect(run_mini: RunMini) -> Collect:
    def run(*arguments: str, path: str = "mini") -> pytest.RunResult:
        return run_mini("--collect-only", "-q", "--webbench-agent", "noop", *arguments, path=path)

    return run


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and not line.startswith(("ERROR", "FAILED"))]


ALL = [f"mini/tasks/{name}.yaml::{name}" for name in ("flaky-start", "open-next", "say-number")]


def test_a_suite_folder_gives_one_item_per_task(collect: Collect) -> None:
    assert collected(collect()) == ALL


def test_one_file_and_one_id_can_be_named(collect: Collect) -> None:
    assert collected(collect(path="mini/tasks/open-next.yaml")) == ALL[1:2]
    assert collected(collect(path="mini/tasks/open-next.yaml::open-next")) == ALL[1:2]


def test_an_id_that_does_not_exist_is_a_usage_error(collect: Collect) -> None:
    assert collect(path="mini/tasks/open-next.yaml::no-such-task").ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("-k", "next"), ALL[1:2]),
        (("-k", "start or say"), [ALL[0], ALL[2]]),
        (("-m", "answer"), ALL[2:]),
        (("-m", "navigation and not answer"), ALL[:2]),
        (("-m", "mini"), ALL),
        (("-m", "mini_test"), ALL),
        (("--strict-markers",), ALL),
        (("--deselect", ALL[0]), ALL[1:]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_selection_by_name_and_mark(collect: Collect, arguments: tuple[str, ...], expected: list[str]) -> None:
    assert collected(collect(*arguments)) == expected


def test_items_multiply_by_agents_and_repeats(collect: Collect) -> None:
    found = collected(collect("--webbench-agent", "random", "--webbench-repeats", "2", "-k", "open"))
    assert found == [f"{ALL[1]}[{agent}-r{repeat}]" for agent in ("noop", "random") for repeat in (1, 2)]


def test_one_id_means_all_its_multiples(collect: Collect) -> None:
    found = collected(collect("--webbench-repeats", "2", path="mini/tasks/open-next.yaml::open-next"))
    assert found == [f"{ALL[1]}[r1]", f"{ALL[1]}[r2]"]


def test_a_folder_without_suite_toml_and_foreign_files_are_left_alone(collect: Collect, mini: Path) -> None:
    (mini / "tasks" / "notes.json").write_text("{}")
    (mini / "notes.yaml").write_text("not: a task")
    shutil.copytree(mini / "tasks", mini.parent / "elsewhere" / "tasks")
    assert collected(collect()) == ALL
    assert collect(path="elsewhere").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_bad_file_is_a_collection_error_of_that_file_alone(collect: Collect, mini: Path) -> None:
    (mini / "tasks" / "bad.yaml").write_text("id: bad\ngoul: misspelt\nchecks: []\n")
    result = collect("--continue-on-collection-errors")
    assert collected(result) == ALL
    result.stdout.fnmatch_lines(["*ERROR collecting mini/tasks/bad.yaml*", "*bad.yaml: * problems*"])
    result.stdout.fnmatch_lines(["*line 2, goul: unknown key 'goul'; did you mean 'goal'?*"])
    assert "Traceback" not in result.stdout.str()


def test_a_bad_file_stops_the_session_before_anything_is_planned(run_mini: RunMini, mini: Path) -> None:
    (mini / "tasks" / "bad.yaml").write_text("id: bad\n")
    result = run_mini("--webbench-agent", "noop")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "scored" not in result.stdout.str()
    assert not (mini.parent / "runs").exists()


def test_a_bad_suite_file_says_what_is_wrong_with_it(collect: Collect, mini: Path) -> None:
    (mini / "suite.toml").write_text('name = "mini"\ntitel = "x"\n')
    result = collect()
    result.stdout.fnmatch_lines(["*suite.toml: * problems*"])
    assert "did you mean 'title'?" in result.stdout.str()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--webbench-agent", "skripted"),
            "*unknown agent 'skripted'; did you mean 'scripted'?; built in: *scripted*package.module:Class*",
        ),
        (("--webbench-agent", "no_such:Agent"), "*module 'no_such' cannot be imported*"),
        (("--webbench-agent", "pathlib:Path"), "*agent 'pathlib:Path' has no method run*"),
        (("--webbench-repeats", "0"), "*--webbench-repeats '0': use a whole number of at least 1*"),
        (("--webbench-max-seconds", "soon"), "*--webbench-max-seconds 'soon': use a number*"),
        (("--webbench-run", "../outside"), "*run tag '../outside': use up to 100 letters*"),
        (("--webbench-browser", "firefox"), "*--webbench-browser 'firefox': use local, local:/path*"),
        (("-n", "2", "--dist", "loadgroup"), "*loadgroup hangs when a worker dies*"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_option_is_a_usage_error_that_says_what_to_use(
    run_mini: RunMini, arguments: tuple[str, ...], message: str
) -> None:
    result = run_mini(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_a_world_that_the_suite_does_not_have_is_a_usage_error(
    run_mini: RunMini, mini: Path, workers: tuple[str, ...]
) -> None:
    (mini / "suite.toml").write_text('name = "mini"\ntitle = "x"\nlicence = "x"\nworlds = ["live"]\n')
    result = run_mini("--webbench-world", "replica", "--webbench-agent", "noop", *workers)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*suite mini has no replica world; it runs in: live*"])


def test_without_an_agent_the_session_stops_and_says_how_to_choose_one(run_mini: RunMini) -> None:
    result = run_mini()
    result.stdout.fnmatch_lines(["*no agent was chosen: give --webbench-agent*"])
    assert "1 error" in result.stdout.str()


def test_options_have_ini_twins(collect: Collect, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwebbench_repeats = 2\n")
    assert len(collected(collect())) == 2 * len(ALL)


def test_plugins_that_retry_wrong_answers_are_refused(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        def pytest_configure(config):
            config.pluginmanager.register(object(), "pytest-retry")
        """
    )
    result = run_mini("--webbench-agent", "noop")
    result.stdout.fnmatch_lines(["*plugin 'pytest-retry' is active; it repeats tests that failed*"])
    assert result.ret != 0
    assert "passed" not in result.stdout.str()


def test_the_unused_plugin_imports_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_heavy():
            heavy = {"pydantic", "yaml", "starlette", "uvicorn", "trustme", "jinja2", "rich", "typer", "regex"}
            assert not heavy & set(sys.modules)
        """
    )
    pytester.runpytest_subprocess("-p", "no:anyio", "-p", "no:hypothesispytest").assert_outcomes(passed=1)
