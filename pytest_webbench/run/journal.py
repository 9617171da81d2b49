"""An agent's own account of an episode: ``agent.jsonl``, and what its model has cost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

from pydantic import JsonValue

from .._usage import Usage
from .episode_folder import EpisodeFolder

LONGEST_LINE: Final = 100_000
"""Characters."""
MOST_LINES: Final = 10_000
MOST_CHARACTERS: Final = 20_000_000
"""Of all lines together."""


class EpisodeJournal:
    """Writes one line per note, with the seconds since the episode began, secrets taken out."""

    def __init__(self, folder: EpisodeFolder, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._begin = clock()
        self._lines = self._characters = 0
        self._is_full = False
        self._usage = Usage()

    def note(self, kind: str, **facts: JsonValue) -> None:
        """Something worth keeping.

        Long notes are cut; beyond `MOST_LINES` or `MOST_CHARACTERS`, none are kept.
        """
        if self._is_full:
            return
        self._lines += 1
        at = round(self._clock() - self._begin, 3)
        if self._lines == MOST_LINES or self._characters > MOST_CHARACTERS:
            self._is_full = True
            self._folder.note(_line({"kind": "full", "at": at}))
            return
        # Redacted before it is cut: half a secret would not be recognised.
        line = self._folder.redacted(_line({**facts, "kind": kind, "at": at}))
        if len(line) > LONGEST_LINE:
            line = _line({"cut": line[: LONGEST_LINE // 2], "kind": kind, "at": at})
        self._characters += len(line)
        self._folder.note(line)

    def spend(self, usage: Usage) -> None:
        """A model was asked."""
        self._usage = (self._usage + usage.bounded()).bounded()

    def account(self) -> dict[str, Any]:
        """The fields of the ledger about what was spent; seconds, tokens, US dollars."""
        used = self._usage
        return {
            "model_calls": used.calls,
            "model_seconds": round(used.seconds, 3),
            "input_tokens": used.input_tokens,
            "output_tokens": used.output_tokens,
            "cost": None if used.cost is None else round(used.cost, 8),
        }


def _line(facts: dict[str, Any]) -> str:
    # `default`: an agent may note anything, and an episode must not fail for it.
    return json.dumps(facts, sort_keys=True, ensure_ascii=False, default=str)
