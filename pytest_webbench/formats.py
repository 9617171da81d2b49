"""What a file format of your own is made of; see ``docs/plugins.md``.

Whether a file is recognised is asked of many files that are no benchmarks, so importing this module
costs little: the models of suites and tasks are loaded when `FileContents` is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .plugin.formats import ItemFormat, TaskFormat

if TYPE_CHECKING:
    from .plugin.jobs import Collection
    from .plugin.reading import FileContents
    from .run.work_item import WorkItem
    from .task import Suite, Task

__all__ = ["Collection", "FileContents", "ItemFormat", "Suite", "Task", "TaskFormat", "WorkItem"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # These load the models of tasks, which a format needs only once it reads a file.
    from . import task
    from .plugin import jobs, reading
    from .run import work_item

    for module in (jobs, reading, task, work_item):
        if hasattr(module, name):
            return getattr(module, name)
    raise AssertionError(f"{name} is in none of the modules that define public names")
