"""The getter that reads a list of the page row by row: all rows, or the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from .._suggest import unknown
from .._text import clip
from ..errors import GetterError
from ..evidence.models import Evidence
from . import normal, numbers, rules
from .base import MISSING, Getter, Issue, Probe, Value, must_be
from .comparison import OneGroup
from .page import At, Frame, canary_error, in_frame

_LONGEST_SHOWN: Final = 60
Row = dict[str, Value]


class RowField(BaseModel):
    """Where a row has one of its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    selector: str | None = Field(None, description="CSS selector within the row; else the row")
    attr: str | None = Field(None, description="this attribute instead of the text")
    part: OneGroup | None = Field(
        None, description="pattern with one group: the field is what it holds, else missing"
    )

    def read(self, found: Value) -> Value:
        """The field's value from what the page has there; None if it has nothing of the kind."""
        if self.part is None or not isinstance(found, str):
            return found
        return next(iter(normal.groups(self.part, found)), None)


OneField = Annotated[
    str | RowField,
    must_be("a CSS selector or an object {selector: css, attr: name, part: pattern}"),
]
Pick = Annotated[
    Literal["first", "last", "count"] | dict[Literal["least", "greatest", "each"], str],
    must_be("first, last, count, {least: field}, {greatest: field} or {each: field}"),
]


class DomRows(Getter):
    """Rows of a list or table, each an object of its fields; or one of them, or their number."""

    type: Literal["dom_rows"] = "dom_rows"
    row: Annotated[str, Field(min_length=1, description="CSS selector of the rows")]
    fields: Annotated[
        dict[str, OneField], Field(min_length=1, description="names of your choice: what to read")
    ]
    where: dict[str, Any] = Field({}, description="rules by field; rows meet all of them")
    pick: Pick | None = Field(
        None, description="which of these rows, how many, or one field of all; else all"
    )
    must_exist: Annotated[bool | list[str], must_be("true, false or a list of fields")] = Field(
        False,
        description="no row at all, or a named field in none of them, means that the check has "
        "rotted (canary)",
    )
    frame: Frame | None = Field(None, description="only in this frame: its CSS selector or name")
    at: At = None
    locale: numbers.Locale = "en"

    def issues(self) -> list[Issue]:
        found = list(self._issues_of_names())
        for name, rule in self.where.items():
            found += [issue.within("where", name) for issue in rules.issues(rule)]
        if isinstance(self.pick, dict) and len(self.pick) != 1:
            found.append(Issue("must name one of least, greatest and each", ("pick",)))
        return found

    def _issues_of_names(self) -> Iterator[Issue]:
        named: list[tuple[str, tuple[str, ...]]] = [(name, ("where", name)) for name in self.where]
        if isinstance(self.pick, dict):
            named += [(name, ("pick", key)) for key, name in self.pick.items()]
        if isinstance(self.must_exist, list):
            named += [(name, ("must_exist",)) for name in self.must_exist]
        for name, at in named:
            if name not in self.fields:
                yield Issue(unknown("field", name, self.fields), at, ", ".join(self.fields))

    def probe(self) -> Probe:
        fields = {}
        for name, field in self._fields().items():
            fields[name] = field.model_dump(exclude={"part"})
        arguments = in_frame({"row": self.row, "fields": fields}, self.frame)
        return Probe("domRows", arguments, at=self.at)

    def read(self, evidence: Evidence) -> Value:
        rows = self._rows(evidence)
        self._require_canary(rows)
        scope = rules.Scope(locale=self.locale)
        rows = [self._told(row) for row in rows if self._is_meant(row, scope)]
        if self.pick is None:
            return rows
        if self.pick == "count":
            return len(rows)
        if isinstance(self.pick, dict):
            ((how, field),) = self.pick.items()
            if how == "each":
                return [row[field] for row in rows if row.get(field, MISSING) is not MISSING]
            return self._extreme(rows, how, field)
        if not rows:
            return MISSING
        return rows[0 if self.pick == "first" else -1]

    def _rows(self, evidence: Evidence) -> list[Row]:
        answer = self.answer_of_probe(evidence)
        if not isinstance(answer, list) or not all(isinstance(row, dict) for row in answer):
            raise GetterError("the page's answer holds no rows")
        rows: list[Row] = []
        for found in answer:
            row: Row = {}
            for name, field in self._fields().items():
                value = field.read(found.get(name))
                row[name] = MISSING if value is None else value
            rows.append(row)
        return rows

    def _fields(self) -> dict[str, RowField]:
        return {
            name: RowField(selector=field) if isinstance(field, str) else field
            for name, field in self.fields.items()
        }

    def _require_canary(self, rows: list[Row]) -> None:
        if self.must_exist and not rows:
            raise canary_error(f"canary: a row {self.row!r}", self.at)
        for name in self.must_exist if isinstance(self.must_exist, list) else ():
            if all(row[name] in (MISSING, "") for row in rows):
                raise canary_error(f"canary {name!r} (in any of the {len(rows)} rows)", self.at)

    def _is_meant(self, row: Row, scope: rules.Scope) -> bool:
        return all(rules.holds(row[name], rule, scope) for name, rule in self.where.items())

    def _told(self, row: Row) -> Row:
        """A row without the fields that are missing as `where` wants.

        Nothing is to be said of them: a row can be expected whose ``sold out`` has to be absent.
        """
        return {
            name: value
            for name, value in row.items()
            if value is not MISSING or name not in self.where
        }

    def _extreme(self, rows: list[Row], extreme: str, field: str) -> Value:
        """The row with the least or greatest number; rows without the field do not compete."""
        competing = [row for row in rows if row.get(field, MISSING) not in (MISSING, "")]
        if not competing:
            return MISSING
        values = _comparable([row[field] for row in competing], field, self.locale)
        best = min(values) if extreme == "least" else max(values)
        if (ties := values.count(best)) > 1:
            shown = competing[values.index(best)][field]
            raise GetterError(f"{_in_word(ties)} rows tie for the {extreme} {field!r}: {shown!r}")
        return competing[values.index(best)]


def _in_word(count: int) -> str:
    return "two" if count == 2 else str(count)


def _comparable(values: list[Value], field: str, locale: str) -> list[Decimal]:
    """The numbers in texts; `GetterError` if one holds none, or several, or their units differ."""
    found = [_number_in(value, field, locale) for value in values]
    units = sorted({one.unit for one in found if one.unit})
    if len(units) > 1:
        raise GetterError(f"field {field!r} has numbers of different units: {', '.join(units)}")
    return [one.value for one in found]


def _number_in(value: Value, field: str, locale: str) -> numbers.Quantity:
    found = numbers.in_text(value, locale)
    if len(found) == 1:
        return found[0]
    shown = clip(repr(value), _LONGEST_SHOWN)
    what = "no number" if not found else f"{len(found)} numbers"
    raise GetterError(
        f"field {field!r} of a row holds {what}: {shown}; read a smaller element, or leave such "
        "rows out by `where`"
    )
