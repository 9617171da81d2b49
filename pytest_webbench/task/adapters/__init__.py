"""Tasks of other benchmarks, read where they lie into the same `Task` and `Suite`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..._suite_files import Format
from ...errors import TaskFileError
from ..problems import read_text
from . import liveweb, suite_c, webvoyager
from .convert import Reading

LARGEST_FILE: Final = 20_000_000
_READERS: Final = {
    Format.LIVEWEB: liveweb.read,
    Format.SUITE_C: suite_c.read,
    Format.WEBVOYAGER: webvoyager.read,
}

__all__ = ["Reading", "read_foreign", "read_partly"]


def read_partly(path: Path, kind: Format) -> Reading:
    """The tasks that a foreign file holds, and everything that is wrong with the rest of it."""
    return _READERS[kind](path, read_text(path, largest=LARGEST_FILE))


def read_foreign(path: Path, kind: Format) -> Reading:
    """The tasks of a foreign file; `TaskFileError` with all its problems if there are any."""
    reading = read_partly(path, kind)
    if reading.problems:
        raise TaskFileError(str(path), list(reading.problems))
    return reading
