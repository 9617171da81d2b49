"""Pairs as sentences, tables, JSON and flat lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .compare import Pair
from .items import plain
from .tables import Table, p_text, percent


def sentence(pair: Pair) -> str:
    """The finding, as one sentence."""
    if pair.difference is None:
        return f"{pair.a} and {pair.b} share no task that both were graded on"
    tasks = f"{pair.shared} shared tasks"
    if not pair.real:
        return (
            f"no difference between {pair.a} and {pair.b} that {tasks} can show "
            f"({p_text(pair.p_corrected)}; {_least(pair)})"
        )
    better, worse = (pair.b, pair.a) if pair.difference > 0 else (pair.a, pair.b)
    return f"{better} {_more(pair)} than {worse}: real ({p_text(pair.p_corrected)})"


def _more(pair: Pair) -> str:
    assert pair.difference is not None, "there are shared tasks"
    if pair.repeats:
        return f"passes {100 * abs(pair.difference):.1f} points more often on {pair.shared} shared tasks"
    return f"solves {abs(pair.only_b - pair.only_a)} more of {pair.shared} shared tasks"


def _least(pair: Pair) -> str:
    if pair.least_gap is None:
        return "they are too few to show any"
    return f"they show one of {100 * pair.least_gap:.0f} points in 80 % of cases"


def comparison_tables(pairs: Sequence[Pair]) -> list[Table]:
    """One table per pair."""
    return [_pair_table(pair, len(pairs)) for pair in pairs]


def _pair_table(pair: Pair, pairs: int) -> Table:
    mixed = [("now and then", str(pair.mixed))] if pair.repeats else []
    lines = [
        ("tasks both were graded on", str(pair.shared)),
        ("solved by both", str(pair.both)),
        ("only by A", str(pair.only_a)),
        ("only by B", str(pair.only_b)),
        ("by neither", str(pair.neither)),
        *mixed,
        *(_numbers(pair, pairs) if pair.shared else ()),
        (
            "left out: graded for A only, B only, neither",
            f"{pair.left_out.graded_for_a}, {pair.left_out.graded_for_b}, {pair.left_out.for_neither}",
        ),
    ]
    return Table(f"A = {pair.a}, B = {pair.b}", ("", "tasks"), tuple(lines))


def _numbers(pair: Pair, pairs: int) -> list[tuple[str, str]]:
    assert pair.difference is not None
    assert pair.interval is not None
    low, high = pair.interval
    gap = "any is too small" if pair.least_gap is None else f"{100 * pair.least_gap:.1f} points"
    lines = [
        (f"rate of A on these {pair.shared}", percent(pair.rate_a, 2)),
        (f"rate of B on these {pair.shared}", percent(pair.rate_b, 2)),
        ("B - A", f"{100 * pair.difference:+.1f} points"),
        (f"95 % interval, {pair.groups} {pair.drawn_by}s drawn", f"{100 * low:+.1f} to {100 * high:+.1f} points"),
        (f"{pair.test} test", p_text(pair.p)),
    ]
    if pairs > 1:
        lines.append((f"corrected for {pairs} comparisons (Holm)", p_text(pair.p_corrected)))
    return [*lines, ("least gap seen in 80 % of cases", gap)]


def comparison_data(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The pairs as JSON, each with its sentence."""
    return {"version": 1, "pairs": [{**plain(pair), "real": pair.real, "sentence": sentence(pair)} for pair in pairs]}


def comparison_lines(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """The pairs as flat lines, without their tasks."""
    lines = []
    for pair in pairs:
        data = {**plain(pair), "real": pair.real, "notes": "; ".join(pair.notes)}
        interval, left_out = data.pop("interval") or {"low": None, "high": None}, data.pop("left_out")
        del data["tasks"]
        lines.append(data | {f"interval_{end}": value for end, value in interval.items()} | left_out)
    return lines
