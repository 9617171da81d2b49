"""Reads native task files (YAML) and ``suite.toml``, and says everything that is wrong with one, by line and field."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from ..errors import Problem, TaskFileError
from .models import Suite, Task
from .problems import Path_, field_name, read_text, validate
from .toml import read_toml

SUITE_FILE = "suite.toml"
TASKS_FOLDER = "tasks"


# libyaml's parser, where PyYAML was built with it, is several times faster and understands the same files.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """YAML 1.2's plain scalars: no dates, no yes/no, no octal or base-60 numbers.

    ``01234`` is a text: a postcode, not a number.
    """

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML declares it as an instance variable


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
    return parse_task(read_text(path), str(path), stem=path.stem)


def parse_task(text: str, name: str, *, stem: str | None = None) -> Task:
    """The task in ``text``; ``name`` is what errors call the file, ``stem`` what its id has to be."""
    builder = _Builder()
    data = builder.build(_compose(text, name), ())
    lines, problems = builder.lines, builder.problems
    if not isinstance(data, dict):
        raise TaskFileError(name, [Problem(line=1, field="", what="a task file must hold one object")])
    task = validate(Task, data, lines, problems)
    if stem is not None and isinstance(data.get("id"), str) and data["id"] != stem:
        problems.append(
            Problem(line=lines[("id",)], field="id", what="is not the file name", found=repr(data["id"]), allowed=stem)
        )
    if problems or task is None:
        raise TaskFileError(name, problems)
    return task


def read_suite(path: Path) -> Suite:
    """The suite described by a ``suite.toml``."""
    data, lines = read_toml(path)
    problems: list[Problem] = []
    suite = validate(Suite, data, lines, problems)
    if problems or suite is None:
        raise TaskFileError(str(path), problems)
    return suite


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


class _Builder:
    """Makes plain data from YAML nodes; notes each value's line, refuses duplicate keys, odd tags and aliases."""

    def __init__(self) -> None:
        self.lines: dict[Path_, int] = {}
        self.problems: list[Problem] = []
        self._loader = _Loader("")
        self._seen: set[int] = set()

    def build(self, node: yaml.Node, path: Path_, line: int | None = None) -> Any:
        """The value of a node that stands at ``path``; ``line`` says where its key stands, if it has one."""
        self.lines[path] = line or node.start_mark.line + 1
        if id(node) in self._seen:
            self._problem(path, "aliases (*name) are not allowed")
            return None
        self._seen.add(id(node))
        if not isinstance(node, yaml.ScalarNode) and node.tag not in _PLAIN_TAGS:
            self._problem(path, f"tag {node.tag!r} is not allowed")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*path, index)) for index, child in enumerate(node.value)]
        try:
            return self._loader.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            self._problem(path, f"cannot be read: {error}")
            return None

    def _mapping(self, node: yaml.MappingNode, path: Path_) -> Any:
        built: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(Problem(line=line, field=field_name(path), what="a key must be a plain word"))
                continue
            key = str(key_node.value)
            if key in built:
                what = f"key {key!r} stands twice, first on line {self.lines[(*path, key)]}"
                self.problems.append(Problem(line=line, field=field_name((*path, key)), what=what))
            built[key] = self.build(value_node, (*path, key), line)
        return built

    def _problem(self, path: Path_, what: str) -> None:
        self.problems.append(Problem(line=self.lines[path], field=field_name(path), what=what))
