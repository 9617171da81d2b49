"""What a file of recorded steps holds: counts, and the sizes of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from .records import RecordedStep

_GROUPS: Final = ("split", "website", "op", "role")


def file_data(steps: Iterable[RecordedStep]) -> dict[str, Any]:
    """Counts for ``--json``; ``characters`` are lengths of pages, null where there are no steps."""
    counts: dict[str, Counter[str]] = {group: Counter() for group in _GROUPS}
    tasks: set[str] = set()
    sizes: list[int] = []
    without_target = 0
    for step in steps:
        tasks.add(step.task_id)
        sizes.append(len(step.cleaned_html))
        if not step.targets:
            without_target += 1
        for group, counter in counts.items():
            counter[str(getattr(step, group)) or "(unknown)"] += 1
    return {
        "steps": len(sizes),
        "tasks": len(tasks),
        "without_target": without_target,
        "characters": _spread(sorted(sizes)),
        "by": {group: dict(counter.most_common()) for group, counter in counts.items()},
    }


def _spread(sizes: list[int]) -> dict[str, int] | None:
    if not sizes:
        return None
    return {"least": sizes[0], "median": sizes[len(sizes) // 2], "most": sizes[-1]}


def file_lines(data: dict[str, Any]) -> Iterator[str]:
    """The same for a terminal, from what `file_data` returns."""
    yield (
        f"{data['steps']} steps of {data['tasks']} tasks, {data['without_target']} without a target"
    )
    sizes = data["characters"]
    if sizes:
        yield (
            f"pages: {sizes['least']:,} to {sizes['most']:,} characters, median {sizes['median']:,}"
        )
    for group, counts in data["by"].items():
        shown = ", ".join(f"{name} {count}" for name, count in counts.items())
        yield f"by {group}: {shown}"
