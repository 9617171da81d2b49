"""Fixtures. To use an agent of your own, override `webbench_agent` in your conftest.py."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..agents import Agent
    from ..browser.archive import ArchivedPages
    from ..task import Task
    from .attempt import Result
    from .collect import Job
    from .recorded.desk import Desk
    from .stage import Stage


@pytest.fixture
def webbench_task(request: pytest.FixtureRequest) -> Task:
    """The task of this item. For agents only what `TaskBrief` holds is meant."""
    from .collect import JOB_KEY

    job: Job = request.node.stash[JOB_KEY]
    return job.task


@pytest.fixture
def webbench_agent(request: pytest.FixtureRequest) -> Agent:
    """A fresh agent for this episode. Override it to plug in your own."""
    from .agents import agent_of
    from .collect import JOB_KEY

    return agent_of(request.node, request.node.stash[JOB_KEY])


@pytest.fixture(scope="session")
def webbench_stage(
    playwright: Any, browser_type_launch_args: dict[str, Any], browser_context_args: dict[str, Any], request: Any
) -> Iterator[Stage]:
    """Worlds and browsers of this worker; started when the first episode needs them."""
    from ..browser.local import browser_provider
    from ..run.sessions import BrowserSessions
    from .agents import configuration
    from .options import run_tag, settings
    from .stage import Stage

    chosen, known = settings(request.config), configuration(request.config)
    notes = BrowserSessions(chosen.runs_dir, run_tag(request.config))
    provide = partial(
        browser_provider, playwright, browser_type_launch_args, chosen.browser, notes=notes, secret=known.secret
    )
    stage = Stage(provide, browser_context_args, chosen.browser)
    yield stage
    stage.close()


@pytest.fixture(scope="session")
def webbench_archive(playwright: Any) -> Iterator[ArchivedPages]:
    """An offline browser for archived pages, with --webbench-rescore; started when the first is opened."""
    from ..browser.archive import ArchivedPages

    pages = ArchivedPages(playwright)
    yield pages
    pages.close()


@pytest.fixture
def webbench_result(request: pytest.FixtureRequest) -> Result:
    """Runs the episode and judges it, or takes what an earlier session of this run has found.

    Infrastructure trouble is raised from here, so pytest shows it as ERROR and never as FAILED.
    """
    from .attempt import obtain_result

    return obtain_result(request)


@pytest.fixture(scope="session")
def m2w_desk(playwright: Any, browser_type_launch_args: dict[str, Any], request: Any) -> Iterator[Desk]:
    """A browser for recorded pages, and what guards it; started when the first step needs it."""
    from ..browser.find import parse_choice
    from ..browser.local import LocalBrowser
    from .options import settings
    from .recorded.desk import Desk

    _kind, rest = parse_choice(settings(request.config).browser)
    desk = Desk(LocalBrowser(playwright, browser_type_launch_args, executable=rest or None))
    yield desk
    desk.close()


@pytest.fixture
def m2w_result(request: pytest.FixtureRequest) -> Result:
    """Measures a recorded step, or takes what an earlier session of this run has found."""
    from .recorded.attempt import obtain_step_result

    return obtain_step_result(request)
