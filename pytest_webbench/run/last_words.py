"""Stores an attempt in the name of a process that had to be ended while the agent acted.

    python -m pytest_webbench.run.last_words

reads it from standard input, see `AttemptRecorder.will`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pydantic import BaseModel

from .._files import storing
from .directory import RunDir
from .ledger import LedgerEntry


class LastWords(BaseModel):
    """An attempt that nobody is left to store."""

    run: Path
    worker: str
    entry: LedgerEntry
    partial: Path
    """Its folder as long as it is written."""
    task_json: str


def store(words: LastWords) -> None:
    """Give the attempt's folder its final name, and add its line to the ledger."""
    run = RunDir(words.run)
    final = run.folder_of(words.entry)
    with storing(final):
        (words.partial / "task.json").write_text(words.task_json, encoding="utf-8")
        os.replace(words.partial, final)
    run.record(words.entry, words.worker)


if __name__ == "__main__":
    store(LastWords.model_validate_json(sys.stdin.read()))
