"""JSON and JSON Lines with the line of every value; duplicate keys and NaN are problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ..._json import strict_json
from ...errors import Problem
from ..problems import Location, field_name

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class Document(NamedTuple):
    """One JSON value and the line of each of its parts."""

    data: Any
    """None if it could not be read at all."""
    lines: dict[Location, int]
    problems: tuple[Problem, ...] = ()


def parse(text: str, *, first_line: int = 1) -> Document:
    """The JSON value in ``text``, which begins on line ``first_line`` of its file."""
    try:
        data = strict_json(text)
        # Half of a surrogate pair can be written in JSON, and then in no file.
        json.dumps(data, ensure_ascii=False).encode()
        lines, problems = _Lines(text, first_line).read()
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        return _broken(f"broken JSON at column {error.colno}: {error.msg}", line)
    except RecursionError:
        return _broken("broken JSON: nested too deeply", first_line)
    except ValueError as error:
        return _broken(f"broken JSON: {error}", first_line)
    return Document(data, lines, tuple(problems))


def _broken(what: str, line: int) -> Document:
    return Document(None, {}, (Problem(line=line, field="", what=what),))


def parse_rows(text: str) -> Iterator[Document]:
    """One document per line that is not blank."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield parse(line, first_line=number)


class _Lines:
    """Walks the tokens of valid JSON and notes the line of each value."""

    def __init__(self, text: str, first_line: int) -> None:
        self._text, self._line, self._seen = text, first_line, 0
        self._tokens = _TOKEN.finditer(text)
        self._lines: dict[Location, int] = {}
        self._problems: list[Problem] = []

    def read(self) -> tuple[dict[Location, int], list[Problem]]:
        self._value((), self._next())
        return self._lines, self._problems

    def _next(self) -> str:
        match = next(self._tokens)
        self._line += self._text.count("\n", self._seen, match.start())
        self._seen = match.start()
        return match.group()

    def _next_but_comma(self) -> str:
        token = self._next()
        if token == ",":
            token = self._next()
        return token

    def _value(self, path: Location, token: str) -> None:
        self._lines.setdefault(path, self._line)
        if token == "{":
            self._object(path)
        elif token == "[":
            self._array(path)

    def _object(self, path: Location) -> None:
        token = self._next()
        while token != "}":
            place = (*path, str(json.loads(token)))
            if place in self._lines:
                what = f"key {place[-1]!r} appears twice, first on line {self._lines[place]}"
                self._problems.append(Problem(line=self._line, field=field_name(place), what=what))
            self._lines.setdefault(place, self._line)
            self._next()  # the colon
            self._value(place, self._next())
            token = self._next_but_comma()

    def _array(self, path: Location) -> None:
        token, index = self._next(), 0
        while token != "]":
            self._value((*path, index), token)
            token, index = self._next_but_comma(), index + 1
