"""Makes the agent that a name on the command line stands for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..task import Task
from .base import Agent
from .baselines import Noop, Random, Scripted
from .config import Configuration, agent_label
from .dotted import load_agent, make_dotted
from .types import load_kind

NOTHING_CONFIGURED: Final = Configuration(root=Path())


def make_agent(spec: str, task: Task, *, seed: int, configuration: Configuration = NOTHING_CONFIGURED) -> Agent:
    """A fresh agent for one episode. Only built-in baselines ever see the task's solution."""
    if spec == "scripted":
        from ..browser.script import perform

        return Scripted(task.solution, perform)
    if spec == "random":
        return Random(seed)
    if spec == "noop":
        return Noop()
    options = configuration.options(spec)
    if options is None:
        return make_dotted(spec, {})
    return load_kind(options.type).make(options, configuration.kit(agent_label(spec), seed=seed))


def require_agent(spec: str, configuration: Configuration = NOTHING_CONFIGURED) -> None:
    """`SettingsError` if there is no such agent. Nothing is made or asked yet."""
    if configuration.options(spec) is None and ":" in spec:
        load_agent(spec)


def is_ours(spec: str, configuration: Configuration = NOTHING_CONFIGURED) -> bool:
    """Whether this agent's code belongs to this package, so that its word on an endpoint's trouble can be trusted."""
    options = configuration.options(spec)
    return options is not None and options.type != "python"
