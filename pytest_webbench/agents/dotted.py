"""The type ``python``: an agent of the user's own, named by its import path."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType
from typing import Any, Final, Literal

from pydantic import Field

from ..errors import SettingsError
from .base import Agent
from .options import AgentOptions
from .registry import AgentType, BuildContext


class PythonOptions(AgentOptions):
    """``[agents.<name>]`` with ``type = "python"``."""

    type: Literal["python"] = "python"
    path: str = Field(description="package.module:Class, or a function that makes an agent")
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="keyword arguments that it is called with"
    )

    @classmethod
    def inline(cls, rest: str) -> dict[str, Any]:
        """``python:package.module:Class``."""
        return {"path": rest}


def make(options: PythonOptions, build: BuildContext) -> Agent:
    """A fresh agent for one episode."""
    del build
    return make_dotted(options.path, options.arguments)


def check(options: PythonOptions, build: BuildContext) -> str:
    """Import the class or function; there is no endpoint to ask."""
    del build
    load_agent(options.path)
    return options.path


AGENT_TYPE: Final = AgentType(
    summary="a class or function of yours, package.module:Name",
    options=PythonOptions,
    make=make,
    check=check,
    trusted=False,
)


def make_dotted(spec: str, arguments: dict[str, Any]) -> Agent:
    """Call the class or function at the import path ``spec``; `SettingsError` if it is no agent."""
    made: Any = load_agent(spec)(**arguments)
    if inspect.iscoroutine(made):
        made.close()  # or Python warns that it was never awaited
        raise SettingsError(f"agent {spec!r} is an async function: make the agent in a plain one")
    if not isinstance(made, Agent):
        raise SettingsError(f"agent {spec!r} has no method run(brief, page, budget)")
    agent: Agent = made
    return agent


def load_agent(spec: str) -> type[Agent]:
    """The class (or factory) at the import path ``package.module:Name``.

    `SettingsError` if it cannot be imported or cannot make agents.
    """
    module_name, _, name = spec.partition(":")
    if not name:
        raise SettingsError(f"agent {spec!r} is not an import path: write package.module:Class")
    factory = getattr(_module(spec, module_name), name, None)
    if factory is None:
        raise SettingsError(f"agent {spec!r}: module {module_name!r} has no {name!r}")
    if not callable(factory):
        raise SettingsError(
            f"agent {spec!r} is a {type(factory).__name__}, not a class or factory function"
        )
    # Of a factory function, only what it returns can be checked; see `make_dotted`.
    if inspect.isclass(factory) and not callable(getattr(factory, "run", None)):
        raise SettingsError(f"agent {spec!r} has no method run(brief, page, budget)")
    found: type[Agent] = factory
    return found


def _module(spec: str, name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise SettingsError(
            f"agent {spec!r}: {name!r} is not a module name; write package.module:Class"
        )
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # error.name may be another module, which the user's own imports.
        raise SettingsError(
            f"agent {spec!r}: module {error.name!r} cannot be imported; is its folder on "
            "PYTHONPATH (or in the ini option `pythonpath`)?"
        ) from error
    except Exception as error:  # the border to the user's code, which may raise anything
        raise SettingsError(
            f"agent {spec!r}: importing {name!r} failed: {type(error).__name__}: {error}"
        ) from error
