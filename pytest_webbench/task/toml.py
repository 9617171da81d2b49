"""Reads TOML files, with the line of each key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

from .problems import Location, file_error, read_text

_PART: Final = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_NAME: Final = rf"{_PART}(?:\s*\.\s*{_PART})*"


class Toml(NamedTuple):
    """What a file holds, and the line of each key and table."""

    data: dict[str, Any]
    lines: dict[Location, int]


def read_toml(path: Path) -> Toml:
    """A TOML file; `TaskFileError` if it cannot be read."""
    text = read_text(path)
    try:
        return Toml(tomllib.loads(text), _lines(text))
    except tomllib.TOMLDecodeError as error:
        what, line = str(error), 0
        if place := re.search(r" \(at line (\d+), column \d+\)$", what):
            what, line = what[: place.start()], int(place[1])
        raise file_error(str(path), f"broken TOML: {what}", line=line) from error
    except RecursionError as error:
        raise file_error(str(path), "broken TOML: nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise file_error(str(path), f"broken TOML: {error}") from error


def _lines(text: str) -> dict[Location, int]:
    """The lines of keys and tables, for files as people write them by hand."""
    lines: dict[Location, int] = {}
    table: Location = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(rf"\s*\[\s*({_NAME})\s*\]", line):
            table = _parts(header[1])
            for size in range(1, len(table) + 1):
                lines.setdefault(table[:size], number)
        elif entry := re.match(rf"\s*({_NAME})\s*=", line):
            lines.setdefault((*table, *_parts(entry[1])), number)
    return lines


def _parts(name: str) -> Location:
    return tuple(part.strip("\"'") for part in re.findall(_PART, name))
