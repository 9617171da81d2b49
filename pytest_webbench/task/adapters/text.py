"""JSON and JSON Lines with the line of every value, read strictly: no duplicate keys, no NaN, nothing endless."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ...errors import Problem
from ..problems import Path_, field_name

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class Document(NamedTuple):
    """One JSON value. With ``problems`` the data may be incomplete, and is None where it could not be read at all."""

    data: Any
    lines: dict[Path_, int]
    problems: tuple[Problem, ...] = ()


def parse(text: str, *, first_line: int = 1) -> Document:
    """The JSON value in ``text``, which begins on line ``first_line`` of its file."""
    try:
        data = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        json.dumps(
            data, ensure_ascii=False
        ).encode()  # half of a surrogate pair can be written in JSON and nowhere else
        lines, problems = _Lines(text, first_line).read()
    except json.JSONDecodeError as error:
        what = f"broken JSON at column {error.colno}: {error.msg}"
        return Document(None, {}, (Problem(line=first_line + error.lineno - 1, field="", what=what),))
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Document(None, {}, (Problem(line=first_line, field="", what=f"broken JSON: {what}"),))
    return Document(data, lines, tuple(problems))


def parse_rows(text: str) -> Iterator[Document]:
    """One document per line that is not blank."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield parse(line, first_line=number)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits} is too large a number")
    return number


class _Lines:
    """Walks the tokens of valid JSON and notes on which line the value of each path stands."""

    def __init__(self, text: str, first_line: int) -> None:
        self._text, self._line, self._seen = text, first_line, 0
        self._tokens = _TOKEN.finditer(text)
        self._lines: dict[Path_, int] = {}
        self._problems: list[Problem] = []

    def read(self) -> tuple[dict[Path_, int], list[Problem]]:
        self._value((), self._next())
        return self._lines, self._problems

    def _next(self) -> str:
        match = next(self._tokens)
        self._line += self._text.count("\n", self._seen, match.start())
        self._seen = match.start()
        return match.group()

    def _value(self, path: Path_, token: str) -> None:
        self._lines.setdefault(path, self._line)
        if token == "{":
            self._object(path)
        elif token == "[":
            self._array(path)

    def _object(self, path: Path_) -> None:
        token = self._next()
        while token != "}":
            place = (*path, str(json.loads(token)))
            if place in self._lines:
                what = f"key {place[-1]!r} stands twice, first on line {self._lines[place]}"
                self._problems.append(Problem(line=self._line, field=field_name(place), what=what))
            self._lines.setdefault(place, self._line)
            self._next()  # the colon
            self._value(place, self._next())
            token = self._next()
            token = self._next() if token == "," else token

    def _array(self, path: Path_) -> None:
        token, index = self._next(), 0
        while token != "]":
            self._value((*path, index), token)
            token, index = self._next(), index + 1
            token = self._next() if token == "," else token
