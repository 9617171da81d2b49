"""Foreign formats, told apart by a file's first bytes. Imports nothing of ours, so that looking costs nothing."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Final

PEEKED: Final = 16_384
"""Bytes of a file that are looked at."""


class Format(StrEnum):
    """Formats of other benchmarks that are read where they lie."""

    LIVEWEB = "liveweb"
    SUITE_C = "suite_c"
    WEBVOYAGER = "webvoyager"


# The file's suffix, and the keys of which at least so many stand near its beginning: so a file with a broken or missing
# field is still recognised and can be complained about.
_MARKS: Final = {
    Format.LIVEWEB: (".json", ("task_id", "task_name", "website", "evaluator"), 3),
    Format.SUITE_C: (".jsonl", ("start_url", "check_python", "check_description", "scripted_steps"), 2),
    Format.WEBVOYAGER: (".jsonl", ("web_name", "ques", "web"), 2),
}
SUFFIXES: Final = frozenset(suffix for suffix, _, _ in _MARKS.values())


def format_of(path: Path) -> Format | None:
    """The foreign format that ``path`` is written in; None if it is none that we know, or cannot be read."""
    if path.suffix not in SUFFIXES:
        return None
    try:
        with path.open("rb") as file:
            head = file.read(PEEKED)
    except OSError:
        return None
    keys = set(re.findall(rb'"(\w+)"\s*:', head))
    for kind, (suffix, marks, least) in _MARKS.items():
        if path.suffix == suffix and sum(mark.encode() in keys for mark in marks) >= least:
            return kind
    return None
