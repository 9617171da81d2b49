"""What is asked: tasks, suites and the files they come from."""

from .models import Check, Counterexample, Limits, Source, Step, Suite, Task, TaskBrief

__all__ = ["Check", "Counterexample", "Limits", "Source", "Step", "Suite", "Task", "TaskBrief"]
