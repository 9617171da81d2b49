"""The database of a seed: schemas and rows of all sites, made once and kept as bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ...errors import SettingsError
from ..kit.editions import Edition
from ..kit.site import place_of
from ..loading import load_module

SCHEMA: Final = "schema.sql"
SEED: Final = "seed.py"
JOURNAL: Final = "_journal"
_KEPT: Final = 32
"""Databases in memory, one for each seed of each suite."""
_MAKE_JOURNAL: Final = f"""
create table {JOURNAL} (
  number integer primary key, name text, row integer, before text, cause text, request integer
)"""


@dataclass(frozen=True, slots=True)
class Template:
    """What every episode of one seed begins with."""

    content: bytes
    columns: dict[str, tuple[str, ...]]
    """Tables of which a change counts, each with the columns that count."""


@lru_cache(maxsize=_KEPT)
def template_of(folder: Path, seed: int) -> Template:
    """The database of all sites under ``folder`` for a seed.

    Tables that sites share come from ``folder`` itself, then those of the sites in the order of
    their names. `SettingsError` with the file if a schema or a seed is wrong.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        volatile: set[str] = set()
        for place in (folder, *sorted(path.parent for path in folder.glob(f"*/{SCHEMA}"))):
            volatile |= _add(connection, place, Edition(seed))
        columns = _observed(connection, volatile)
        connection.execute(_MAKE_JOURNAL)
        for table, counted in columns.items():
            for trigger in _triggers(connection, table, counted):
                connection.execute(trigger)
        return Template(connection.serialize(), columns)
    finally:
        connection.close()


def _add(connection: sqlite3.Connection, place: Path, edition: Edition) -> set[str]:
    """Adds what one folder has; the tables, and columns of tables, whose changes do not count."""
    schema, seed = place / SCHEMA, place / SEED
    if schema.is_file():
        _run(connection, schema)
    if not seed.is_file():
        return set()
    module = load_module(seed)
    connection.execute("begin")
    try:
        module.fill(connection, edition)
    except Exception as error:  # whatever a site's author has got wrong
        raise SettingsError(place_of(error, place.resolve())) from error
    connection.execute("commit")
    return _volatile_of(module)


def _volatile_of(module: ModuleType) -> set[str]:
    names: Any = getattr(module, "VOLATILE", ())
    return set(names)


def _run(connection: sqlite3.Connection, schema: Path) -> None:
    """Statement by statement, so that an error can name its line."""
    statement, begins = "", 1
    for number, line in enumerate(schema.read_text(encoding="utf-8").splitlines(), start=1):
        if not statement.strip():
            statement, begins = "", number
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            try:
                connection.execute(statement)
            except sqlite3.Error as error:
                raise SettingsError(f"{schema}:{begins}: {error}") from error
            statement = ""
    if statement.strip():
        raise SettingsError(f"{schema}:{begins}: this statement has no end")


def _observed(connection: sqlite3.Connection, volatile: set[str]) -> dict[str, tuple[str, ...]]:
    found = {}
    for (table,) in connection.execute(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
    ).fetchall():
        if table not in volatile:
            names = _columns(connection, table)
            found[table] = tuple(one for one in names if f"{table}.{one}" not in volatile)
    return found


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    found = connection.execute("select name from pragma_table_info(?)", [table])
    return [name for (name,) in found]


def _triggers(
    connection: sqlite3.Connection, table: str, counted: tuple[str, ...]
) -> Iterator[str]:
    """Notes each row that is touched, and as it was before.

    Sites cannot forget it then, and to tell what has changed costs what was touched.
    """
    old = ", ".join(f"'{name}', old.{name}" for name in _columns(connection, table))
    note = f"insert into {JOURNAL} (name, row, before, cause, request) select '{table}'"
    now = "cause(), request()"
    yield (
        f"create trigger _{table}_insert after insert on {table} begin "
        f"{note}, new.rowid, null, {now}; end"
    )
    yield (
        f"create trigger _{table}_delete after delete on {table} begin "
        f"{note}, old.rowid, json_object({old}), {now}; end"
    )
    yield (
        f"create trigger _{table}_update after update of {', '.join(counted)} on {table} begin "
        f"{note}, old.rowid, json_object({old}), {now}; "
        f"{note}, new.rowid, null, {now} where new.rowid <> old.rowid; end"
    )
