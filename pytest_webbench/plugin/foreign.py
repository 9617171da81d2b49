"""Task files of other benchmarks as collectors."""

from __future__ import annotations

from ..foreign import format_of
from ..task.adapters import read_foreign
from .collect import Contents, TaskFile


class ForeignFile(TaskFile):
    """A task file in another benchmark's format; its suite is made up from where it lies."""

    def contents(self) -> Contents:
        kind = format_of(self.path)
        assert kind is not None, "only recognised files are collected"
        reading = read_foreign(self.path, kind)
        return Contents(reading.suite, self.path.parent, reading.tasks)
