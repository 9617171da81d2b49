"""Agents of the user's own: a class or function at a dotted path."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType
from typing import Any, Literal

from pydantic import Field

from ..errors import SettingsError
from .base import Agent
from .types import AgentOptions, Kit


class Options(AgentOptions):
    """``type = "python"``."""

    type: Literal["python"] = "python"
    path: str = Field(description="package.module:Class, or a function that makes an agent")
    arguments: dict[str, Any] = Field(default_factory=dict, description="keyword arguments that it is called with")

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``python:package.module:Class``."""
        return {"path": rest}


def make(options: Options, kit: Kit) -> Agent:
    """A fresh agent for one episode."""
    del kit
    return make_dotted(options.path, options.arguments)


def check(options: Options, kit: Kit) -> str:
    """Whether there is such a class; nothing is asked."""
    del kit
    load_agent(options.path)
    return options.path


def make_dotted(spec: str, arguments: dict[str, Any]) -> Agent:
    """Calls what is at a dotted path."""
    made = load_agent(spec)(**arguments)
    if not isinstance(made, Agent):
        raise SettingsError(f"agent {spec!r} has no method run(brief, page, budget)")
    return made


def load_agent(spec: str) -> type[Agent]:
    """The class (or factory) at a dotted path ``package.module:Name``; `SettingsError` if there is none."""
    module_name, _, name = spec.partition(":")
    if not name:
        raise SettingsError(f"agent {spec!r} is no dotted path: write package.module:Class")
    factory = getattr(_module(spec, module_name), name, None)
    if factory is None:
        raise SettingsError(f"agent {spec!r}: module {module_name!r} has no {name!r}")
    if not callable(factory):
        raise SettingsError(f"agent {spec!r} is a {type(factory).__name__}, not a class or factory function")
    if inspect.isclass(factory) and not callable(getattr(factory, "run", None)):
        raise SettingsError(f"agent {spec!r} has no method run(brief, page, budget)")
    found: type[Agent] = factory
    return found


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
