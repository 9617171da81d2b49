"""Writes the quarantine of a suite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .._files import storing, write_atomically
from ..task.quarantine import FILE, Quarantined, quarantine_text


def write_quarantine(suite: Path, entries: Mapping[str, Quarantined]) -> None:
    """Replace the quarantine in a suite's folder; without entries its file goes."""
    file = suite / FILE
    if entries:
        write_atomically(file, quarantine_text(entries))
        return
    with storing(file):
        file.unlink(missing_ok=True)
