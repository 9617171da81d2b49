"""What is asked: tasks, suites and the files they come from."""

from .models import Check, Counterexample, Limits, Suite, Task, TaskBrief
from .provenance import Source
from .script import ScriptStep

__all__ = [
    "Check",
    "Counterexample",
    "Limits",
    "ScriptStep",
    "Source",
    "Suite",
    "Task",
    "TaskBrief",
]
