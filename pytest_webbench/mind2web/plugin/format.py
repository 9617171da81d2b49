"""``mind2web.toml``: a suite of recorded steps.

Every session asks this format about its files, so nothing heavy is imported at the top.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from .options import SUITE_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from ...plugin.jobs import Collection
    from .step_job import StepJob


class StepFormat:
    """An `ItemFormat`: each recorded step is an item."""

    def recognises(self, path: Path, *, named: bool) -> bool:
        return path.name == SUITE_FILE

    def items(self, path: Path, collection: Collection) -> Iterable[StepJob]:
        # Loads Playwright, agents and the readers of the dataset.
        from .step_job import step_jobs

        return step_jobs(path, collection)


FORMAT: Final = StepFormat()
"""The entry point ``mind2web`` of the group ``pytest_webbench.formats``."""
