"""Makes the agent that a name on the command line stands for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..browser.mutant_performer import MutantPerformer
from ..browser.script import StepPerformer
from ..capture.reader import read_values
from ..checks import Value
from ..errors import SettingsError, WebbenchError
from ..judge.episode_mutants import MutantStep
from ..task import Task
from ..task.script import Read
from .asynchronous import harness_side
from .base import Agent
from .baselines import Noop, Random, Scripted
from .config import FROM_FIXTURE, Configuration, agent_label
from .dotted import load_agent, make_dotted
from .loop import PolicyAgent
from .registry import BASELINES

if TYPE_CHECKING:
    from playwright.sync_api import Page


def make_agent(
    spec: str,
    task: Task | None,
    *,
    seed: int,
    configuration: Configuration | None = None,
    files: Path | None = None,
) -> Agent:
    """A fresh agent for one episode or, without ``task``, for recorded steps.

    Only the ``scripted`` baseline sees the task's solution, and may upload from the folder
    ``files``. Without ``configuration``, nothing is configured.
    """
    if spec == "scripted":
        if task is None:
            raise SettingsError(
                "agent 'scripted' plays a task's solution, but there is no task here"
            )
        # The only place where a solution leaves the task.
        return script_agent(task.solution, StepPerformer(files=files))
    if spec == "random":
        return Random(seed)
    if spec == "noop":
        return Noop()
    known = configuration or Configuration(root=Path())
    try:
        return _make_configured(spec, known, seed)
    except WebbenchError:
        raise
    except (Exception, SystemExit) as error:  # the border to code of others
        raise SettingsError(
            f"agent {spec!r} could not be made: {type(error).__name__}: {error}"
        ) from error


def script_agent(
    steps: Sequence[MutantStep], performer: StepPerformer | MutantPerformer
) -> Scripted:
    """The agent that plays ``steps``, and reads from the tab that ``performer`` has in front."""

    def read(page: Page, step: Read) -> Value:
        return read_values(performer.front(page.context), step)

    return Scripted(steps, performer.perform, read)


def _make_configured(spec: str, known: Configuration, seed: int) -> Agent:
    options = known.options(spec)
    if options is None:
        return make_dotted(spec, {})
    build = known.build_context(agent_label(spec), seed=seed)
    return known.agent_type(options.type).make(options, build)


def require_agent(spec: str, configuration: Configuration | None = None) -> None:
    """`SettingsError` if there is no such agent. Nothing is made and no endpoint is asked yet."""
    known = configuration or Configuration(root=Path())
    if known.options(spec) is None and ":" in spec:
        load_agent(spec)


def require_makeable(spec: str, configuration: Configuration) -> None:
    """`SettingsError` if there is no such agent or it cannot be made: one is made, to find out."""
    require_agent(spec, configuration)
    if spec not in (*BASELINES, FROM_FIXTURE):
        harness_side(make_agent(spec, None, seed=0, configuration=configuration), spec)


def decides_single_steps(spec: str, configuration: Configuration) -> bool:
    """Whether the agent can be asked for the next action alone, as recorded steps need it.

    An agent that cannot be made counts as one that can: what is wrong with it is said elsewhere.
    """
    if spec in (*BASELINES, FROM_FIXTURE):
        return False
    try:
        agent = make_agent(spec, None, seed=0, configuration=configuration)
    except WebbenchError:
        return True
    return isinstance(agent, PolicyAgent)


def is_trusted(spec: str, configuration: Configuration) -> bool:
    """Whether the harness believes this agent when it reports trouble with an endpoint.

    True for agents of a trusted `AgentType`, false for a class that is named by its import path.
    """
    options = configuration.options(spec)
    return options is not None and configuration.agent_type(options.type).trusted
