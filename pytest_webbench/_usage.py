"""What asking a model has cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST: Final = 10**12
"""Largest number of tokens, seconds or dollars that is believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What questions to a model have cost.

    ``cost`` is in US dollars, None if no price is known.
    """

    calls: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            calls=self.calls + other.calls,
            seconds=self.seconds + other.seconds,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=sum(costs) if costs else None,
        )

    def bounded(self) -> Usage:
        """What can be believed of it; it may come from an agent, which can say anything.

        A number that is too large is cut to `MOST`, what is none counts as nothing.
        """
        return Usage(
            calls=int(believed(self.calls) or 0),
            seconds=believed(self.seconds) or 0.0,
            input_tokens=int(believed(self.input_tokens) or 0),
            output_tokens=int(believed(self.output_tokens) or 0),
            cost=believed(self.cost),
        )


def believed(value: object) -> float | None:
    """A number from 0 to `MOST`, which a larger one is cut to; None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not value >= 0:
        return None
    return float(min(value, MOST))
