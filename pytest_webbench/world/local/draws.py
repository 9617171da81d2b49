"""Draws the parameters of a task from the database of a seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from ...checks import Value
from ...errors import RuleError, SettingsError
from ...task import Task
from ...task.params import Param
from ..kit.editions import Edition
from .database import template_of
from .reading import select
from .stay import known_to_all

_MOST_TRIES: Final = 30


class _NoDrawError(Exception):
    """A draw that cannot be used, with the reason."""


def draw(task: Task, folder: Path, seed: int) -> dict[str, Value]:
    """The values of a task's parameters for a seed, by name, with ``me`` and ``today``.

    Where one draw leads to no row, or to a tie, another is made. `SettingsError` if none can be
    used, or if the SQL is wrong.
    """
    database, given = template_of(folder, seed).content, known_to_all(Edition(seed))
    reason: Exception | None = None
    for number in range(_MOST_TRIES):
        try:
            chance = Random(f"{seed}/{task.id}/{number}")
            return _drawn(task.params, database, given, chance)
        except _NoDrawError as error:
            reason = error
        except RuleError as error:
            raise SettingsError(f"task {task.id}, seed {seed}: params.{error}") from error
    raise SettingsError(
        f"task {task.id}: seed {seed} has nothing to draw in {_MOST_TRIES} tries: params.{reason}"
    )


def _drawn(
    params: Mapping[str, Param], database: bytes, given: Mapping[str, Value], chance: Random
) -> dict[str, Value]:
    values: dict[str, Value] = dict(given)
    bound: dict[str, Any] = dict(given)
    for name, param in params.items():
        if param.sql is None:
            values[name] = bound[name] = chance.choice(param.one_of)
            continue
        try:
            rows = select(database, param.sql, bound, chance)
        except RuleError as error:
            raise RuleError(f"{name}: {error}") from error
        values[name] = _first(name, rows, param.unique)
        bound.update({f"{name}_{column}": value for column, value in values[name].items()})
    return values


def _first(name: str, rows: list[dict[str, Any]], unique: list[str]) -> dict[str, Any]:
    if not rows:
        raise _NoDrawError(f"{name}: no row")
    for column in unique:
        if column not in rows[0]:
            found = ", ".join(rows[0])
            raise RuleError(f"{name}: unique names {column!r}, and the SQL gives {found}")
    if unique and len(rows) > 1 and all(rows[0][one] == rows[1][one] for one in unique):
        raise _NoDrawError(f"{name}: the first two rows tie in {', '.join(unique)}")
    return rows[0]
