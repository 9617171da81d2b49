"""Tasks in quarantine are skipped in the live world."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from .._suite_files import suite_folder_of
from .._worlds import LIVE
from ..run.work_item import WorkItem
from ..task.quarantine import Quarantined, read_quarantine
from .settings import Settings


def quarantine(
    works: Iterable[tuple[pytest.Item, WorkItem]], settings: Settings
) -> dict[pytest.Item, str]:
    """Items that are not run, each with the reason; they are marked to be skipped.

    None in other worlds, and none where tasks are validated or judged again. `TaskFileError` if a
    suite's quarantine cannot be used.
    """
    found: dict[pytest.Item, str] = {}
    known: dict[Path, dict[str, Quarantined]] = {}
    for item, work in works:
        folder = suite_folder_of(item.path)
        if folder is None:
            continue
        if folder not in known:
            known[folder] = read_quarantine(folder)
        entry = known[folder].get(work.key.task)
        if entry is not None and settings.runs_agents and work.world == LIVE:
            found[item] = str(entry)
            item.add_marker(pytest.mark.skip(reason=str(entry)))
    return found
