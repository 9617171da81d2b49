"""Reads native task files (YAML) and ``suite.toml``; names all their problems by line and field."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any, Final

import yaml

from ..errors import Problem, TaskFileError
from .models import Suite, Task
from .problems import Location, field_name, file_error, read_text, validate, wrong_id
from .toml import read_toml

# libyaml's parser, where PyYAML was built with it, reads the same files several times faster.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


MOST_LEVELS: Final = 50
"""Of nesting in a task file."""


class _Loader(_Base):  # type: ignore[misc]  # one of two classes, known at run time only
    """YAML 1.2's plain scalars: no dates, no yes/no, no octal or base-60 numbers.

    ``01234`` is a text: a postcode, not a number.
    """

    # PyYAML declares it as an instance variable, and reads it from the class.
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


for _tag, _pattern, _first in (
    ("bool", r"^(?:true|false|True|False)$", "tfTF"),
    ("null", r"^(?:~|null|)$", ["~", "n", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    (
        "float",
        r"^[-+]?(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$",
        "-+.0123456789",
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


_PLAIN_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def read_task(path: Path) -> Task:
    """The task in a file; `TaskFileError` with all its problems if there are any."""
    return parse_task(read_text(path), str(path), stem=path.stem)


def parse_task(text: str, name: str, *, stem: str | None = None) -> Task:
    """The task in ``text``; errors call the file ``name``, and its id has to be ``stem``, if given.

    `TaskFileError` with all its problems if there are any.
    """
    builder = _Builder()
    data = builder.build(_compose(text, name), ())
    lines, problems = builder.lines, builder.problems
    if not isinstance(data, dict):
        raise file_error(name, "a task file must hold one object", line=1)
    task = validate(Task, data, lines, problems)
    if stem is not None:
        problems += wrong_id("id", data, lines, stem)
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
        raise file_error(name, f"broken YAML: {what}", line=line) from error
    if node is None:
        raise file_error(name, "the file is empty", line=1)
    return node


class _Builder:
    """Makes plain data from YAML nodes and notes the line of each value.

    Duplicate keys, odd tags and aliases are problems.
    """

    def __init__(self) -> None:
        self.lines: dict[Location, int] = {}
        self.problems: list[Problem] = []
        self._loader = _Loader("")
        self._seen: set[int] = set()

    def build(self, node: yaml.Node, path: Location, line: int | None = None) -> Any:
        """The value of the node at ``path``; ``line`` is that of its key, if it has one."""
        self.lines[path] = line or node.start_mark.line + 1
        # Nested aliases can unfold to billions of values.
        if id(node) in self._seen:
            self._problem(path, "aliases (*name) are not allowed")
            return None
        self._seen.add(id(node))
        if len(path) > MOST_LEVELS:
            self._problem(path, f"nested too deeply: at most {MOST_LEVELS} levels are allowed")
            return None
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

    def _mapping(self, node: yaml.MappingNode, path: Location) -> Any:
        built: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._problem(path, "a key must be a plain word", line)
                continue
            key = str(key_node.value)
            place = (*path, key)
            if key in built:
                what = f"key {key!r} appears twice, first on line {self.lines[place]}"
                self._problem(place, what, line)
            built[key] = self.build(value_node, place, line)
        return built

    def _problem(self, path: Location, what: str, line: int | None = None) -> None:
        line = line or self.lines[path]
        self.problems.append(Problem(line=line, field=field_name(path), what=what))
