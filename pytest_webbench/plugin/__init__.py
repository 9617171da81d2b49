"""The pytest plugin: hooks only. What they need is imported when the first task file is met, not before."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .options import OPTIONS, given, has_run, has_shard_plan, register_markers
from .recorded import options as recorded
from .suites import is_foreign, sends_items_away, suite_folder_of, usage_problems

if TYPE_CHECKING:
    from pluggy import Result

pytest_plugins = ("pytest_webbench.plugin.fixtures",)


def pytest_addoption(parser: pytest.Parser) -> None:
    OPTIONS.register(parser)
    recorded.OPTIONS.register(parser)


def pytest_configure(config: pytest.Config) -> None:
    register_markers(config)


def pytest_sessionstart(session: pytest.Session) -> None:
    for problem in usage_problems(session.config):
        raise pytest.UsageError(problem)
    recorded.step_settings(session.config)
    if sends_items_away(session.config):
        from .agents import check_endpoints
        from .guard import check_run

        check_run(session.config)
        check_endpoints(session.config, given(session.config, "agent"))
    if session.config.getoption("dist", "no") != "no" and not hasattr(session.config, "workerinput"):
        for folder in recorded.folders_named(session.config):
            from .recorded.account import fetch

            fetch(session.config, folder)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    if file_path.name == recorded.SUITE_FILE:
        from .recorded.collect import StepFile

        return StepFile.from_parent(parent, path=file_path)
    foreign = suite_folder_of(file_path) is None
    if foreign and not is_foreign(file_path, parent.config):
        return None
    from .collect import TaskFile, refuse_rival_plugins
    from .foreign import ForeignFile

    refuse_rival_plugins(parent.config)
    return (ForeignFile if foreign else TaskFile).from_parent(parent, path=file_path)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if given(config, "shard"):
        from .guard import keep_shard

        keep_shard(config, items)  # after -k and -m have left out what is not to be run at all


def pytest_collection_finish(session: pytest.Session) -> None:
    if any(item.get_closest_marker("webbench") for item in session.items) or has_shard_plan(session.config):
        from .collect import ask_endpoints, write_plan

        ask_endpoints(session)
        write_plan(session)
        if recorded.OPTIONS.given(session.config, "dump-fixture"):
            from .recorded.account import dump_fixture

            dump_fixture(session)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("webbench"):
        from .guard import refuse_if_refused

        refuse_if_refused(item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Result[Any], None]:
    outcome = yield
    if item.get_closest_marker("webbench"):
        from .options import redactor
        from .reporting import tidy_report

        tidy_report(outcome.get_result(), call, redactor(item.config).text)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist, in the controller: every worker writes to the same run."""
    from .guard import session_of
    from .options import run_tag

    node.workerinput["webbench_tag"] = run_tag(node.config)
    node.workerinput["webbench_session"] = session_of(node.config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: Any) -> None:
    """xdist, in the controller: a worker has written the plan, if there is one."""
    del ids
    if has_run(node.config):
        from .guard import join_run

        join_run(node.config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    yield  # pytest's own JUnit writer runs in here; ours corrects its file
    if not hasattr(session.config, "workerinput") and has_run(session.config):
        from .reporting import finish

        finish(session)
        if recorded.OPTIONS.given(session.config, "min-coverage"):
            from .recorded.account import gate

            gate(session)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if has_run(config):
        from .reporting import write_summary

        write_summary(terminalreporter, config)
