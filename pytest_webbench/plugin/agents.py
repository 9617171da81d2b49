"""Agents as a session needs them: configured, asked beforehand, made, equipped, and not too many at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

import pytest

from ..agents import Agent
from ..agents.config import FROM_FIXTURE, Configuration, agent_label
from ..agents.load import is_ours, make_agent
from ..errors import SettingsError, UsageError
from .options import redactor, settings

if TYPE_CHECKING:
    from ..episode.outfit import Outfit
    from ..run import RunDir
    from ..run.journal import EpisodeJournal
    from .collect import Job

CONFIGURATION_KEY: Final = pytest.StashKey[Configuration]()
OURS_KEY: Final = pytest.StashKey[Agent]()
"""On an item: the agent that was made for it, if its code is ours. A user's fixture can hand on this very object or
another one, but cannot make another one pass for it."""
_LOCKS: Final = "locks"


def configuration(config: pytest.Config) -> Configuration:
    """``webbench.toml`` in pytest's rootdir; a usage error if it cannot be read."""
    if CONFIGURATION_KEY not in config.stash:
        try:
            config.stash[CONFIGURATION_KEY] = Configuration.read(config.rootpath)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from error
    return config.stash[CONFIGURATION_KEY]


def agent_of(item: pytest.Item, job: Job) -> Agent:
    """A fresh agent for this item."""
    if job.agent == FROM_FIXTURE:
        raise SettingsError(
            "no agent was chosen: give --webbench-agent (a name, see `webbench agents`, or package.module:Class), "
            "or override the fixture `webbench_agent` in your conftest.py"
        )
    known = configuration(item.config)
    agent = make_agent(job.agent, job.task, seed=settings(item.config).seed + job.repeat, configuration=known)
    if is_ours(job.agent, known):
        item.stash[OURS_KEY] = agent
    return agent


def outfit(item: pytest.Item, agent: Agent, journal: EpisodeJournal, run: RunDir) -> Outfit:
    """What ``agent`` may ask for in this item's episode."""
    from ..episode.outfit import Outfit
    from ..run.gate import RunGate

    return Outfit(journal, RunGate(run.path / _LOCKS), ours=item.stash.get(OURS_KEY, None) is agent)


def slot(item: pytest.Item, job: Job, run: RunDir) -> AbstractContextManager[None]:
    """A block that is entered by as many episodes at a time as the agent's endpoint may serve."""
    from ..run.slots import Slots

    chosen = None if job.proof is not None else configuration(item.config).options(job.agent)
    count = chosen.parallel if chosen is not None else None
    place = [getattr(chosen, part, "") for part in ("url", "model")]  # agents with the same ones share their slots
    name = " ".join(place).strip() or job.key.agent
    return Slots(run.path / _LOCKS).take(name, count)


def chosen_options(config: pytest.Config) -> dict[str, Any]:
    """What was set of each chosen agent, for ``run.json``; names of variables, no keys."""
    known = configuration(config)
    found = {agent_label(spec): known.options(spec) for spec in settings(config).agents}
    shown = {name: options.model_dump_json(exclude_unset=True) for name, options in found.items() if options}
    return {name: json.loads(redactor(config).text(text)) for name, text in shown.items()}


def check_endpoints(config: pytest.Config, specs: Iterable[str]) -> None:
    """Ask each agent's endpoint one tiny question; a usage error with all that is wrong stops the session."""
    chosen = settings(config)
    if config.option.collectonly or chosen.rescore or chosen.validate:
        return
    from ..agents.preflight import check_agent

    known = configuration(config)
    asked = [check_agent(spec, known) for spec in specs if spec != FROM_FIXTURE and known.options(spec) is not None]
    problems = [checked.problem for checked in asked if checked.problem]
    if problems:
        advice = "nothing was run; try again with: webbench agents --check"
        raise pytest.UsageError(redactor(config).text("\n".join([*problems, advice])))
