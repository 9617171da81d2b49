"""Whether an agent is as often right as its last probability in an episode says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..run import RunDir
from ..run.integrity import inspect
from ..stats.calibration import Reliability, probabilities, reliability


def calibration_of(run: RunDir) -> dict[str, Reliability]:
    """By agent, over all graded episodes whose last decision came with a probability.

    Agents without any are left out. In an episode of many steps the last decision is the one to
    stop; a recorded step has no other.
    """
    pairs: dict[str, list[tuple[float, bool]]] = {}
    for key, recorded in run.results().items():
        entry = inspect(run, recorded).entry
        said = probabilities(run.stored_episode(entry).journal())
        if said and entry.outcome != "unscored":
            pairs.setdefault(key.agent, []).append((said[max(said)], entry.outcome == "passed"))
    return {agent: reliability(found) for agent, found in sorted(pairs.items())}


def calibration_lines(agent: str, found: Reliability) -> Iterator[str]:
    """One agent's table."""
    yield (
        f"{agent}: {found.n} episodes, expected calibration error {found.error:.3f}, "
        f"Brier score {found.brier:.3f}"
    )
    yield "  said           episodes  passed   95 % interval"
    for one in found.bins:
        said = f"  {one.low:.0%} to {one.high:.0%}"
        low, high = one.interval
        rate = f"{one.rate:.0%}"
        yield f"{said:17}{one.n:>8}  {rate:>6}   {low:.0%} to {high:.0%}"


def calibration_data(found: dict[str, Reliability]) -> dict[str, Any]:
    """The same as data."""
    return {agent: asdict(one) for agent, one in found.items()}
