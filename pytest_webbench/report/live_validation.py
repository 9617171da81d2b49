"""How the solutions of tasks have fared on the live sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from ..errors import BlockedError, DriftedError
from .results import ItemResult, TaskKey, why_text

_WORDS: Final = ("solved", "drifted", "blocked", "failed", "unknown")


def live_validation_lines(results: Iterable[ItemResult]) -> list[str]:
    """One line per task, with the reason if it is not solved, and a last line that counts them."""
    tasks: dict[TaskKey, list[ItemResult]] = {}
    for result in results:
        tasks.setdefault(result.task, []).append(result)
    width = max((len(task) for _suite, task in tasks), default=0)
    counts: Counter[str] = Counter()
    lines = []
    for (_suite, task), group in sorted(tasks.items()):
        word = _word(group)
        counts[word] += 1
        line = f"{word:7} {task:{width}}  {group[0].plan.site}"
        why = next((why_text(one.entry) for one in group if not one.passed), "")
        lines.append(f"{line}: {why}" if why else line)
    others = [f"{counts[word]} {word}" for word in _WORDS[1:] if counts[word]]
    total = f"{counts['solved']} of {len(tasks)} solved on the live sites"
    return [*lines, ", ".join([total, *others])]


def _word(group: Sequence[ItemResult]) -> str:
    """What the attempts at a task's solution say of it; one that tells most speaks for all."""
    found = {result.reason or result.entry.outcome for result in group}
    for word in (DriftedError.reason, "failed", BlockedError.reason):
        if word in found:
            return word
    return "solved" if found == {"passed"} else "unknown"
