"""Task files behave as pytest users expect of test files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.distributions import offer
from tests.support.mini_suite import RunMini

Collect = Callable[..., pytest.RunResult]


@pytest.fixture
def collect(run_mini: RunMini) -> Collect:
    def run(*arguments: str, path: str = "mini") -> pytest.RunResult:
        return run_mini("--collect-only", "-q", "--webbench-agent", "noop", *arguments, path=path)

    return run


def collected(result: pytest.RunResult) -> list[str]:
    return [
        line
        for line in result.outlines
        if "::" in line and not line.startswith(("ERROR", "FAILED"))
    ]


ALL = [f"mini/tasks/{name}.yaml::{name}" for name in ("flaky-start", "open-next", "say-number")]


def test_suite_folder_gives_one_item_per_task(collect: Collect) -> None:
    assert collected(collect()) == ALL


def test_file_or_task_id_can_be_selected(collect: Collect) -> None:
    assert collected(collect(path="mini/tasks/open-next.yaml")) == ALL[1:2]
    assert collected(collect(path="mini/tasks/open-next.yaml::open-next")) == ALL[1:2]


def test_unknown_task_id_is_a_usage_error(collect: Collect) -> None:
    assert (
        collect(path="mini/tasks/open-next.yaml::no-such-task").ret == pytest.ExitCode.USAGE_ERROR
    )


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
def test_selection_by_name_and_mark(
    collect: Collect, arguments: tuple[str, ...], expected: list[str]
) -> None:
    assert collected(collect(*arguments)) == expected


def test_items_multiply_by_agents_and_repeats(collect: Collect) -> None:
    found = collected(
        collect("--webbench-agent", "random", "--webbench-repeats", "2", "-k", "open")
    )
    assert found == [
        f"{ALL[1]}[{agent}-r{repeat}]" for agent in ("noop", "random") for repeat in (1, 2)
    ]


def test_task_id_selects_all_its_items(collect: Collect) -> None:
    found = collected(
        collect("--webbench-repeats", "2", path="mini/tasks/open-next.yaml::open-next")
    )
    assert found == [f"{ALL[1]}[r1]", f"{ALL[1]}[r2]"]


def test_folders_without_a_suite_are_ignored(collect: Collect, mini: Path) -> None:
    (mini / "tasks" / "notes.json").write_text("{}")
    (mini / "notes.yaml").write_text("not: a task")
    ansible = mini.parent / "elsewhere" / "tasks"
    ansible.mkdir(parents=True)
    (ansible / "main.yaml").write_text("- name: install\n  checks: []\n")
    assert collected(collect()) == ALL
    assert collect(path="elsewhere").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_misplaced_tasks_are_collection_errors(collect: Collect, mini: Path) -> None:
    tasks = mini / "tasks"
    (tasks / "deep").mkdir()
    (tasks / "open-next.yaml").rename(tasks / "open-next.yml")
    (tasks / "say-number.yaml").rename(tasks / "deep" / "say-number.yaml")
    shutil.copytree(tasks, mini.parent / "elsewhere" / "tasks")
    result = collect("--continue-on-collection-errors", path=".")
    assert collected(result) == ALL[:1]
    told = result.stdout.str()
    assert told.count("/elsewhere is no suite: a suite has a suite.toml") == 1
    assert f"move it to {tasks / 'open-next.yaml'}, or out of the suite" in told
    assert f"move it to {tasks / 'say-number.yaml'}, or out of the suite" in told
    assert result.ret != 0


@pytest.mark.parametrize("tag", ["skip", "xfail", "only_browser", "timeout", "mine"])
def test_tag_that_is_a_registered_mark_is_a_collection_error(
    collect: Collect, mini: Path, pytester: pytest.Pytester, tag: str
) -> None:
    pytester.makeconftest(
        """
        def pytest_configure(config):
            config.addinivalue_line("markers", "mine(what): acts on tests")
        """
    )
    task = mini / "tasks" / "open-next.yaml"
    task.write_text(task.read_text().replace("tags: [navigation]", f"tags: [{tag}]"))
    result = collect("--continue-on-collection-errors")
    assert collected(result) == [ALL[0], ALL[2]]
    result.stdout.fnmatch_lines([f"'{tag}' is a tag or a name here, and '*use another word"])


def test_suite_collected_twice_is_a_usage_error(
    run_mini: RunMini, mini: Path, pytester: pytest.Pytester
) -> None:
    shutil.copytree(mini, pytester.path / "copy")
    result = run_mini("copy", "--webbench-agent", "noop")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*suite mini, task flaky-start, agent noop was collected twice*"])
    assert not (pytester.path / "runs").exists()


@pytest.mark.browser
def test_session_without_rerunfailures_does_without_its_mark(run_mini: RunMini) -> None:
    arguments = ("-p", "no:rerunfailures", "--strict-markers", "-k", "open-next")
    run_mini("--webbench-agent", "scripted", *arguments).assert_outcomes(passed=1)


def test_bad_task_file_is_a_collection_error_of_its_own(collect: Collect, mini: Path) -> None:
    (mini / "tasks" / "bad.yaml").write_text("id: bad\ngoul: misspelt\nchecks: []\n")
    result = collect("--continue-on-collection-errors")
    assert collected(result) == ALL
    result.stdout.fnmatch_lines(
        ["*ERROR collecting mini/tasks/bad.yaml*", "*bad.yaml: * problems*"]
    )
    result.stdout.fnmatch_lines(["*line 2, goul: unknown key 'goul'; did you mean 'goal'?*"])
    assert "Traceback" not in result.stdout.str()


def test_bad_task_file_stops_the_session_before_planning(run_mini: RunMini, mini: Path) -> None:
    (mini / "tasks" / "bad.yaml").write_text("id: bad\n")
    result = run_mini("--webbench-agent", "noop")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "scored" not in result.stdout.str()
    assert not (mini.parent / "runs").exists()


def test_bad_suite_file_is_explained(collect: Collect, mini: Path) -> None:
    (mini / "suite.toml").write_text('name = "mini"\ntitel = "x"\n')
    result = collect()
    result.stdout.fnmatch_lines(["*suite.toml: * problems*"])
    assert "did you mean 'title'?" in result.stdout.str()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--webbench-agent", "skripted"),
            "*unknown agent 'skripted'; did you mean 'scripted'?; built in: "
            "*scripted*package.module:Class*",
        ),
        (("--webbench-agent", "no_such:Agent"), "*module 'no_such' cannot be imported*"),
        (("--webbench-agent", "pathlib:Path"), "*agent 'pathlib:Path' has no method run*"),
        (("--webbench-repeats", "0"), "*--webbench-repeats '0': use a whole number of at least 1*"),
        (("--webbench-max-seconds", "soon"), "*--webbench-max-seconds 'soon': use a number*"),
        (("--webbench-run", "../outside"), "*run tag '../outside': use up to 100 letters*"),
        (
            ("--webbench-browser", "firefox"),
            "*--webbench-browser 'firefox': use local, local:/path*",
        ),
        (
            ("--webbench-agent", "noop", "-n", "1", "--dist", "loadgroup"),
            "*--dist loadgroup hangs when a worker dies*",
        ),
        (
            ("--webbench-agent", "noop", "-n", "1", "--dist", "each"),
            "*--dist each would run every task on every worker*use --dist load*",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_option_is_a_usage_error_with_advice(
    run_mini: RunMini, arguments: tuple[str, ...], message: str
) -> None:
    result = run_mini(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_world_outside_the_suite_is_a_usage_error(
    run_mini: RunMini, mini: Path, workers: tuple[str, ...]
) -> None:
    (mini / "suite.toml").write_text(
        'name = "mini"\ntitle = "x"\nlicence = "x"\nworlds = ["live"]\n'
    )
    result = run_mini("--webbench-world", "replica", "--webbench-agent", "noop", *workers)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*suite mini has no replica world; it runs in: live*"])


def test_options_have_ini_twins(collect: Collect, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwebbench_repeats = 2\n")
    assert len(collected(collect())) == 2 * len(ALL)


def test_plugins_that_retry_wrong_answers_are_refused(
    run_mini: RunMini, pytester: pytest.Pytester
) -> None:
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


def test_unused_plugin_imports_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_heavy():
            heavy = "pydantic yaml starlette uvicorn trustme jinja2 rich typer regex".split()
            assert not set(heavy) & set(sys.modules)
        """
    )
    pytester.runpytest_subprocess("-p", "no:anyio", "-p", "no:hypothesispytest").assert_outcomes(
        passed=1
    )


def test_unknown_world_is_a_usage_error_that_lists_the_worlds(run_mini: RunMini) -> None:
    result = run_mini("--webbench-world", "mars", "--webbench-agent", "noop")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*unknown world 'mars'*allowed: live, replica, local"])


def test_suite_runs_in_a_world_that_a_distribution_offers(
    collect: Collect, mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = mini / "suite.toml"
    suite.write_text(suite.read_text().replace('"replica", "live"', '"live", "mars"'))
    assert "unknown world 'mars'" in collect().stdout.str()
    world = {"pytest_webbench.worlds": {"mars": "acme_mars:Mars"}}
    offer(tmp_path / "site", monkeypatch, world, acme_mars="class Mars: ...")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    assert collected(collect("--webbench-world", "mars")) == ALL


def test_pytest_timeout_is_off_for_tasks(run_mini: RunMini, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        def pytest_configure(config):
            config.pluginmanager.register(object(), "timeout")
            config.addinivalue_line("markers", "timeout(seconds): as pytest-timeout has it")

        def pytest_collection_modifyitems(items):
            for item in items:
                print("limit of", item.name, item.get_closest_marker("timeout").args)
        """
    )
    result = run_mini("--collect-only", "-s", "--webbench-agent", "noop", "--strict-markers")
    result.stdout.fnmatch_lines(["webbench: pytest-timeout is off for tasks*"])
    assert result.stdout.str().count("(0,)") == 3
