"""The pytest plugin: what every session of pytest needs.

The rest is a `session.BenchmarkSession`, which is loaded and registered when the first benchmark
file is met, so that a plugin that is installed and not used costs next to nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from .._installed_suites import located
from .._proxies import proxies, spare_loopback
from .._suite_files import misplaced
from ..errors import SettingsError
from .formats import UnusableFile
from .invocation import Invocation, invocation_of, refusal_of
from .options import OPTIONS

if TYPE_CHECKING:
    from .session import BenchmarkSession

_HARMLESS_WARNING: Final = "ignore:Session-scoped fixtures defined as instance:DeprecationWarning"
pytest_plugins = ("pytest_webbench.plugin.fixtures",)


def pytest_addoption(parser: pytest.Parser) -> None:
    OPTIONS.register(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """``pytest suite://suite_c`` runs a suite that came with this package, where it lies."""
    try:
        args[:] = map(located, args)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "webbench: a web-agent benchmark task (added by pytest-webbench)"
    )
    # pytest-playwright 0.10 defines its base_url fixture on an instance, of which pytest 9 warns in
    # every session.
    config.addinivalue_line("filterwarnings", _HARMLESS_WARNING)
    given = config.known_args_namespace.pythonwarnings
    if given:  # -W, which would overrule the line above
        given.append(_HARMLESS_WARNING)


def pytest_sessionstart(session: pytest.Session) -> None:
    invocation = invocation_of(session.config)
    if _chose_something(invocation):
        # Knows what there is to choose from, which means loading most of the package.
        from .usage import refuse_wrong_usage

        refuse_wrong_usage(invocation)
    # xdist's controller collects nothing, so without this only its workers would notice.
    if invocation.is_controller and _means_benchmarks(invocation):
        _begin_session(session.config).check_before_workers()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    invocation = invocation_of(parent.config)
    try:
        recognised = invocation.format_of(file_path)
    except SettingsError as error:
        # Raised here, pytest would show a traceback and give up the tests in the same folder.
        return UnusableFile.of(file_path, parent, invocation.formats, str(error))
    if recognised is None:
        problem = misplaced(file_path, named=invocation.names(file_path))
        return UnusableFile.of(file_path, parent, invocation.formats, problem) if problem else None
    return _begin_session(parent.config).collector_of(file_path, parent, recognised)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist, in the controller: every worker writes to the same run."""
    invocation_of(node.config).hand_to_worker(node.workerinput)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: Any) -> None:
    """xdist, in the controller: a worker has written the plan, if it found any benchmarks."""
    del ids
    if invocation_of(node.config).has_run():
        _begin_session(node.config).join_run(node.gateway.id)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """xdist, in the controller: what one worker refuses to run ends the session."""
    refusal = refusal_of(node)
    if refusal:
        raise pytest.UsageError(refusal)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Which agents are run, where that was chosen, and what has no effect on them."""
    invocation = invocation_of(config)
    if not invocation.settings.agent or not _means_benchmarks(invocation):
        return []
    # Knows what is configured where, which means loading most of the package.
    from .usage import chosen_agents

    lines = [chosen_agents(invocation)]
    if found := proxies():
        named = ", ".join(f"{name} {value}" for name, value in found.items())
        lines.append(f"webbench proxy: {named}; for the live world only")
    if config.pluginmanager.hasplugin("timeout"):
        lines.append("webbench: pytest-timeout is off for tasks: see --webbench-max-seconds")
    return lines


def _begin_session(config: pytest.Config) -> BenchmarkSession:
    # Loads agents, models of tasks and Playwright: only where there is a benchmark.
    from .session import begin_session

    spare_loopback()
    return begin_session(config)


def _chose_something(invocation: Invocation) -> bool:
    """Whether an option was given that can be wrong in more ways than its own form shows."""
    chosen = invocation.settings
    if (
        _means_benchmarks(invocation)
        or chosen.world
        or chosen.run
        or chosen.rescore
        or chosen.secrets
    ):
        return True
    return bool(chosen.browser != OPTIONS.default("browser"))


def _means_benchmarks(invocation: Invocation) -> bool:
    """Whether agents are going to be run, as far as it can be told before workers collect.

    An agent on the command line is meant to be run; one in the ini file may be for other tests.
    """
    if invocation.agent_on_command_line():
        return True
    return bool(invocation.settings.agent) and invocation.uses_suites()
