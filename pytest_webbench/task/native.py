"""Reads native task files (YAML) and ``suite.toml``, and says everything that is wrong with one, by line and field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..checks.naming import unknown
from ..errors import Problem, TaskFileError
from .models import Suite, Task

SUITE_FILE = "suite.toml"
TASKS_FOLDER = "tasks"
LARGEST_FILE = 1_000_000
"""Bytes; a task file is some kilobytes, so more than this is a mistake or an attack."""

Path_ = tuple[str | int, ...]
ModelT = TypeVar("ModelT", bound=BaseModel)


class _Loader(yaml.SafeLoader):
    """YAML 1.2's plain scalars: no dates, no yes/no, no octal or base-60 numbers; aliases are refused.

    ``01234`` is a text: a postcode, not a number.
    """

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML declares it as an instance variable

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not allowed", problem_mark=event.start_mark)
        return super().compose_node(parent, index)


for _tag, _pattern, _first in (
    ("bool", r"^(?:true|false|True|False)$", "tfTF"),
    ("null", r"^(?:~|null|)$", ["~", "n", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


_PLAIN_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def read_task(path: Path) -> Task:
    """The task in a file; `TaskFileError` with all its problems if there are any."""
    return parse_task(_read(path), str(path), stem=path.stem)


def parse_task(text: str, name: str, *, stem: str | None = None) -> Task:
    """The task in ``text``; ``name`` is what errors call the file, ``stem`` what its id has to be."""
    node = _compose(text, name)
    lines: dict[Path_, int] = {}
    problems: list[Problem] = []
    data = _build(node, (), lines, problems)
    if not isinstance(data, dict):
        raise TaskFileError(name, [Problem(line=1, field="", what="a task file must hold one object")])
    task = _validate(Task, data, lines, problems)
    if stem is not None and isinstance(data.get("id"), str) and data["id"] != stem:
        problems.append(
            Problem(line=lines[("id",)], field="id", what="is not the file name", found=repr(data["id"]), allowed=stem)
        )
    if problems or task is None:
        raise TaskFileError(name, problems)
    return task


def read_suite(path: Path) -> Suite:
    """The suite described by a ``suite.toml``."""
    text = _read(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        what = f"broken TOML: {str(error)[: place.start() if place else None]}"
        raise TaskFileError(str(path), [Problem(line=int(place[1]) if place else 0, field="", what=what)]) from error
    problems: list[Problem] = []
    suite = _validate(Suite, data, _toml_lines(text), problems)
    if problems or suite is None:
        raise TaskFileError(str(path), problems)
    return suite


def suite_file_of(path: Path) -> Path | None:
    """The ``suite.toml`` that makes ``path`` a native task file, or None if it is none of ours."""
    if path.suffix != ".yaml" or path.parent.name != TASKS_FOLDER:
        return None
    suite = path.parent.parent / SUITE_FILE
    return suite if suite.is_file() else None


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            what = f"file of {path.stat().st_size} bytes, at most {LARGEST_FILE} are read"
            raise TaskFileError(str(path), [Problem(line=0, field="", what=what)])
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskFileError(str(path), [Problem(line=0, field="", what=f"cannot be read: {error}")]) from error


def _compose(text: str, name: str) -> yaml.Node:
    try:
        node = yaml.compose(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        what = getattr(error, "problem", None) or str(error) or "nested too deeply"
        raise TaskFileError(name, [Problem(line=line, field="", what=f"broken YAML: {what}")]) from error
    if node is None:
        raise TaskFileError(name, [Problem(line=1, field="", what="the file is empty")])
    return node


def _build(node: yaml.Node, path: Path_, lines: dict[Path_, int], problems: list[Problem]) -> Any:
    """Plain data from a YAML node; notes each value's line and refuses duplicate keys and odd tags."""
    lines[path] = node.start_mark.line + 1
    if not isinstance(node, yaml.ScalarNode) and node.tag not in _PLAIN_TAGS:
        problems.append(Problem(line=lines[path], field=field_name(path), what=f"tag {node.tag!r} is not allowed"))
    if isinstance(node, yaml.MappingNode):
        return _build_mapping(node, path, lines, problems)
    if isinstance(node, yaml.SequenceNode):
        return [_build(child, (*path, index), lines, problems) for index, child in enumerate(node.value)]
    loader = _Loader("")
    try:
        value = loader.construct_object(node)
    except (yaml.YAMLError, ValueError) as error:
        problems.append(Problem(line=lines[path], field=field_name(path), what=f"cannot be read: {error}"))
        return None
    finally:
        loader.dispose()
    return value


def _build_mapping(node: yaml.MappingNode, path: Path_, lines: dict[Path_, int], problems: list[Problem]) -> Any:
    built: dict[Hashable, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            problems.append(Problem(line=line, field=field_name(path), what="a key must be a plain word"))
            continue
        key = str(key_node.value)
        if key in built:
            what = f"key {key!r} stands twice, first on line {lines[(*path, key)]}"
            problems.append(Problem(line=line, field=field_name((*path, key)), what=what))
        built[key] = _build(value_node, (*path, key), lines, problems)
        lines[(*path, key)] = line
    return built


def _toml_lines(text: str) -> dict[Path_, int]:
    """Where the keys and tables of a simple TOML file stand."""
    lines: dict[Path_, int] = {}
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([\w.-]+)\]", line):
            table = tuple(header[1].split("."))
            lines.setdefault(table, number)
        elif entry := re.match(r"\s*[\"']?([\w-]+)[\"']?\s*=", line):
            lines.setdefault((*table, entry[1]), number)
    return lines


def _validate(model: type[ModelT], data: Any, lines: dict[Path_, int], problems: list[Problem]) -> ModelT | None:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems.extend(_problem(details, data, lines, model) for details in error.errors())
        return None


def _problem(details: ErrorDetails, data: Any, lines: dict[Path_, int], model: type[BaseModel]) -> Problem:
    path, owner = _locate(details["loc"], data)
    line = next((lines[path[:size]] for size in range(len(path), -1, -1) if path[:size] in lines), 0)
    field = field_name(path)
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
