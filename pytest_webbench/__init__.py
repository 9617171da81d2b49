"""Web-agent benchmarks as pytest tests: real browsers, recorded evidence, reproducible verdicts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .agents import Agent, Budget, GaveUp
    from .report.export import LoadedRun, load_run
    from .task import TaskBrief

__all__ = ["Agent", "Budget", "GaveUp", "LoadedRun", "TaskBrief", "__version__", "load_run"]


_LATE = {
    "Agent": ".agents",
    "Budget": ".agents",
    "GaveUp": ".agents",
    "LoadedRun": ".report.export",
    "TaskBrief": ".task",
    "load_run": ".report.export",
}
"""Modules of public names, which import pydantic: a plugin that is not used must cost nothing."""


def __getattr__(name: str) -> Any:
    """Loads public names on first use."""
    if name in _LATE:
        return getattr(import_module(_LATE[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
