"""What is wrong with a file, by line and field, in words for whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .._suggest import unknown
from .._text import clip
from ..errors import Problem, TaskFileError
from .keys import allowed_keys

LARGEST_FILE: Final = 1_000_000
"""Bytes; a task file is some kilobytes, so more than this is a mistake or an attack."""

_LONGEST_SHOWN: Final = 120

Location = tuple[str | int, ...]
"""Keys and indexes that lead to a value in a file."""
ModelT = TypeVar("ModelT", bound=BaseModel)


def read_text(path: Path, *, largest: int = LARGEST_FILE) -> str:
    """The text of a file, if it is UTF-8 and not too large; `TaskFileError` otherwise."""
    try:
        size = path.stat().st_size
        if size > largest:
            raise file_error(str(path), f"file of {size} bytes, at most {largest} are read")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise file_error(str(path), f"cannot be read: {error}") from error


def file_error(name: str, what: str, *, line: int = 0) -> TaskFileError:
    """The error for a file with one problem, that of the file as a whole or on a line."""
    return TaskFileError(name, [Problem(line=line, field="", what=what)])


def wrong_id(
    field: str, data: dict[str, Any], lines: dict[Location, int], stem: str
) -> list[Problem]:
    """The problem that a file's id is not its name, if that is so."""
    found = data.get(field)
    if not isinstance(found, str) or found == stem:
        return []
    return [
        Problem(
            line=lines[(field,)],
            field=field,
            what="is not the file name",
            found=repr(found),
            allowed=stem,
        )
    ]


def validate(
    model: type[ModelT],
    data: Any,
    lines: dict[Location, int],
    problems: list[Problem],
    origin: Callable[[Location], Location] = lambda path: path,
) -> ModelT | None:
    """``data`` as a model; None, with everything wrong added to ``problems``, if it cannot be one.

    ``origin`` gives the place in the file that a field of ``data`` comes from.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems.extend(_problem(details, data, lines, model, origin) for details in error.errors())
        return None


def _problem(
    details: ErrorDetails,
    data: Any,
    lines: dict[Location, int],
    model: type[BaseModel],
    origin: Callable[[Location], Location],
) -> Problem:
    path, owner = _locate(details["loc"], data)
    place = origin(path)
    line, field = _line_of(place, lines), field_name(place)
    context = details.get("ctx", {})
    found = details["input"]
    allowed = _allowed(context)
    if details["type"] == "missing":
        return Problem(line=line, field=field, what="is missing")
    if details["type"] == "extra_forbidden":
        known = allowed_keys(model, path[:-1], owner)
        what, found, allowed = unknown("key", path[-1], known), None, ", ".join(known)
    elif details["type"] == "union_tag_invalid":
        field = f"{field}.{context['discriminator'].strip(chr(39))}"
        found = context["tag"]
        what = unknown("value", found, _quoted(allowed))
    elif details["type"] == "literal_error":
        what = unknown("value", found, _quoted(allowed))
    else:
        what = details["msg"].removeprefix("Value error, ")
    return Problem(line=line, field=field, what=what, found=_shown(found), allowed=allowed)


def _line_of(place: Location, lines: dict[Location, int]) -> int:
    """The line of a place, or of the nearest that is around it."""
    for size in range(len(place), -1, -1):
        if place[:size] in lines:
            return lines[place[:size]]
    return 0


def _allowed(context: dict[str, Any]) -> str:
    for key in ("allowed", "expected", "expected_tags"):
        if context.get(key):
            return str(context[key])
    return ""


def _quoted(allowed: str) -> list[str]:
    return re.findall(r"'([^']*)'", allowed)


def _shown(found: Any) -> str:
    if found is None or isinstance(found, dict | BaseModel):
        return ""
    return clip(repr(found), _LONGEST_SHOWN)


def _locate(location: Sequence[str | int], data: Any) -> tuple[Location, Any]:
    """``location`` as the data has it, and the object that holds its last part.

    Pydantic adds the tags of unions to a location; they are left out.
    """
    path: list[str | int] = []
    here = data
    for position, part in enumerate(location):
        last = position == len(location) - 1
        if isinstance(here, dict) and (part in here or last):
            owner, here = here, here.get(part)
            path.append(part)
            if last:
                return tuple(path), owner
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
            path.append(part)
    return tuple(path), here


def field_name(path: Location) -> str:
    """``("checks", 2, "metric")`` as ``checks[2].metric``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")
