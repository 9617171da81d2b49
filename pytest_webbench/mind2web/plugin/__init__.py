"""Recorded steps as a guest of pytest-webbench: a pytest plugin of its own and a file format.

It uses ordinary hooks and what pytest-webbench offers to every plugin. Like pytest-webbench itself,
it loads what is heavy when a session turns out to need it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from ...plugin.invocation import invocation_of
from ...plugin.usage_errors import usage_errors
from .options import OPTIONS, folders_named, step_settings

if TYPE_CHECKING:
    from .page_pool import PagePool


def pytest_addoption(parser: pytest.Parser) -> None:
    OPTIONS.register(parser)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse wrong options; in xdist's controller, fetch the steps once for all workers."""
    selection = step_settings(session.config).selection
    if not invocation_of(session.config).is_controller:
        return
    for folder in folders_named(session.config):
        # Loads the readers of the dataset.
        from .summary import fetch_steps

        with usage_errors():
            fetch_steps(selection, folder)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Write the fixture that was asked for; once, whatever the number of workers."""
    path = step_settings(session.config).dump_fixture
    if path is None or not invocation_of(session.config).writes_plan:
        return
    # Loads the models of recorded steps.
    from .summary import dump_steps

    dump_steps(path, session.items)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Let ``--m2w-min-coverage`` alone decide on the session's exit status, and say why."""
    yield  # outermost, so that this has the last word, after pytest-webbench
    config = session.config
    least = step_settings(config).min_coverage
    ended_well = session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    if least is None or not ended_well or not _reports_run(config):
        return
    # Loads the statistics.
    from .summary import coverage_verdict, measured_run

    run = measured_run(config)
    if run is None:
        return
    verdict = coverage_verdict(run, least)
    session.exitstatus = pytest.ExitCode.OK if verdict.reached else pytest.ExitCode.TESTS_FAILED
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(verdict.text, red=not verdict.reached)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """The figures of recorded steps, below pytest-webbench's own summary."""
    if not _reports_run(config):
        return
    # Loads the statistics.
    from .summary import measured_run, summary_lines

    run = measured_run(config)
    if run is None:
        return
    for line in summary_lines(config, run):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def m2w_page_pool(
    playwright: Any, browser_type_launch_args: dict[str, Any], request: pytest.FixtureRequest
) -> Iterator[PagePool]:
    """A browser for recorded pages and what guards it; started when the first step needs it."""
    # Loads Playwright.
    from .page_pool import open_page_pool

    browser = invocation_of(request.config).settings.browser
    pool = open_page_pool(playwright, browser_type_launch_args, browser)
    yield pool
    pool.close()


def _reports_run(config: pytest.Config) -> bool:
    """Whether this process reports on a run at its end."""
    invocation = invocation_of(config)
    return not invocation.is_worker and invocation.has_run()
