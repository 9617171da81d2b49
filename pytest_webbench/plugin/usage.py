"""Mistakes in what the user chose that should stop a session before it starts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .._worlds import require_world
from ..agents.config import CONFIG_FILE, Configuration, agent_label
from ..agents.load import require_agent
from ..browser.choice import parse_choice
from ..errors import SettingsError
from ..run import RunDir
from .agents import read_configuration, redactor_for
from .invocation import Invocation
from .jobs import StoredPlan


def refuse_wrong_usage(invocation: Invocation) -> None:
    """`pytest.UsageError` with the first thing that is wrong."""
    settings = invocation.settings
    if settings.secrets:
        # For its errors alone: a secret that cannot be removed stops the session here.
        redactor_for(settings, read_configuration(invocation.config.rootpath))
    for problem in _problems(invocation):
        raise pytest.UsageError(problem)


def chosen_agents(invocation: Invocation) -> str:
    """The agents of the session for pytest's header, and where each of them comes from."""
    configuration = read_configuration(invocation.config.rootpath)
    shown = []
    for spec in invocation.settings.agent:
        described = spec in configuration.agents
        shown.append(f"{spec} (described in {CONFIG_FILE})" if described else spec)
    where = "--webbench-agent"
    if not invocation.agent_on_command_line():
        file = invocation.config.inipath
        where = f"webbench_agent in {file.name if file else 'the ini file'}"
    return f"webbench: agent {', '.join(shown)}, chosen by {where}"


def _problems(invocation: Invocation) -> Iterator[str]:
    settings = invocation.settings
    yield from _wrong_run(invocation)
    try:
        parse_choice(settings.browser)
    except SettingsError as error:
        yield str(error)
    if settings.world:
        yield from _wrong_world(invocation, settings.world)
    if settings.agent:
        configuration = read_configuration(invocation.config.rootpath)
        yield from _wrong_agents(settings.agent, configuration)


def _wrong_run(invocation: Invocation) -> Iterator[str]:
    settings = invocation.settings
    if settings.rescore and settings.run:
        yield "--webbench-rescore names the run itself: leave out --webbench-run"
    try:
        run = RunDir.for_tag(invocation.runs_folder, invocation.tag)
        if settings.rescore:
            StoredPlan.read(run)
    except SettingsError as error:
        yield str(error)


def _wrong_world(invocation: Invocation, world: str) -> Iterator[str]:
    try:
        require_world(world)
    except SettingsError as error:
        yield f"--webbench-world: {error}"
        return
    for file in invocation.suites_near():
        worlds = _worlds_of(file)
        if isinstance(worlds, list) and world not in worlds:
            allowed = ", ".join(map(str, worlds))
            yield f"suite {file.parent.name} has no {world} world; it runs in: {allowed}"


def _worlds_of(suite_file: Path) -> Any:
    """``worlds`` of a suite; None if it cannot be read, which collecting its tasks will report."""
    try:
        return tomllib.loads(suite_file.read_text(encoding="utf-8")).get("worlds", ["live"])
    except (OSError, ValueError, RecursionError):
        return None


def _wrong_agents(specs: tuple[str, ...], configuration: Configuration) -> Iterator[str]:
    labels: dict[str, str] = {}
    for spec in specs:
        label = agent_label(spec)
        if label in labels:
            yield (
                f"agents {labels[label]!r} and {spec!r} would both be called {label!r}; "
                "rename one of them"
            )
        labels[label] = spec
        try:
            require_agent(spec, configuration)
        except SettingsError as error:
            yield str(error)
