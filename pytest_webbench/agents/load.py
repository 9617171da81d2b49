"""Makes the agent that a name on the command line stands for."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType
from typing import Final

from ..errors import SettingsError
from ..task import Task
from .base import Agent
from .baselines import Noop, Random, Scripted

BUILT_IN: Final = ("noop", "random", "scripted")
FROM_FIXTURE: Final = "fixture"
"""Stands for: whatever the ``webbench_agent`` fixture of the user's conftest gives."""


def agent_label(spec: str) -> str:
    """Short name of an agent, for item names and folders: ``my_pkg.my_mod:MyAgent`` is ``MyAgent``."""
    return spec.rpartition(":")[2].rpartition(".")[2] or spec


def make_agent(spec: str, task: Task, *, seed: int) -> Agent:
    """A fresh agent for one episode. Only built-in baselines ever see the task's solution."""
    if spec == "scripted":
        from ..browser.script import perform

        return Scripted(task.solution, perform)
    if spec == "random":
        return Random(seed)
    if spec == "noop":
        return Noop()
    made = load_agent(spec)()
    if not isinstance(made, Agent):
        raise SettingsError(f"agent {spec!r} has no method run(brief, page, budget)")
    return made


def _module(spec: str, name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise SettingsError(f"agent {spec!r}: {name!r} is no module name; use package.module:Class")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"agent {spec!r}: module {error.name!r} cannot be imported; is its folder on PYTHONPATH "
            "(or in the ini option `pythonpath`)?"
        ) from error
    except Exception as error:
        raise SettingsError(f"agent {spec!r}: importing {name!r} failed: {type(error).__name__}: {error}") from error


def load_agent(spec: str) -> type[Agent]:
    """The class (or factory) at a dotted path ``package.module:Name``; `SettingsError` if there is none."""
    module_name, _, name = spec.partition(":")
    if not name:
        raise SettingsError(f"unknown agent {spec!r}: use {', '.join(BUILT_IN)} or a dotted path package.module:Class")
    factory = getattr(_module(spec, module_name), name, None)
    if factory is None:
        raise SettingsError(f"agent {spec!r}: module {module_name!r} has no {name!r}")
    if not callable(factory):
        raise SettingsError(f"agent {spec!r} is a {type(factory).__name__}, not a class or factory function")
    if inspect.isclass(factory) and not callable(getattr(factory, "run", None)):
        raise SettingsError(f"agent {spec!r} has no method run(brief, page, budget)")
    found: type[Agent] = factory
    return found
