"""Notes of an agent's journal in the one shape that the report reads, whatever the agent wrote."""

from __future__ import annotations

from typing import Any, Final

from .encode import clipped, shown

_MOST_TEXT: Final = 4_000
_MOST_CANDIDATES: Final = 20
_MOST_FACTS: Final = 30
_KNOWN: Final = frozenset(
    ("kind", "number", "label", "thought", "probability", "candidates", "error", "fingerprint")
)
"""Members that the report shows by themselves; all others are listed as facts."""


def note_data(note: dict[str, Any]) -> dict[str, Any]:
    """One note."""
    number = note.get("number")
    return {
        "kind": str(note.get("kind", "")),
        "number": number if isinstance(number, int) else None,
        "does": _does(note.get("action")),
        "probability": _probability(note.get("probability")),
        "candidates": _candidates(note.get("candidates")),
        "label": _text(note, "label"),
        "thought": _text(note, "thought"),
        "error": _text(note, "error"),
        "facts": _facts(note),
    }


def _text(note: dict[str, Any], name: str) -> str:
    return clipped(str(note.get(name) or ""), _MOST_TEXT)


def _does(action: Any) -> str:
    """What a decision does, with a plus if Enter is pressed after it."""
    if not isinstance(action, dict):
        return ""
    does = clipped(str(action.get("do", "")), 40)
    if action.get("submit") is True:
        does += "+"
    return does


def _candidates(candidates: Any) -> list[tuple[str, float | None]]:
    if not isinstance(candidates, list):
        return []
    found = []
    for one in candidates[:_MOST_CANDIDATES]:
        if isinstance(one, dict):
            label = clipped(str(one.get("label", "")), 200)
            found.append((label, _probability(one.get("probability"))))
    return found


def _facts(note: dict[str, Any]) -> list[tuple[str, str]]:
    facts = []
    for name, value in note.items():
        if name not in _KNOWN:
            facts.append((str(name), shown(value)))
    return facts[:_MOST_FACTS]


def _probability(value: Any) -> float | None:
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    return None
