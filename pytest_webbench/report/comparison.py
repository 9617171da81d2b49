"""Pairs as sentences, tables, JSON and flat lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .compare import Pair
from .plain import plain
from .tables import Table, p_text, percent


def sentence(pair: Pair) -> str:
    """The finding, as one sentence."""
    if pair.difference is None:
        return f"{pair.a} and {pair.b} share no task that both were graded on"
    if not pair.real:
        return (
            f"no difference between {pair.a} and {pair.b} that {_shared(pair)} can show "
            f"({p_text(pair.p_corrected)}; {_least(pair)})"
        )
    better, worse = pair.a, pair.b
    if pair.difference > 0:
        better, worse = worse, better
    gain = _gain(pair, abs(pair.difference))
    return f"{better} {gain} than {worse}: real ({p_text(pair.p_corrected)})"


def _gain(pair: Pair, difference: float) -> str:
    if pair.repeats:
        return f"passes {100 * difference:.1f} points more often on {_shared(pair)}"
    return f"solves {abs(pair.only_b - pair.only_a)} more of {_shared(pair)}"


def _shared(pair: Pair) -> str:
    return f"{pair.shared} shared {pair.unit}s"


def _least(pair: Pair) -> str:
    if pair.least_gap is None:
        return "they are too few to show any"
    return f"they show one of {100 * pair.least_gap:.0f} points in 80 % of cases"


def comparison_tables(pairs: Sequence[Pair]) -> list[Table]:
    """One table per pair."""
    return [_pair_table(pair, len(pairs)) for pair in pairs]


def _pair_table(pair: Pair, pairs: int) -> Table:
    left_out = pair.left_out
    lines = [
        (f"{pair.unit}s both were graded on", str(pair.shared)),
        ("solved by both", str(pair.both)),
        ("only by A", str(pair.only_a)),
        ("only by B", str(pair.only_b)),
        ("by neither", str(pair.neither)),
    ]
    if pair.repeats:
        lines.append(("now and then", str(pair.mixed)))
    if pair.shared:
        lines += _numbers(pair, pairs)
    lines.append(
        (
            "left out: graded for A only, B only, neither",
            f"{left_out.graded_for_a}, {left_out.graded_for_b}, {left_out.for_neither}",
        )
    )
    return Table(f"A = {pair.a}, B = {pair.b}", ("", f"{pair.unit}s"), tuple(lines))


def _numbers(pair: Pair, pairs: int) -> list[tuple[str, str]]:
    assert pair.difference is not None, "there are shared tasks"
    assert pair.interval is not None, "there are shared tasks"
    low, high = pair.interval
    lines = [
        (f"rate of A on these {pair.shared}", percent(pair.rate_a, 2)),
        (f"rate of B on these {pair.shared}", percent(pair.rate_b, 2)),
        ("B - A", f"{100 * pair.difference:+.1f} points"),
        (
            f"95 % interval, {pair.groups} {pair.drawn_by}s drawn",
            f"{100 * low:+.1f} to {100 * high:+.1f} points",
        ),
        (f"{pair.test} test", p_text(pair.p)),
    ]
    if pairs > 1:
        lines.append((f"corrected for {pairs} comparisons (Holm)", p_text(pair.p_corrected)))
    gap = "any is too small"
    if pair.least_gap is not None:
        gap = f"{100 * pair.least_gap:.1f} points"
    return [*lines, ("least gap seen in 80 % of cases", gap)]


def comparison_data(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The pairs as JSON, each with its sentence."""
    data = []
    for pair in pairs:
        data.append({**plain(pair), "real": pair.real, "sentence": sentence(pair)})
    return {"version": 1, "pairs": data}


def comparison_lines(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """The pairs as flat lines, without their tasks."""
    return list(map(_line, pairs))


def _line(pair: Pair) -> dict[str, Any]:
    data = {**plain(pair), "real": pair.real, "notes": "; ".join(pair.notes)}
    interval = data.pop("interval") or {"low": None, "high": None}
    left_out = data.pop("left_out")
    del data["tasks"]
    ends = {"interval_low": interval["low"], "interval_high": interval["high"]}
    return {**data, **ends, **left_out}
