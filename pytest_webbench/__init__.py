"""Web-agent benchmarks as pytest tests: a real browser, recorded evidence, deterministic verdicts, honest scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agents import Agent, Budget, GaveUp
    from .task import TaskBrief

__all__ = ["Agent", "Budget", "GaveUp", "TaskBrief", "__version__"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Loads public names on first use: importing the plugin must cost nothing where it is not used."""
    if name in ("Agent", "Budget", "GaveUp"):
        from . import agents

        return getattr(agents, name)
    if name == "TaskBrief":
        from .task import TaskBrief

        return TaskBrief
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
