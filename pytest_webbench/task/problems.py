"""What is wrong with a file, by line and field: from pydantic's words to ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..checks.naming import unknown
from ..errors import Problem, TaskFileError

LARGEST_FILE = 1_000_000
"""Bytes; a task file is some kilobytes, so more than this is a mistake or an attack."""

Path_ = tuple[str | int, ...]
ModelT = TypeVar("ModelT", bound=BaseModel)


def read_text(path: Path, *, largest: int = LARGEST_FILE) -> str:
    """The text of a file, if it is UTF-8 and not too large; `TaskFileError` otherwise."""
    try:
        if path.stat().st_size > largest:
            what = f"file of {path.stat().st_size} bytes, at most {largest} are read"
            raise TaskFileError(str(path), [Problem(line=0, field="", what=what)])
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskFileError(str(path), [Problem(line=0, field="", what=f"cannot be read: {error}")]) from error


def validate(
    model: type[ModelT],
    data: Any,
    lines: dict[Path_, int],
    problems: list[Problem],
    origin: Callable[[Path_], Path_] = lambda path: path,
) -> ModelT | None:
    """``data`` as a model; None, and all that is wrong added to ``problems``, if it is none.

    ``origin`` tells where in the file a field of ``data`` comes from.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems.extend(_problem(details, data, lines, model, origin) for details in error.errors())
        return None


def _problem(
    details: ErrorDetails,
    data: Any,
    lines: dict[Path_, int],
    model: type[BaseModel],
    origin: Callable[[Path_], Path_],
) -> Problem:
    path, owner = _locate(details["loc"], data)
    place = origin(path)
    line = next((lines[place[:size]] for size in range(len(place), -1, -1) if place[:size] in lines), 0)
    field = field_name(place)
    if details["type"] == "extra_forbidden":
        known = _fields_at(model, path[:-1], owner)
        return Problem(line=line, field=field, what=unknown("key", path[-1], known), allowed=", ".join(known))
    context = details.get("ctx", {})
    if details["type"] == "union_tag_invalid":
        field, details["input"] = f"{field}.{context['discriminator'].strip(chr(39))}", context["tag"]
    allowed = str(context.get("allowed") or context.get("expected") or context.get("expected_tags") or "")
    if details["type"] == "missing":
        return Problem(line=line, field=field, what="is missing")
    shown = details["input"] is not None and not isinstance(details["input"], dict | BaseModel)
    what = details["msg"].removeprefix("Value error, ")
    if details["type"] in ("literal_error", "union_tag_invalid"):
        what = unknown("value", details["input"], re.findall(r"'([^']*)'", allowed))
    return Problem(
        line=line, field=field, what=what, found=_shorten(details["input"]) if shown else "", allowed=allowed
    )


def _locate(location: Sequence[str | int], data: Any) -> tuple[Path_, Any]:
    """``location`` without the union tags that pydantic puts into it, and the object that holds its last part."""
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


def _fields_at(model: type[BaseModel], path: Path_, owner: Any) -> list[str]:
    """Names allowed in the object at ``path``."""
    from .schema import allowed_keys

    return allowed_keys(model, path, owner)


def _shorten(value: Any, limit: int = 120) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def field_name(path: Path_) -> str:
    """``("checks", 2, "metric")`` as ``checks[2].metric``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
