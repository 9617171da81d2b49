"""What all adapters share: checking a foreign object's shape, and reading it as a native task."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import Problem
from ..fields import Model
from ..models import Suite, Task
from ..problems import Location, validate
from .text import Document


class Draft(NamedTuple):
    """A task in native terms, not yet checked."""

    data: dict[str, Any]
    origins: Mapping[Location, Location]
    """The foreign field that a native one comes from; the longest prefix listed here counts."""

    def origin(self, path: Location) -> Location:
        """The foreign field that ``path`` comes from."""
        for size in range(len(path), 0, -1):
            if path[:size] in self.origins:
                return (*self.origins[path[:size]], *path[size:])
        return path


class Reading(NamedTuple):
    """What a foreign file holds: its tasks, and all that is wrong with the rest."""

    suite: Suite
    tasks: tuple[Task, ...]
    problems: tuple[Problem, ...]


def convert(
    document: Document,
    shape: type[Model],
    draft: Callable[[dict[str, Any]], Draft],
    problems: list[Problem],
) -> Task | None:
    """The task in ``document``; None, with the reasons added to ``problems``, if it has none."""
    found = list(document.problems)
    if isinstance(document.data, dict):
        validate(shape, document.data, document.lines, found)
        native = draft(document.data)
        of_task: list[Problem] = []
        task = validate(Task, native.data, document.lines, of_task, native.origin)
        found += [problem for problem in of_task if not _is_covered(problem.field, found)]
    elif not found:
        found.append(Problem(line=document.lines[()], field="", what="must be one object"))
    problems += found
    return None if found else task


def _is_covered(field: str, problems: list[Problem]) -> bool:
    """Whether something around or at ``field`` was found wrong already."""
    for problem in problems:
        if problem.field and re.match(rf"{re.escape(problem.field)}(?![^.\[])", field):
            return True
    return False


def convert_rows(
    documents: list[Document],
    shape: type[Model],
    draft: Callable[[dict[str, Any]], Draft],
    id_field: str,
) -> tuple[list[Task], list[Problem]]:
    """The tasks of a JSON Lines file; an id that two rows have is a problem of the later one."""
    problems: list[Problem] = []
    tasks: dict[str, Task] = {}
    first: dict[str, int] = {}
    for document in documents:
        task = convert(document, shape, draft, problems)
        name = slug(document.data.get(id_field)) if isinstance(document.data, dict) else ""
        line = document.lines.get((), 0)
        if not name:
            continue
        if name in first:
            what = f"{name!r} appears twice, first on line {first[name]}"
            problems.append(Problem(line=line, field=id_field, what=what))
            continue
        first[name] = line
        if task is not None:
            tasks[name] = task
    return list(tasks.values()), problems


def slug(name: object) -> str:
    """``name`` as a task or suite id: ``BBC News--0`` is ``bbc-news--0``.

    Empty if nothing of it can be part of an id.
    """
    if not isinstance(name, str):
        return ""
    text = re.sub(r"[^a-z0-9_.-]+", "-", name.lower())
    return re.sub(r"^[^a-z0-9]+", "", text)[:100].rstrip("-")


def suite_of(path: Path, title: str) -> Suite:
    """The suite that a foreign file or its folder stands for; it runs on the live web."""
    name = path.stem
    if path.suffix == ".json" or path.stem == "tasks":
        # Such a file is called after its task, or as all of its kind: the folder says more.
        folder = path.parent.parent if path.parent.name == "tasks" else path.parent
        name = folder.name
    name = slug(name) or "foreign"
    return Suite(name=name, title=f"{title} ({name})", licence="see its authors", worlds=["live"])
