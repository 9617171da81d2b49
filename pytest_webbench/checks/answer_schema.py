"""Typed answers: which JSON Schemas a task may ask for, and whether an answer fits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._json import strict_json
from .._suggest import unknown
from .._text import clip
from . import patterns
from .answers import unfenced
from .base import Issue

MOST_CHARACTERS: Final = 10_000
"""Of a typed answer. Comparing the items of a longer list with each other could take minutes."""
MOST_SCHEMAS: Final = 1_000
"""Schemas within a schema, each as often as it is referred to."""
_DEEPEST: Final = 100
_LONGEST_SHOWN: Final = 200

_TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")
_ONE: Final = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
)
"""Keywords whose value is a schema."""
_SEVERAL: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
"""Keywords whose value is a list of schemas."""
_NAMED: Final = ("$defs", "dependentSchemas", "patternProperties", "properties")
"""Keywords whose value is an object of schemas."""
_PLAIN: Final = (
    "$comment",
    "$ref",
    "$schema",
    "const",
    "default",
    "dependentRequired",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "title",
    "type",
    "uniqueItems",
)
KEYWORDS: Final = tuple(sorted((*_ONE, *_SEVERAL, *_NAMED, *_PLAIN)))
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_LOCAL: Final = "#/$defs/"

Path = tuple[str | int, ...]


def misfit(answer: str | None, schema: Mapping[str, Any]) -> str:
    """Why ``answer`` is not the JSON that ``schema`` asks for; empty if it is.

    The answer is one JSON value, which a code fence may surround, and nothing else.
    """
    if answer is None or not answer.strip():
        return "there is no answer"
    if len(answer) > MOST_CHARACTERS:
        return f"it has {len(answer)} characters, at most {MOST_CHARACTERS} are allowed"
    try:
        value = strict_json(unfenced(answer.strip()), unique_keys=True)
    except ValueError as error:
        return f"it is not JSON and nothing else: {error}"
    # As slow to import as half of this package, and few tasks have such an answer.
    from jsonschema import Draft202012Validator, exceptions

    worst = exceptions.best_match(Draft202012Validator(schema).iter_errors(value))
    if worst is None:
        return ""
    where = worst.json_path.removeprefix("$").removeprefix(".")
    text = clip(worst.message, _LONGEST_SHOWN)
    return f"{where}: {text}" if where else text


def schema_issues(schema: Any) -> list[Issue]:
    """Everything wrong with a schema as a task file has it."""
    found = list(dict.fromkeys(_Reader(schema).issues()))
    if found:
        return found
    # Slow to import, see above.
    from jsonschema import Draft202012Validator

    checker = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    return [
        Issue(clip(error.message, _LONGEST_SHOWN), tuple(error.absolute_path))
        for error in checker.iter_errors(schema)
    ]


class _Reader:
    """Walks through a schema, along references too, and counts what it meets."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._met = 0

    def issues(self) -> Iterator[Issue]:
        yield from self._in_schema(self._schema, (), ())
        if self._met > MOST_SCHEMAS:
            what = f"has more than {MOST_SCHEMAS} schemas, counted as often as they are used"
            yield Issue(what)

    def _in_schema(self, schema: Any, at: Path, through: tuple[str, ...]) -> Iterator[Issue]:
        """``through`` are the references that led here: what is behind them is read elsewhere."""
        self._met += 1
        if self._met > MOST_SCHEMAS or (isinstance(schema, bool) and at):
            return
        if len(at) > _DEEPEST:
            yield Issue(f"is nested more than {_DEEPEST} keys deep", at[:1])
            return
        if not isinstance(schema, dict):
            yield Issue("must be a JSON Schema: an object", at)
            return
        if not through:
            yield from _in_keywords(schema, at)
        for inner, where in _parts(schema, at):
            yield from self._in_schema(inner, where, through)
        if isinstance(schema.get("$ref"), str):
            yield from self._behind(schema["$ref"], (*at, "$ref"), through)

    def _behind(self, reference: str, at: Path, through: tuple[str, ...]) -> Iterator[Issue]:
        definitions = self._schema.get("$defs")
        known = definitions if isinstance(definitions, dict) else {}
        name = reference.removeprefix(_LOCAL)
        if not reference.startswith(_LOCAL):
            what = f"{reference!r} leads elsewhere; only definitions of this schema may be used"
            yield Issue(what, at, f"{_LOCAL}name")
        elif name not in known:
            yield Issue(unknown("definition", name, known), at, ", ".join(known) or "none")
        elif name in through:
            yield Issue(f"{reference!r} refers to itself", at)
        else:
            yield from self._in_schema(known[name], at, (*through, name))


def _parts(schema: dict[str, Any], at: Path) -> Iterator[tuple[Any, Path]]:
    """The schemas within a schema, and where they are."""
    for key, value in schema.items():
        if key in _ONE:
            yield value, (*at, key)
        elif key in _SEVERAL and isinstance(value, list):
            for index, one in enumerate(value):
                yield one, (*at, key, index)
        elif key in _NAMED and isinstance(value, dict):
            for name, one in value.items():
                yield one, (*at, key, name)


def _in_keywords(schema: dict[str, Any], at: Path) -> Iterator[Issue]:
    for key, value in schema.items():
        if key not in KEYWORDS:
            yield Issue(unknown("keyword", key, KEYWORDS), (*at, key), ", ".join(KEYWORDS))
        elif key == "type":
            yield from _in_type(value, (*at, key))
        elif key == "$schema" and value != _DIALECT:
            yield Issue("is another dialect", (*at, key), _DIALECT)
        elif key == "pattern" and isinstance(value, str):
            yield from _in_pattern(value, (*at, key))
        elif key == "patternProperties" and isinstance(value, dict):
            for pattern in value:
                yield from _in_pattern(pattern, (*at, key, pattern))


def _in_type(value: Any, at: Path) -> Iterator[Issue]:
    for one in value if isinstance(value, list) else [value]:
        if one not in _TYPES:
            yield Issue(unknown("type", one, _TYPES), at, ", ".join(_TYPES))


def _in_pattern(pattern: str, at: Path) -> Iterator[Issue]:
    if reason := patterns.refuse(pattern):
        yield Issue(reason, at)


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """What an agent is told about the answer that a task wants."""
    text = json.dumps(schema, ensure_ascii=False, sort_keys=True)
    return f"The answer must be JSON, and nothing else, that fits this JSON Schema: {text}"
