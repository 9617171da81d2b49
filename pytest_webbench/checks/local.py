"""Getters of local worlds: what has changed in their state, and what was asked of their sites."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ..errors import GetterError
from ..evidence.models import Evidence, LocalFacts, ServedRequest, StateChange
from .base import Getter, Probe, Value
from .events import Pattern
from .normal import found


def facts_of(evidence: Evidence) -> LocalFacts:
    """What became of the local world; `GetterError` if it was another."""
    if evidence.local is None:
        where = evidence.world or "unknown"
        raise GetterError(f"only local worlds keep a state, and this one was {where}")
    return evidence.local


class StateChanges(Getter):
    """Rows that are not as they were when the episode began, in the order in which they changed.

    Each is ``{insert: table, row}``, ``{update: table, row, to}`` with the row as it was and the
    columns that have another value, or ``{delete: table, row}``.
    """

    type: Literal["state_changes"] = "state_changes"
    site: str | None = Field(None, description="only tables of this site")
    table: str | None = Field(None, description="only this table, such as `shop.orders`")
    consequences: bool = Field(
        False, description="also what sites did thereupon by themselves, with its `cause`"
    )

    def read(self, evidence: Evidence) -> Value:
        return [
            _described(change) for change in facts_of(evidence).changes if self._is_wanted(change)
        ]

    def _is_wanted(self, change: StateChange) -> bool:
        if change.cause and not self.consequences:
            return False
        if self.site is not None and change.table.partition(".")[0] != self.site:
            return False
        return self.table in (None, change.table)


def _described(change: StateChange) -> dict[str, Any]:
    before, after = change.before, change.after
    told: dict[str, Any]
    if before is None:
        told = {"insert": change.table, "row": after}
    elif after is None:
        told = {"delete": change.table, "row": before}
    else:
        now = {name: value for name, value in after.items() if before[name] != value}
        told = {"update": change.table, "row": before, "to": now}
    if change.cause:
        told["cause"] = change.cause
    return told


class StateQuery(Getter):
    """What SQL that may only read gives: a list of rows, each an object of its columns.

    It may use ``:me`` and ``:today``. It is asked when the episode's evidence is taken, so a check
    whose SQL changes needs a new episode.
    """

    type: Literal["state_query"] = "state_query"
    sql: Annotated[str, Field(min_length=1, description="one SELECT")]
    at: Literal["start", "end"] = Field("end", description="when it is asked")
    pick: str | None = Field(None, description="this column of the first row, instead of the rows")

    def probe(self) -> Probe:
        return Probe("stateQuery", {"sql": self.sql, "at": self.at}, of_world=True)

    def read(self, evidence: Evidence) -> Value:
        facts_of(evidence)
        rows = self.answer_of_probe(evidence)
        if self.pick is None:
            return rows
        if not isinstance(rows, list) or not rows:
            raise GetterError("the query gives no row to pick from")
        if self.pick not in rows[0]:
            raise GetterError(f"the query has no column {self.pick!r}; it has {', '.join(rows[0])}")
        return rows[0][self.pick]


class ServerLog(Getter):
    """Requests that sites have answered, in order.

    Each with number, site, method, path, query, form, body, status and the tables that it changed.
    """

    type: Literal["server_log"] = "server_log"
    site: str | None = Field(None, description="only requests to this site")
    method: str | None = Field(None, description="only these, e.g. `POST`")
    path_pattern: Pattern | None = Field(None, description="only paths that contain a match")
    effect: bool | None = Field(None, description="only those that changed rows, or did not")

    def read(self, evidence: Evidence) -> Value:
        return [
            request.model_dump(mode="json")
            for request in facts_of(evidence).log
            if self._is_wanted(request)
        ]

    def _is_wanted(self, request: ServedRequest) -> bool:
        if self.site not in (None, request.site):
            return False
        if self.method is not None and request.method != self.method.upper():
            return False
        if self.effect is not None and bool(request.changed) != self.effect:
            return False
        return self.path_pattern is None or found(self.path_pattern, request.path)
