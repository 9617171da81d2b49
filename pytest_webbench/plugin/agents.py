"""The agents of a session: configured, checked beforehand, made, and limited in number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pytest

from ..agents import Agent
from ..agents.config import FROM_FIXTURE, Configuration, agent_label
from ..agents.load import is_trusted, make_agent
from ..agents.preflight import check_agent
from ..browser.choice import secret_names
from ..errors import SettingsError
from ..evidence.redact import Redactor
from ..run.concurrency import ConcurrencyLimit
from ..run.task_job import TaskJob
from ..run.work_item import WorkItem
from .settings import Settings
from .usage_errors import usage_errors

NONE_CHOSEN: Final = (
    "no agent was chosen: give --webbench-agent (a name, see `webbench agents`, or "
    "package.module:Class), set `webbench_agent` in the ini file, or override the fixture "
    "`webbench_agent` in your conftest.py"
)
_WITHOUT_EFFECT: Final = ("parallel",)
"""Options of agents that change no result."""


def read_configuration(root: Path) -> Configuration:
    """``webbench.toml`` in pytest's rootdir; `pytest.UsageError` if it cannot be used."""
    with usage_errors():
        return Configuration.read(root)


def redactor_for(settings: Settings, configuration: Configuration) -> Redactor:
    """Removes the secrets that the user names and all services' keys from everything written.

    `pytest.UsageError` if one of them cannot be removed.
    """
    with usage_errors():
        names = (*settings.secrets, *secret_names(settings.browser))
        values = configuration.secrets(settings.agent, names)
        written = configuration.written_secrets(settings.agent)
        return Redactor.from_environment(values, values).also(written)


class SessionAgents:
    """What this session may run. ``specs`` names agents as the user chose them."""

    def __init__(
        self, settings: Settings, configuration: Configuration, specs: tuple[str, ...]
    ) -> None:
        self._settings, self.configuration, self.specs = settings, configuration, specs

    @cached_property
    def redactor(self) -> Redactor:
        """Removes secrets from everything that is written."""
        return redactor_for(self._settings, self.configuration)

    def make(self, item: WorkItem) -> Agent:
        """A fresh agent; `SettingsError` if none was chosen or it cannot be made."""
        if item.agent == FROM_FIXTURE:
            raise SettingsError(NONE_CHOSEN)
        return make_agent(
            item.agent,
            item.task,
            # Repeats of a random agent must differ, and be the same in the next run.
            seed=self._settings.seed + item.repeat,
            configuration=self.configuration,
            files=item.suite_folder if isinstance(item, TaskJob) else None,
        )

    def is_trusted(self, item: WorkItem) -> bool:
        """Whether the code of this item's agent belongs to this package."""
        return is_trusted(item.agent, self.configuration)

    def slot(self, item: WorkItem, locks: Path) -> AbstractContextManager[None]:
        """A block that as many episodes enter at a time as the agent's endpoint may serve.

        Agents with the same endpoint and model share their slots. ``locks`` is the run's folder for
        files that its processes agree by.
        """
        options = self.configuration.options(item.agent) if item.asks_agent else None
        service = [getattr(options, part, "") for part in ("url", "model")]
        name = " ".join(service).strip() or item.key.agent
        return ConcurrencyLimit(locks).take(name, None if options is None else options.parallel)

    def check(self, specs: Iterable[str]) -> None:
        """Make each agent once and ask its endpoint one tiny question.

        `pytest.UsageError` with all that is wrong, which stops the session before anything is run.
        """
        checked = [check_agent(spec, self.configuration) for spec in specs]
        problems = [one.problem for one in checked if one.problem]
        if problems:
            advice = "nothing was run; try again with: webbench agents --check"
            raise pytest.UsageError(self.redactor.text("\n".join([*problems, advice])))

    def options_for_run_json(self) -> dict[str, Any]:
        """What is set for each agent, by label. Names of variables, no keys."""
        shown = {}
        for spec in self.specs:
            options = self.configuration.options(spec)
            if options is not None:
                text = options.model_dump_json(exclude_unset=True)
                shown[agent_label(spec)] = json.loads(self.redactor.text(text))
        return shown

    def conditions(self) -> dict[str, Any]:
        """What results depend on besides their tasks, by label."""
        options = self.options_for_run_json()
        return {
            agent_label(spec): {
                "agent": self.redactor.text(spec),
                "--webbench-seed": self._settings.seed,
                "--webbench-max-actions": self._settings.max_actions,
                "--webbench-max-seconds": self._settings.max_seconds,
                "options": _with_effect(options.get(agent_label(spec), {})),
            }
            for spec in self.specs
        }


def _with_effect(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in _WITHOUT_EFFECT}
