"""Under which conditions a run's results were made: a tag never mixes results of different ones.

    run.json, "conditions": {"agents": {label: {...}}, "suites": {name: {...}}}

What a session adds is kept. What differs from the conditions of results that count is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._text import clip, listed
from ..errors import SettingsError
from .ledger import LedgerEntry, counts

KEY: Final = "conditions"
_KINDS: Final = ("agents", "suites")
_MOST: Final = 20
_LONGEST: Final = 200


def merged(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Both; the newer where both describe the same agent or suite."""
    return {kind: {**before.get(kind, {}), **now.get(kind, {})} for kind in _KINDS}


def refuse_changes(
    tag: str, before: Mapping[str, Any], now: Mapping[str, Any], results: Mapping[Any, LedgerEntry]
) -> None:
    """`SettingsError` with every difference to the conditions of those ``results`` that count."""
    in_use: dict[str, set[str]] = {kind: set() for kind in _KINDS}
    for entry in results.values():
        # What does not count is run again anyway, under today's conditions.
        if counts(entry):
            in_use["agents"].add(entry.agent)
            in_use["suites"].add(entry.suite)
    changes: list[str] = []
    for kind, name in common_names(before, now):
        if name in in_use[kind]:
            where = f"{kind.removesuffix('s')} {name}"
            changes += differences(before[kind][name], now[kind][name], where)
    if changes:
        shown = "\n".join(f"  {change}" for change in listed(changes, _MOST))
        raise SettingsError(
            f"run {tag} holds results that were made under other conditions:\n{shown}\n"
            "restore them to resume the run, or choose a new tag with --webbench-run"
        )


def common_names(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Kind and name of each agent and suite that both describe."""
    for kind in _KINDS:
        for name in sorted({*before.get(kind, {})} & {*now.get(kind, {})}):
            yield kind, name


def differences(before: Any, now: Any, where: str) -> Iterator[str]:
    """A line for every value that has changed, with its path."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            yield from differences(before.get(name), now.get(name), f"{where}, {name}")
    elif before != now:
        yield f"{where}: was {_shown(before)}, is {_shown(now)}"


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    return clip(json.dumps(value, sort_keys=True, ensure_ascii=False), _LONGEST)
