"""The report as a folder of static files that opens from disk: ``report/index.html`` of a run."""

from .build import write_notes, write_report

__all__ = ["write_notes", "write_report"]
