"""Tables for people: as text for a terminal, and as Markdown; and rows as CSV."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any, Final

_GAP: Final = "  "
_LEAST: Final = 6
"""No column is made narrower than this."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are shown; the first ``names`` columns hold names, the others numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1


def as_plain_text(tables: Sequence[Table], width: int) -> str:
    """Tables that fit into ``width`` columns; of several names the last is indented below the others."""
    return "\n\n".join("\n".join([table.title, *_laid_out(table, width)]) for table in tables)


def _laid_out(table: Table, width: int) -> Iterator[str]:
    rows = [table.head[table.names - 1 :], *_indented(table)]
    widths = _widths(rows, width)
    for row in rows:
        cells = [_folded(cell, room) for cell, room in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            first, *others = zip(parts, widths, strict=True)
            line = _GAP.join([first[0].ljust(first[1]), *(part.rjust(room) for part, room in others)])
            yield line.rstrip()


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Room for every column: what its cells need, the widest made narrower until all fit."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > width and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _folded(cell: str, room: int) -> list[str]:
    return [cell] if len(cell) <= room else textwrap.wrap(cell, room, drop_whitespace=True)


def _indented(table: Table) -> Iterator[Sequence[str]]:
    last = table.names - 1
    for above, rows in groupby(table.rows, key=lambda row: row[:last]):
        if above:
            yield (", ".join(above), *[""] * (len(table.head) - table.names))
        yield from ((f"  {row[last]}" if above else row[last], *row[table.names :]) for row in rows)


def as_markdown(tables: Sequence[Table]) -> str:
    """The same for a README, an issue or a job summary."""
    return "\n\n".join(f"**{_escaped(table.title)}**\n\n{_markdown(table)}" for table in tables)


def _markdown(table: Table) -> str:
    ruler = ["---" if number < table.names else "---:" for number in range(len(table.head))]
    lines = [table.head, ruler, *table.rows]
    return "\n".join(
        "| " + " | ".join(cell if line is ruler else _escaped(cell) for cell in line) + " |" for line in lines
    )


def _escaped(cell: str) -> str:
    """Text of tasks and agents is shown as it is: no markup, no other cell."""
    for mark in "\\`*_[]<>|":
        cell = cell.replace(mark, f"&#{ord(mark)};" if mark in "<>|" else f"\\{mark}")
    return " ".join(cell.split())


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line per row; columns are those of all rows, in order of their first mention."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue().rstrip("\n")


def _cell(value: Any) -> Any:
    """Spreadsheets take text that begins like a formula for one: it gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


def percent(rate: float | None, digits: int = 1) -> str:
    """``38.5%``; a dash where there is no rate."""
    return "-" if rate is None else f"{rate:.{digits}%}"


def span(interval: Sequence[float] | None, digits: int = 1) -> str:
    """``30.4 to 47.4%``; a dash where there is none."""
    return "-" if interval is None else f"{100 * interval[0]:.{digits}f} to {100 * interval[1]:.{digits}f}%"


def p_text(p: float) -> str:
    """``p < 0.001`` or ``p = 0.031``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
