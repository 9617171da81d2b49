"""Agents: whatever acts in a browser to do a task.

What an agent's own code needs can be imported from here.
"""

from .._usage import Usage
from ..task.models import TaskBrief
from .base import (
    Agent,
    AgentContext,
    AgentCrashed,
    Backoff,
    Budget,
    GaveUp,
    Journal,
    NeedsContext,
)
from .options import AgentOptions, ModelOptions, Service
from .registry import AgentType, BuildContext

__all__ = [
    "Agent",
    "AgentContext",
    "AgentCrashed",
    "AgentOptions",
    "AgentType",
    "Backoff",
    "Budget",
    "BuildContext",
    "GaveUp",
    "Journal",
    "ModelOptions",
    "NeedsContext",
    "Service",
    "TaskBrief",
    "Usage",
]
