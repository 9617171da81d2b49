"""SQL that may only read: what tasks ask of a database, for their parameters and their checks."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from random import Random
from typing import Any, Final

from ...errors import RuleError

_STEPS: Final = 10_000
_MOST_STEPS: Final = 500
"""Times so many steps of SQLite's machine: about 0.2 s, and on every machine the same."""
_MOST_ROWS: Final = 1_000
_ALLOWED: Final = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE)
_FUNCTIONS_REFUSED: Final = ("load_extension", "randomblob")


def select(
    database: bytes, sql: str, values: Mapping[str, Any], chance: Random
) -> list[dict[str, Any]]:
    """The rows that ``sql`` gives; ``random()`` in it draws from ``chance``.

    `RuleError` if it would write, reads what is no site's, takes too long, or is wrong.
    """
    with closing(opened(database)) as connection:
        steps = iter(range(_MOST_STEPS))
        connection.create_function("random", 0, lambda: chance.getrandbits(62))
        connection.set_authorizer(_authorize)
        connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS)
        try:
            cursor = connection.execute(sql, dict(values))
            if cursor.description is None:
                raise RuleError(f"this SQL gives no rows: {sql}")
            return [dict(row) for row in cursor.fetchmany(_MOST_ROWS)]
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise RuleError(f"{_said(error)}: {sql}") from error


def opened(database: bytes) -> sqlite3.Connection:
    """A connection to a copy of ``database``, in memory."""
    # The server answers in threads of its own, one request at a time.
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.deserialize(database)
    connection.row_factory = sqlite3.Row
    return connection


def _said(error: Exception) -> str:
    what = str(error)
    if "interrupted" in what:
        return "this SQL takes too long"
    if "not authorized" in what or "prohibited" in what:
        return f"this SQL may only read the tables of sites ({what})"
    return f"this SQL cannot be used ({what})"


def _authorize(
    action: int, first: str | None, second: str | None, _base: str | None, _source: str | None
) -> int:
    if action == sqlite3.SQLITE_READ:
        own = str(first).startswith(("_", "sqlite_"))
        return sqlite3.SQLITE_DENY if own else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        refused = second in _FUNCTIONS_REFUSED
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
