"""What makes a comparison less than fair: other tasks, judges, worlds, browsers or limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from .results import TaskKey
from .sides import Side

_MOST_TASKS: Final = 5
_MADE_WITH: Final = {"judge_version": "judge version", "world": "world", "browser": "browser"}
"""Fields of attempts, with their names in sentences."""
_OPTIONS: Final = ("max_actions", "max_seconds", "repeats", "seed")


def fairness_notes(a: Side, b: Side, shared: set[TaskKey]) -> Iterator[str]:
    """A sentence for every difference that may explain what came out on the ``shared`` tasks."""
    yield from _task_notes(a, b, shared)
    for name, title in _MADE_WITH.items():
        left, right = _values(a, name, shared), _values(b, name, shared)
        # A side may be mixed in itself. Older runs do not name their browser.
        if left and right and len({*left, *right}) > 1:
            yield f"{title} differs: {_listed(left)} in {a.label}, {_listed(right)} in {b.label}"
    for name in _OPTIONS:
        left, right = _option(a, name), _option(b, name)
        if left != right:
            yield f"option {name} differs: {left} in {a.label}, {right} in {b.label}"


def _task_notes(a: Side, b: Side, shared: set[TaskKey]) -> Iterator[str]:
    left, right = _digests(a), _digests(b)
    changed = []
    without_digest = 0
    for key in sorted(shared):
        if not left.get(key) or not right.get(key):
            without_digest += 1
        elif left[key] != right[key]:
            changed.append(key[1])
    if changed:
        shown = ", ".join(changed[:_MOST_TASKS])
        if len(changed) > _MOST_TASKS:
            shown += f" and {len(changed) - _MOST_TASKS} more"
        yield f"{len(changed)} shared tasks are not the same in both: {shown}"
    if without_digest and a.facts != b.facts:
        yield (
            f"{without_digest} shared tasks have no digest on one side or both, so they may differ"
        )


def _digests(side: Side) -> dict[TaskKey, set[str]]:
    found: dict[TaskKey, set[str]] = {}
    for result in side.results:
        if result.graded and result.entry.task_digest:
            found.setdefault(result.task, set()).add(result.entry.task_digest)
    return found


def _values(side: Side, name: str, shared: set[TaskKey]) -> list[str]:
    found = set()
    for result in side.results:
        if result.graded and result.task in shared:
            found.add(str(getattr(result.entry, name)))
    return sorted(found - {""})


def _listed(values: Sequence[str]) -> str:
    return " and ".join(values) or "none"


def _option(side: Side, name: str) -> Any:
    options = side.facts.get("options")
    if not isinstance(options, Mapping) or options.get(name) is None:
        return "not set"
    return options[name]
