"""Doors for other distributions: what they add comes in by entry points.

A group is read once a suite is collected or a command needs it, never at start-up. What an entry
point names is imported when it is asked for, so an agent nobody chose costs nothing.
"""

from __future__ import annotations

import ast
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

from ._suggest import unknown
from ._text import first_line
from .errors import SettingsError

CHECKS: Final = "pytest_webbench.checks"
"""Getter and metric classes, by the name that task files use."""
AGENTS: Final = "pytest_webbench.agents"
"""Agent types, by the name before the colon in ``--webbench-agent`` and in ``webbench.toml``."""
FORMATS: Final = "pytest_webbench.formats"
"""File formats whose contents are collected as items."""
BROWSERS: Final = "pytest_webbench.browsers"
"""Browser services, by the value of ``--webbench-browser``."""
WORLDS: Final = "pytest_webbench.worlds"
"""Worlds, by the value of ``--webbench-world`` and in ``worlds`` of ``suite.toml``."""
COMMANDS: Final = "pytest_webbench.commands"
"""Typer applications, by the command's name after ``webbench``."""


def names(group: str) -> list[str]:
    """Names that some installed distribution offers in ``group``, in order."""
    return sorted(entry_points(group=group).names)


def owners(group: str, name: str) -> list[str]:
    """The distributions that offer ``name`` in ``group``, in order; nothing is imported."""
    return sorted(_owner(point) for point in entry_points(group=group, name=name))


def load(group: str, name: str) -> Any:
    """What the entry point ``name`` of ``group`` names.

    `SettingsError` if there is none, if two distributions offer it, or if it cannot be imported.
    """
    found = list(entry_points(group=group, name=name))
    if not found:
        raise SettingsError(f"{unknown(group.rpartition('.')[2].rstrip('s'), name, names(group))}")
    if len(found) > 1:
        rivals = " and ".join(owners(group, name))
        raise SettingsError(f"{group}: {name!r} is offered by {rivals}; uninstall one of them")
    return _import(found[0])


def load_all(group: str) -> dict[str, Any]:
    """Everything that is offered in ``group``, by name; errors as in `load`."""
    return {name: load(group, name) for name in names(group)}


def summaries(group: str) -> dict[str, str]:
    """By name, the first line of the docstring of the module behind each entry point of ``group``.

    Modules are read and not imported, so that a list of them stays cheap; "" where there is no
    source.
    """
    return {point.name: _summary(point.module) for point in sorted(entry_points(group=group))}


def _summary(module: str) -> str:
    try:
        source = _source(module)
        tree = ast.parse(source.read_bytes()) if source else None
    except (OSError, SyntaxError, ValueError):
        return ""
    docstring = ast.get_docstring(tree) if tree else None
    return first_line(docstring or "")


def _source(module: str) -> Path | None:
    """The file of a module; unlike `importlib.util.find_spec` this imports no parent package."""
    parts = module.split(".")
    folders = None
    origin = None
    for depth in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:depth]), folders)
        if spec is None:
            return None
        folders, origin = spec.submodule_search_locations, spec.origin
    return Path(origin) if origin and origin.endswith(".py") else None


def _import(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:  # the border to another distribution's code
        raise SettingsError(
            f"{_owner(point)} offers {point.name!r} in {point.group}, but {point.value} cannot be "
            f"imported: {type(error).__name__}: {error}; fix or uninstall {_owner(point)}"
        ) from error


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unknown distribution"
