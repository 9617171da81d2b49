"""How benchmarks measure: ways run in turn in one process; medians and ratios count."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """Times of one thing, in seconds."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        least, most = min(self.seconds) * 1000, max(self.seconds) * 1000
        return f"{self.median * 1000:.0f} ms ({least:.0f} to {most:.0f})"


def in_turn(
    ways: Mapping[str, Callable[[], object]], *, rounds: int, warm_up: int = 2
) -> dict[str, Sample]:
    """Runs all ways one after the other, ``rounds`` times: what slows the machine slows all of
    them.
    """
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(warm_up + rounds):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            if turn >= warm_up:
                seconds[name].append(time.perf_counter() - begin)
    return {name: Sample(tuple(values)) for name, values in seconds.items()}


def ratios(ways: Mapping[str, Sample], base: str) -> dict[str, float]:
    """Median of the ratios to ``base``, round by round."""
    return {
        name: statistics.median(
            one / other for one, other in zip(way.seconds, ways[base].seconds, strict=True)
        )
        for name, way in ways.items()
    }


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
