"""``--webbench-rescore TAG``: items report stored episodes, judged again; no agent runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from ..checks import Probe
from ..errors import StoreError
from ..evidence.models import Read
from ..run import LedgerEntry, RunDir
from ..run.ledger import latest
from ..run.rejudge import Rejudged, record_changes, rejudge, stored_attempt, written
from ..run.task_job import TaskJob
from .services import RequestServices

_FLIP: Final = "webbench_flip"


class Rescoring:
    """Judges episodes of ``run`` again; changes go to the ledger of ``worker``."""

    def __init__(self, run: RunDir, worker: str) -> None:
        self._run, self._worker = run, worker

    def judge_again(self, job: TaskJob, services: RequestServices) -> LedgerEntry:
        """The ledger's line about a job as it is judged now; `StoreError` if nothing is stored."""
        run = self._run
        attempts = run.attempts_at(job.key)
        if not attempts:
            raise StoreError(
                f"run {run.path.name} holds no episode of {job.task.id} by {job.key.agent}: "
                f"run it with --webbench-run {run.path.name}"
            )
        stored = stored_attempt(run, latest(attempts)[job.key], job.task)
        shown = Path(services.shown(run.path)).as_posix()
        result = written(rejudge(stored, shown, _ArchiveOnDemand(services)))
        if result.problem and result.entry.outcome != "unscored":
            raise StoreError(f"{job.task.id} cannot be judged again: {result.problem}")
        record_changes(run, [result], self._worker)
        if result.flipped:
            # User properties are what xdist carries from a worker to the controller.
            services.item.user_properties.append((_FLIP, _flip_text(result)))
        return result.entry


def flips(reports: Iterable[pytest.TestReport]) -> list[str]:
    """One line, with the reasons, for each item whose outcome changed in this session."""
    found = {}
    for report in reports:
        for name, text in getattr(report, "user_properties", ()):
            if name == _FLIP:
                found[report.nodeid] = text
    return [f"{nodeid.rpartition('::')[2]}: {text}" for nodeid, text in sorted(found.items())]


def _flip_text(result: Rejudged) -> str:
    return f"{result.before} -> {result.after}: {'; '.join(result.reasons)}"


class _ArchiveOnDemand:
    """Opens the session's offline browser when the first archived page is needed."""

    def __init__(self, services: RequestServices) -> None:
        self._services = services

    def read(self, path: Path, probes: Sequence[Probe]) -> dict[str, Read]:
        pages: Any = self._services.fixture("webbench_archive")
        found: dict[str, Read] = pages.read(path, probes)
        return found
