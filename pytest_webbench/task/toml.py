"""Reads TOML files, and knows on which line each key stands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..errors import Problem, TaskFileError
from .problems import Path_, read_text

_PART: Final = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_NAME: Final = rf"{_PART}(?:\s*\.\s*{_PART})*"


class Toml(NamedTuple):
    """What a file holds, and where."""

    data: dict[str, Any]
    lines: dict[Path_, int]


def read_toml(path: Path) -> Toml:
    """A TOML file; `TaskFileError` if it cannot be read."""
    text = read_text(path)
    try:
        return Toml(tomllib.loads(text), _lines(text))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        what = f"broken TOML: {str(error)[: place.start() if place else None]}"
        raise TaskFileError(str(path), [Problem(line=int(place[1]) if place else 0, field="", what=what)]) from error


def _lines(text: str) -> dict[Path_, int]:
    """Where the keys and tables of a simple TOML file stand."""
    lines: dict[Path_, int] = {}
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(rf"\s*\[\s*({_NAME})\s*\]", line):
            table = _parts(header[1])
            for size in range(1, len(table) + 1):
                lines.setdefault(table[:size], number)
        elif entry := re.match(rf"\s*({_NAME})\s*=", line):
            lines.setdefault((*table, *_parts(entry[1])), number)
    return lines


def _parts(name: str) -> Path_:
    return tuple(part.strip("\"'") for part in re.findall(_PART, name))
