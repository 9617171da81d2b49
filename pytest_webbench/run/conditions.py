"""Under which conditions a run's results were made: a tag never mixes results that were made under different ones.

    run.json, "conditions": {"agents": {label: {...}}, "suites": {name: {...}}}

What a session adds is kept. What differs from what scored results were made under is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..errors import NeedsJudgeError, SettingsError
from .ledger import LedgerEntry

KEY: Final = "conditions"
_KINDS: Final = ("agents", "suites")
_MOST: Final = 20
_LONGEST: Final = 200


def counts(entry: LedgerEntry) -> bool:
    """Whether a resumed run keeps this attempt: it is scored, or nobody but a judge can say more."""
    return entry.outcome != "unscored" or entry.reason == NeedsJudgeError.reason


def merged(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Both, the newer where both tell of the same agent or suite."""
    return {kind: {**before.get(kind, {}), **now.get(kind, {})} for kind in _KINDS}


def refuse_changes(
    tag: str, before: Mapping[str, Any], now: Mapping[str, Any], results: Mapping[Any, LedgerEntry]
) -> None:
    """`SettingsError` that names every difference to what the scored results among ``results`` were made under."""
    kept = [entry for entry in results.values() if counts(entry)]
    scored = {"agents": {entry.agent for entry in kept}, "suites": {entry.suite for entry in kept}}
    changes = [
        change
        for kind in _KINDS
        for name, told in sorted(now.get(kind, {}).items())
        if name in scored[kind] and name in before.get(kind, {})
        for change in differences(before[kind][name], told, f"{kind[:-1]} {name}")
    ]
    if changes:
        listed = "\n".join(f"  {change}" for change in shortened(changes))
        raise SettingsError(
            f"run {tag} holds results that were made under other conditions:\n{listed}\n"
            "set them as they were to go on with it, or take a new tag with --webbench-run"
        )


def differences(before: Any, now: Any, where: str) -> Iterator[str]:
    """Every value that is another now, with its path."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            yield from differences(before.get(name), now.get(name), f"{where}, {name}")
    elif before != now:
        yield f"{where}: was {_shown(before)}, is {_shown(now)}"


def shortened(lines: list[str]) -> list[str]:
    """The first of many."""
    return [*lines[:_MOST], f"... and {len(lines) - _MOST} more"] if len(lines) > _MOST + 1 else lines


def _shown(value: Any) -> str:
    text = "not set" if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
