"""Fixtures. To use your own agent, override `webbench_agent` in your conftest.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..agents import Agent
    from ..capture.archive import ArchivedPages
    from ..episode.environments import EnvironmentPool
    from ..judge.explanation import Finding
    from ..task import Task
    from .session import BenchmarkSession


def _session(request: pytest.FixtureRequest) -> BenchmarkSession:
    # Fixtures are registered in every session of pytest, long before a benchmark is met.
    from .session import begin_session

    return begin_session(request.config)


@pytest.fixture
def webbench_task(request: pytest.FixtureRequest) -> Task | None:
    """The task of this item. Agents are meant to know no more of it than `TaskBrief` holds."""
    return _session(request).results.services(request).item.work.task


@pytest.fixture
def webbench_agent(request: pytest.FixtureRequest) -> Agent:
    """A fresh agent for this episode. Override it to plug in your own."""
    return _session(request).results.services(request).make_agent()


@pytest.fixture(scope="session")
def webbench_environments(
    playwright: Any,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
    request: pytest.FixtureRequest,
) -> Iterator[EnvironmentPool]:
    """Worlds and browsers of this worker; started when the first episode needs them."""
    # pytest-playwright's fixtures, so that what a conftest overrides there applies here, too.
    pool = _session(request).environments(
        playwright, browser_type_launch_args, browser_context_args
    )
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def webbench_archive(playwright: Any, request: pytest.FixtureRequest) -> Iterator[ArchivedPages]:
    """An offline browser for archived pages, with --webbench-rescore; started at the first page."""
    pages = _session(request).archived_pages(playwright)
    yield pages
    pages.close()


@pytest.fixture
def webbench_result(request: pytest.FixtureRequest) -> Finding:
    """Runs this item and judges it, or takes what an earlier session of the run has found.

    Infrastructure trouble is raised here, so that pytest shows it as ERROR and never as FAILED.
    """
    return _session(request).results.obtain(request)
