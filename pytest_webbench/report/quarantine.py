"""What a validation in the live world puts into quarantine, and what it lets out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from .._suite_files import suite_folder_of
from .._text import one_line
from .._worlds import LIVE
from ..errors import DriftedError
from ..run.quarantine import write_quarantine
from ..task.quarantine import FILE, Quarantined, read_quarantine
from .results import ItemResult


def update_quarantine(results: Sequence[ItemResult], root: Path) -> Iterator[str]:
    """Write down which tasks have drifted, and let out those that are solved again.

    ``results`` are those of a validation in the live world, ``root`` is pytest's. What is told is a
    line per suite.
    """
    by_suite: dict[Path, list[ItemResult]] = {}
    for result in results:
        folder = suite_folder_of(root / result.plan.nodeid.partition("::")[0])
        if folder is not None and result.entry.world == LIVE:
            by_suite.setdefault(folder, []).append(result)
    for folder, group in by_suite.items():
        before = read_quarantine(folder)
        after = {**before, **_drifted(group)}
        for task in _solved(group):
            after.pop(task, None)
        if after != before:
            write_quarantine(folder, after)
        yield _told(before.keys(), after.keys(), folder / FILE)


def _drifted(results: Iterable[ItemResult]) -> dict[str, Quarantined]:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    found = {}
    for result in results:
        if result.reason == DriftedError.reason:
            why = result.entry.brief or result.entry.detail or "it has drifted"
            found[result.plan.task] = Quarantined(on=today, reason=one_line(why))
    return found


def _solved(results: Iterable[ItemResult]) -> set[str]:
    """Tasks whose solutions have all passed."""
    outcomes: dict[str, set[str]] = {}
    for result in results:
        outcomes.setdefault(result.plan.task, set()).add(result.entry.outcome)
    return {task for task, found in outcomes.items() if found == {"passed"}}


def _told(before: Iterable[str], after: Iterable[str], file: Path) -> str:
    new, out = sorted(set(after) - set(before)), sorted(set(before) - set(after))
    parts = []
    if new:
        parts.append(f"new: {', '.join(new)}")
    if out:
        parts.append(f"let out: {', '.join(out)}")
    changes = "; ".join(parts) or "nothing has changed"
    return f"quarantine: {len(set(after))} tasks in {file}; {changes}"
