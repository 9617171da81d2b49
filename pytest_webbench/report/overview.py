"""Rows of a summary as tables, as JSON and as flat lines for CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..stats import Share
from .items import plain
from .rows import Amount, By, Row
from .tables import Table, percent, span


def overview_tables(rows: Sequence[Row]) -> list[Table]:
    """Outcomes and rates; what it took, where that is known; repeats, where there are any."""
    name = _namer(rows)
    tables = [_outcomes(rows, name), _rates(rows, name)]
    if any(row.seconds or row.steps or row.cost for row in rows):
        tables.append(_effort(rows, name))
    repeated = [row for row in rows if row.spread]
    return [*tables, _at_k(repeated, name), _spread(repeated, name)] if repeated else tables


Namer = Callable[[Row | None], tuple[str, ...]]


def _namer(rows: Sequence[Row]) -> Namer:
    """Cells that name a row, or head them; what is the same in all rows is left out, but for the agent."""
    columns: dict[str, Callable[[Row], str]] = {}
    by = rows[0].by if rows else By.SUITE
    if len({row.suite for row in rows}) > 1:
        columns["suite"] = lambda row: row.suite
    if by is not By.SUITE:
        columns[by.value] = lambda row: row.group or "(none)"
    if len({row.run for row in rows}) > 1:
        columns["run"] = lambda row: row.run
    columns["agent"] = lambda row: row.agent
    return lambda row: tuple(columns) if row is None else tuple(cell(row) for cell in columns.values())


def _table(
    title: str, rows: Sequence[Row], name: Namer, head: Sequence[str], cells: Callable[[Row], Sequence[str]]
) -> Table:
    names = name(None)
    return Table(title, (*names, *head), tuple((*name(row), *cells(row)) for row in rows), len(names))


def _outcomes(rows: Sequence[Row], name: Namer) -> Table:
    def cells(row: Row) -> Sequence[str]:
        reasons = ", ".join(f"{count} {reason}" for reason, count in row.unscored.items())
        return str(row.n), str(row.passed), str(row.failed), reasons or "0"

    return _table("Outcomes", rows, name, ("items", "passed", "failed", "unscored"), cells)


def _rates(rows: Sequence[Row], name: Namer) -> Table:
    def cells(row: Row) -> Sequence[str]:
        graded = row.passed + row.failed
        rate = f"{row.passed} of {graded} = {percent(row.rate, 2)}" if graded else "nothing graded"
        whole = f"{row.passed} of {row.n} = {percent(row.intention_to_treat.value, 2)}"
        return rate, span(row.interval), whole, f"{percent(row.bounds.high, 2)}"

    head = ("passed of graded", "95 % interval", "unscored = failed", "= passed")
    return _table("Rates", rows, name, head, cells)


def _effort(rows: Sequence[Row], name: Namer) -> Table:
    def cells(row: Row) -> Sequence[str]:
        return (
            _amount(row.steps, _count), _amount(row.seconds, _time), _amount(row.input_tokens, _count),
            _amount(row.output_tokens, _count), _amount(row.cost, _cost),
        )  # fmt: skip

    head = ("steps", "time", "tokens in", "tokens out", "cost")
    return _table("Median of graded items / total of all attempts", rows, name, head, cells)


def _amount(amount: Amount | None, show: Callable[[float], str]) -> str:
    if amount is None:
        return "-"
    return f"{'-' if amount.median is None else show(amount.median)} / {show(amount.total)}"


def _count(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 10 * size:
            return f"{number / size:,.1f}{letter}"
    return f"{number:,.0f}"


def _time(seconds: float) -> str:
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 10 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} s"


def _cost(dollars: float) -> str:
    return f"${dollars:,.2f}" if dollars >= 1 else f"${dollars:.3f}"


def _at_k(rows: Sequence[Row], name: Namer) -> Table:
    names = name(None)
    lines = [
        (*name(row), str(at.k), str(at.pass_at_k.n), _share(at.pass_at_k), _share(at.all_k))
        for row in rows
        for at in row.at_k
    ]
    head = (*names, "k", "tasks", "pass@k (95 % interval)", "all k pass (95 % interval)")
    return Table("Of k attempts at a task", head, tuple(lines), len(names))


def _spread(rows: Sequence[Row], name: Namer) -> Table:
    def cells(row: Row) -> Sequence[str]:
        assert row.spread is not None, "rows without repeats were left out"
        always, some, never = row.spread.always, row.spread.sometimes, row.spread.never
        return (
            str(row.spread.flaky.n), str(always), str(some), str(never), _share(row.spread.flaky),
            percent(row.spread.disagreement),
        )  # fmt: skip

    head = ("tasks", "always", "at times", "never", "flaky (95 % interval)", "pairs differ")
    return _table("Attempts at the same task pass", rows, name, head, cells)


def _share(share: Share) -> str:
    return f"{percent(share.value)} ({span(share.interval)})"


def overview_data(rows: Sequence[Row]) -> dict[str, Any]:
    """The rows as JSON."""
    return {"version": 1, "rows": plain(rows)}


def overview_lines(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as flat lines: one column per number."""
    return [_flat(plain(row)) for row in rows]


def _flat(data: dict[str, Any]) -> dict[str, Any]:
    line: dict[str, Any] = {}
    at_k = data.pop("at_k")
    for name, value in data.items():
        if isinstance(value, dict):
            inner = _flat({**value, "at_k": []})
            line |= {f"{name}_{part}": content for part, content in inner.items()}
        else:
            line[name] = " ".join(value) if isinstance(value, list) else value
    for at in at_k:
        line[f"pass_at_{at['k']}"], line[f"all_{at['k']}"] = at["pass_at_k"]["value"], at["all_k"]["value"]
    return line
