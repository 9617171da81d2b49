"""Whether an agent is as often right as its last probability in an episode says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..run import RunDir
from ..stats.calibration import Reliability, probabilities, reliability


def calibration_of(run: RunDir) -> dict[str, Reliability]:
    """By agent, over all graded episodes whose last decision came with a probability; agents without any are left out.

    In an episode of many steps the last decision is the one to stop; a recorded step has no other.
    """
    pairs: dict[str, list[tuple[float, bool]]] = {}
    for key, entry in run.results().items():
        probability = _last_probability(run.path / entry.folder / "agent.jsonl")
        if entry.outcome != "unscored" and probability is not None:
            pairs.setdefault(key.agent, []).append((probability, entry.outcome == "passed"))
    return {agent: reliability(found) for agent, found in sorted(pairs.items())}


def _last_probability(journal: Path) -> float | None:
    try:
        text = journal.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = probabilities(text.split("\n"))
    return found[max(found)] if found else None


def calibration_lines(agent: str, found: Reliability) -> Iterator[str]:
    """One agent's table."""
    yield f"{agent}: {found.n} episodes, expected calibration error {found.error:.3f}, Brier score {found.brier:.3f}"
    yield "  said           episodes  passed   95 % interval"
    for one in found.bins:
        low, high = one.interval
        rate = f"{one.rate:.0%}"
        yield f"  {one.low:.0%} to {one.high:.0%}".ljust(17) + f"{one.n:>8}  {rate:>6}   {low:.0%} to {high:.0%}"


def calibration_data(found: dict[str, Reliability]) -> dict[str, Any]:
    """The same as data."""
    return {agent: asdict(one) for agent, one in found.items()}
