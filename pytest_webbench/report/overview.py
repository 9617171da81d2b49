"""Summaries of groups as tables, as JSON and as flat lines for CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from ..run.integrity import Agreement
from ..stats import Share
from .groups import Amount, By, GroupSummary
from .plain import plain
from .results import RunResults
from .tables import Table, counted, percent, rate_text, span

_LEAST: Final = 1e-10
"""Dollars; less is shown as nothing."""

Cells = Callable[[GroupSummary], tuple[str, ...]]


def overview_tables(groups: Sequence[GroupSummary]) -> list[Table]:
    """Outcomes and rates; what it took, where that is known; repeats, where there are any."""
    columns = _Columns.of(groups)
    tables = [
        columns.table(
            "Outcomes",
            ("items", "passed", "failed", "unscored"),
            cells=_outcomes,
            groups=groups,
        ),
        columns.table(
            "Rates",
            ("passed of graded", "95 % interval", "unscored = failed", "= passed"),
            cells=_rates,
            groups=groups,
        ),
    ]
    if any(group.seconds or group.steps or group.cost for group in groups):
        head: tuple[str, ...] = ("steps", "time", "tokens in", "tokens out", "cost")
        title = "Median of graded items / total of all attempts"
        tables.append(columns.table(title, head, cells=_effort, groups=groups))
    repeated = [group for group in groups if group.spread]
    if repeated:
        head = ("tasks", "always", "at times", "never", "flaky (95 % interval)", "pairs differ")
        title = "Attempts at the same task pass"
        tables.append(_at_k_table(columns, repeated))
        tables.append(columns.table(title, head, cells=_spread, groups=repeated))
    return tables


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that name a group: what is the same in all is left out, but for the agent."""

    head: tuple[str, ...]
    cells: Cells

    @classmethod
    def of(cls, groups: Sequence[GroupSummary]) -> _Columns:
        columns: dict[str, Callable[[GroupSummary], str]] = {}
        if _differ(groups, "suite"):
            columns["suite"] = lambda group: group.suite
        if groups and groups[0].by is not By.SUITE:
            columns[groups[0].by.value] = lambda group: group.group or "(none)"
        if _differ(groups, "run"):
            columns["run"] = lambda group: group.run
        columns["agent"] = lambda group: group.agent
        return cls(tuple(columns), lambda group: tuple(cell(group) for cell in columns.values()))

    def table(
        self, title: str, head: tuple[str, ...], *, cells: Cells, groups: Sequence[GroupSummary]
    ) -> Table:
        rows = []
        for group in groups:
            rows.append((*self.cells(group), *cells(group)))
        return Table(title, (*self.head, *head), tuple(rows), len(self.head))


def _differ(groups: Sequence[GroupSummary], name: str) -> bool:
    return len(set(map(attrgetter(name), groups))) > 1


def _outcomes(group: GroupSummary) -> tuple[str, ...]:
    unscored = counted(group.unscored) or "0"
    passed = str(group.passed)
    if group.flagged:
        passed += f", {group.flagged} flagged"
    return str(group.n), passed, str(group.failed), unscored


def _rates(group: GroupSummary) -> tuple[str, ...]:
    graded = group.passed + group.failed
    rate = "nothing graded"
    if group.rate is not None:
        counts = f"{group.passed} of {graded}"
        rate = rate_text(counts, group.passed / graded, group.rate, digits=2)
    counts, share = f"{group.passed} of {group.n}", group.passed / group.n
    whole = rate_text(counts, share, group.intention_to_treat.value, digits=2)
    return rate, span(group.interval), whole, percent(group.bounds.high, 2)


def _effort(group: GroupSummary) -> tuple[str, ...]:
    return (
        _amount(group.steps, _count),
        _amount(group.seconds, _time),
        _amount(group.input_tokens, _count),
        _amount(group.output_tokens, _count),
        _amount(group.cost, _cost),
    )


def _amount(amount: Amount | None, show: Callable[[float], str]) -> str:
    if amount is None:
        return "-"
    median = "-" if amount.median is None else show(amount.median)
    return f"{median} / {show(amount.total)}"


def _count(number: float) -> str:
    # From ten of a unit on, so that at least two digits are shown.
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
    if dollars >= 1:
        return f"${dollars:,.2f}"
    # Two digits that say something, however small it is.
    digits = 3 if dollars < _LEAST else max(3, 1 - math.floor(math.log10(dollars)))
    return f"${dollars:.{digits}f}"


def _at_k_table(columns: _Columns, groups: Sequence[GroupSummary]) -> Table:
    rows = []
    for group in groups:
        for at in group.at_k:
            shares = (_share(at.pass_at_k), _share(at.all_k))
            rows.append((*columns.cells(group), str(at.k), str(at.pass_at_k.n), *shares))
    head = ("k", "tasks", "pass@k (95 % interval)", "all k pass (95 % interval)")
    names = columns.head
    return Table("Of k attempts at a task", (*names, *head), tuple(rows), len(names))


def _spread(group: GroupSummary) -> tuple[str, ...]:
    spread = group.spread
    assert spread is not None, "groups without repeats were left out"
    counts = (spread.flaky.n, spread.always, spread.sometimes, spread.never)
    return (*map(str, counts), _share(spread.flaky), percent(spread.disagreement))


def _share(share: Share) -> str:
    return f"{percent(share.value)} ({span(share.interval)})"


def overview_data(
    groups: Sequence[GroupSummary], runs: Sequence[RunResults] = ()
) -> dict[str, Any]:
    """The summaries as JSON, and whether the results of ``runs`` agree with their evidence."""
    return {"version": 1, "rows": plain(groups), "integrity": list(map(_integrity_data, runs))}


def _integrity_data(run: RunResults) -> dict[str, Any]:
    found = run.integrity
    return {
        "run": run.tag,
        "episodes": found.episodes,
        "agree": found.agreeing,
        "differ": found.counts.get(Agreement.DIFFERS, 0),
        "no_evidence": found.counts.get(Agreement.NO_EVIDENCE, 0),
        "other_judge": found.counts.get(Agreement.OTHER_JUDGE, 0),
        "unchecked_seals": found.unchecked,
        "problems": list(found.problems),
    }


def overview_lines(groups: Sequence[GroupSummary]) -> list[dict[str, Any]]:
    """The summaries as flat lines: one column per number."""
    lines = []
    for group in groups:
        data = plain(group)
        at_k = data.pop("at_k")
        line = _flat(data)
        for at in at_k:
            line[f"pass_at_{at['k']}"] = at["pass_at_k"]["value"]
            line[f"all_{at['k']}"] = at["all_k"]["value"]
        lines.append(line)
    return lines


def _flat(data: dict[str, Any]) -> dict[str, Any]:
    """Members of members as members: ``{"a": {"b": 1}}`` as ``{"a_b": 1}``."""
    line: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            for part, content in _flat(value).items():
                line[f"{name}_{part}"] = content
        elif isinstance(value, list):
            line[name] = " ".join(value)
        else:
            line[name] = value
    return line
