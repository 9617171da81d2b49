"""An agent's own account of an episode: ``agent.jsonl``, and what its model has cost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

from pydantic import JsonValue

from ..agents.base import Usage
from .directory import EpisodeFolder

LONGEST_LINE: Final = 100_000
"""Characters."""
MOST_LINES: Final = 10_000


class EpisodeJournal:
    """Writes one line per note, with the seconds since the episode began; the folder takes secrets out."""

    def __init__(self, folder: EpisodeFolder, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._begin = clock()
        self._lines = 0
        self._usage = Usage()

    def note(self, kind: str, **facts: JsonValue) -> None:
        """Something worth keeping."""
        self._lines += 1
        if self._lines > MOST_LINES:
            return
        common = {"kind": kind, "at": round(self._clock() - self._begin, 3)}
        line = self._folder.redacted(_line({**facts, **common}))
        if len(line) > LONGEST_LINE:
            line = _line({"cut": line[: LONGEST_LINE // 2], **common})
        if self._lines == MOST_LINES:
            line = _line({"kind": "full", "at": common["at"]})
        self._folder.note(line)

    def spend(self, usage: Usage) -> None:
        """A model was asked."""
        self._usage += usage

    def account(self) -> dict[str, Any]:
        """What the ledger says of it."""
        used = self._usage
        return {
            "model_calls": used.calls,
            "model_seconds": round(used.seconds, 3),
            "input_tokens": used.input_tokens,
            "output_tokens": used.output_tokens,
            "cost": None if used.cost is None else round(used.cost, 8),
        }


def _line(facts: dict[str, Any]) -> str:
    return json.dumps(facts, sort_keys=True, ensure_ascii=False, default=str)
