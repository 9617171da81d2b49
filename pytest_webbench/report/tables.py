"""Tables for people: as text for a terminal, and as Markdown; and rows as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from rich.console import Console
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from .._text import BREAK, harmless, one_line

_GAP: Final = 2
_LEAST: Final = 6
"""No column is made narrower than this, in characters."""
_FORMULA_STARTS: Final = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are shown; the first ``names`` columns hold names, the others numbers."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1


def as_plain_text(tables: Sequence[Table], width: int) -> str:
    """Tables that fit into ``width`` columns.

    Of several columns with names the last is shown, indented below the others.
    """
    return "\n\n".join(f"{table.title}\n{_text_of(table, width)}" for table in tables)


def _text_of(table: Table, width: int) -> str:
    rows = [table.head[table.names - 1 :], *_indented(table)]
    columns = []
    for number, cells in enumerate(zip(*rows, strict=True)):
        least = min(max(map(len, cells)), _LEAST)
        columns.append(Column(justify="right" if number else "left", min_width=least))
    laid_out = RichTable(
        *columns, box=None, show_header=False, padding=(0, _GAP, 0, 0), pad_edge=False
    )
    for row in rows:
        # Not `one_line`: names are indented.
        laid_out.add_row(*(Text(harmless(cell.replace("\n", BREAK))) for cell in row))
    # Without colours, and as wide as asked for: what is printed is the same everywhere.
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
    with console.capture() as captured:
        console.print(laid_out)
    return "\n".join(map(str.rstrip, captured.get().splitlines()))


def _indented(table: Table) -> Iterator[Sequence[str]]:
    last = table.names - 1
    for above, rows in groupby(table.rows, key=lambda row: row[:last]):
        indent = ""
        if above:
            yield (", ".join(above), *[""] * (len(table.head) - table.names))
            indent = "  "
        for row in rows:
            yield (indent + row[last], *row[table.names :])


def as_markdown(tables: Sequence[Table]) -> str:
    """The same for a README, an issue or a job summary."""
    return "\n\n".join(f"**{_escaped(table.title)}**\n\n{_markdown(table)}" for table in tables)


def _markdown(table: Table) -> str:
    numbers = len(table.head) - table.names
    ruler = ["---"] * table.names + ["---:"] * numbers
    lines = [_line(map(_escaped, table.head)), _line(ruler)]
    for row in table.rows:
        lines.append(_line(map(_escaped, row)))
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(cell: str) -> str:
    """Text of tasks and agents is shown as it is: no markup, no other cell."""
    for mark in "\\`*_[]":
        cell = cell.replace(mark, f"\\{mark}")
    for mark in "<>|":
        cell = cell.replace(mark, f"&#{ord(mark)};")
    return " ".join(harmless(cell).split())


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line per row; columns are those of all rows, in order of their first mention."""
    names: dict[str, None] = {}
    for row in rows:
        names |= dict.fromkeys(row)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(names), restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return out.getvalue().rstrip("\n")


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # Spreadsheets run text that begins like a formula; an apostrophe keeps it text.
    text = one_line(value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def counted(counts: Mapping[str, int]) -> str:
    """``2 infra, 1 blocked``; empty if there is nothing."""
    named = {"not_run": "not run"}
    return ", ".join(f"{count} {named.get(name, name)}" for name, count in counts.items())


def percent(rate: float | None, digits: int = 1) -> str:
    """``38.5%`` of 0.385; a dash where there is no rate."""
    return "-" if rate is None else f"{rate:.{digits}%}"


def rate_text(counts: str, share: float, rate: float, *, digits: int = 1) -> str:
    """``3 of 6 = 50.0%``; where tasks have unequally many attempts, the rate is not that share."""
    joined = " = " if percent(share, digits) == percent(rate, digits) else ", mean over tasks "
    return f"{counts}{joined}{percent(rate, digits)}"


def span(interval: Sequence[float] | None, digits: int = 1) -> str:
    """``30.4 to 47.4%`` of 0.304 and 0.474; a dash where there is no interval."""
    if interval is None:
        return "-"
    low, high = interval
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}%"


def p_text(p: float) -> str:
    """``p < 0.001`` or ``p = 0.031``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
