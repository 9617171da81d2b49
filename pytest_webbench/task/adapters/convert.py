"""What all adapters share: a foreign object is checked for its shape, put into native terms and checked as a task."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import Problem
from ..models import Model, Suite, Task
from ..problems import Path_, validate
from .text import Document


class Draft(NamedTuple):
    """A task in native terms, not yet checked."""

    data: dict[str, Any]
    origins: Mapping[Path_, Path_]
    """Where in the foreign object the native fields come from, by their longest prefix that is listed."""

    def origin(self, path: Path_) -> Path_:
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
    document: Document, shape: type[Model], draft: Callable[[dict[str, Any]], Draft], problems: list[Problem]
) -> Task | None:
    """The task in ``document``; None, and everything wrong with it added to ``problems``, if there is none."""
    found = list(document.problems)
    if isinstance(document.data, dict):
        validate(shape, document.data, document.lines, found)
        native = draft(document.data)
        deeper: list[Problem] = []
        task = validate(Task, native.data, document.lines, deeper, native.origin)
        found += [problem for problem in deeper if not _is_covered(problem.field, found)]
    elif not found:
        found.append(Problem(line=document.lines[()], field="", what="must be one object"))
    problems += found
    return None if found else task


def _is_covered(field: str, problems: list[Problem]) -> bool:
    """Whether something around or at ``field`` was found wrong already."""
    return any(re.match(rf"{re.escape(one.field)}(?![^.\[])", field) for one in problems if one.field)


def convert_rows(
    documents: list[Document], shape: type[Model], draft: Callable[[dict[str, Any]], Draft], id_field: str
) -> tuple[list[Task], list[Problem]]:
    """The tasks of a JSON Lines file; ids that stand twice are a problem of the later row."""
    problems: list[Problem] = []
    tasks: dict[str, Task] = {}
    first: dict[str, int] = {}
    for document in documents:
        task = convert(document, shape, draft, problems)
        name = slug(document.data.get(id_field)) if isinstance(document.data, dict) else ""
        line = document.lines.get((), 0)
        if name and name in first:
            what = f"{name!r} stands twice, first on line {first[name]}"
            problems.append(Problem(line=line, field=id_field, what=what))
        elif name:
            first[name] = line
            tasks |= {name: task} if task is not None else {}
    return list(tasks.values()), problems


def slug(name: object) -> str:
    """``name`` as a task or suite id: ``BBC News--0`` is ``bbc-news--0``. Empty if nothing is left of it."""
    text = re.sub(r"[^a-z0-9_.-]+", "-", name.lower()) if isinstance(name, str) else ""
    return re.sub(r"^[^a-z0-9]+", "", text)[:100].rstrip("-")


def suite_of(path: Path, title: str) -> Suite:
    """The suite that a foreign file or its folder stands for; it runs on the live web."""
    generic = path.suffix == ".json" or path.stem == "tasks"
    named = path.parent.parent if path.parent.name == "tasks" else path.parent
    name = slug(named.name if generic else path.stem) or "foreign"
    return Suite(name=name, title=f"{title} ({name})", licence="see its authors", worlds=["live"])
