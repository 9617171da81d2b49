"""What a page says before and after it was scrolled: scrolling adds, and never replaces."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from ..checks import Probe
from ..evidence.models import Read

BLOCK_END: Final = "\x1e"
"""Ends a block of visible text, see ``probes.js``."""
_MOST_COMPARED: Final = 10_000
"""Pieces of text; to compare more of them takes too long."""
_NOTHING: Final[tuple[Any, ...]] = (None, "", [])


def grown_state(first: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """The first answer of ``collect``, with all texts of both."""
    texts = {
        "text": grown_text(first["text"], later["text"], "\n"),
        "visible_text": grown_text(first["visible_text"], later["visible_text"], BLOCK_END),
    }
    return {**first, **texts}


def grown_text(first: str, later: str, end: str) -> str:
    """Both texts as one; ``end`` is what their pieces are joined by."""
    return end.join(grown(first.split(end), later.split(end)))


def grown(first: Sequence[str], later: Sequence[str]) -> list[str]:
    """All of ``first`` in its order, and what ``later`` has besides, where it stands there.

    >>> grown(["Lamps", "1", "2"], ["Lamps", "2", "3"])
    ['Lamps', '1', '2', '3']
    """
    if max(len(first), len(later)) > _MOST_COMPARED:
        known = set(first)
        return [*first, *(piece for piece in later if piece not in known)]
    pieces: list[str] = []
    for _, begin, end, later_begin, later_end in SequenceMatcher(None, first, later).get_opcodes():
        pieces += first[begin:end]
        if first[begin:end] != later[later_begin:later_end]:
            pieces += later[later_begin:later_end]
    return pieces


def may_grow(probe: Probe, read: Read) -> bool:
    """Whether a probe asked for text and found none, so that scrolling may still bring it.

    Counts and states are those of the page as the agent left it.
    """
    if probe.name == "visibleText":
        return read.missing or read.value == ""
    if probe.name == "domRows":
        return read.value == []
    if probe.name != "domExtract" or not isinstance(read.value, dict):
        return False
    return any(value in _NOTHING for value in read.value.values())


def grown_read(first: Read, answer: dict[str, Any]) -> Read:
    """The first read with what was missing in it; ``answer`` was given after scrolling."""
    found = answer.get("value")
    if isinstance(first.value, dict) and isinstance(found, dict):
        kept = {name: value for name, value in first.value.items() if value not in _NOTHING}
        return first.model_copy(update={"value": {**first.value, **found, **kept}})
    return first if found is None else Read(value=found)
