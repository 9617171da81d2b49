"""The state of one episode: its database, and what has changed in it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from ...evidence.models import StateChange
from .database import JOURNAL, Template
from .reading import opened, select

Row = dict[str, Any]


class State:
    """A database that is as new. Not safe for threads: `Stay` lets in one request at a time."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self.connection = opened(template.content)
        self._cause = ""
        self.request = 0
        """Number of the request that is being answered."""
        chance = Random(0)
        self.connection.create_function("random", 0, lambda: chance.getrandbits(62))
        self.connection.create_function("cause", 0, lambda: self._cause)
        self.connection.create_function("request", 0, lambda: self.request)

    def close(self) -> None:
        """Forget everything."""
        self.connection.close()

    @contextmanager
    def consequence(self, why: str) -> Iterator[None]:
        """What is written within is what a site does thereupon, not what was asked of it."""
        before, self._cause = self._cause, self._cause or why
        try:
            yield
        finally:
            self._cause = before

    @contextmanager
    def transaction(self, number: int) -> Iterator[None]:
        """What request ``number`` does: all of it, or nothing if it raises."""
        self.request = number
        self.connection.execute("begin")
        try:
            yield
        except BaseException:
            self.connection.execute("rollback")
            raise
        self.connection.execute("commit")

    def select(
        self, sql: str, values: Mapping[str, Any], chance: Random, *, at_start: bool = False
    ) -> list[Row]:
        """The rows that a query gives now, or gave ``at_start``; errors as in `reading.select`."""
        database = self._template.content if at_start else self.connection.serialize()
        return select(database, sql, values, chance)

    def touched_by(self, number: int) -> tuple[str, ...]:
        """Names of the tables of which a request has touched rows."""
        found = self.connection.execute(
            f"select distinct name from {JOURNAL} where request = ? order by name", [number]
        )
        return tuple(shown(name) for (name,) in found)

    def changes(self) -> list[StateChange]:
        """What is not as it was, in the order in which it was touched first."""
        touches: dict[tuple[str, int], list[sqlite3.Row]] = {}
        for touch in self.connection.execute(f"select * from {JOURNAL} order by number"):
            touches.setdefault((touch["name"], touch["row"]), []).append(touch)
        found = (self._change(*place, noted) for place, noted in touches.items())
        return [change for change in found if change is not None]

    def _change(self, table: str, row: int, touches: Sequence[sqlite3.Row]) -> StateChange | None:
        first = touches[0]["before"]
        before = self._counted(table, None if first is None else json.loads(first))
        now = self.connection.execute(f"select * from {table} where rowid = ?", [row]).fetchone()
        after = self._counted(table, None if now is None else dict(now))
        if before == after:
            return None
        causes = [touch["cause"] for touch in touches]
        return StateChange(
            table=shown(table),
            before=before,
            after=after,
            # What was asked for stays that, whatever a site has done with it since.
            cause="" if "" in causes else causes[0],
            request=touches[0]["request"],
        )

    def _counted(self, table: str, row: Row | None) -> Row | None:
        if row is None:
            return None
        return {name: row[name] for name in self._template.columns[table]}


def shown(table: str) -> str:
    """A table's name as tasks write it: ``shop.order_lines`` for ``shop_order_lines``."""
    return table.replace("_", ".", 1)
