"""Records one attempt at an item: its folder and its line in the ledger.

with AttemptRecorder(run, key, world="replica", worker="gw0") as attempt:
    folder = attempt.begin(task_json)
    ...                                # run the episode, write files into the folder
    attempt.commit()
    attempt.finish(AttemptResult(finding=..., task_digest=...))
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn, Self

from ..episode.oversight import Will
from ..errors import InfraError, StoreError, UnscoredError, UsageError
from ..judge import Outcome
from ..judge.explanation import Finding
from .directory import RunDir
from .episode_folder import EpisodeFolder
from .journal import EpisodeJournal
from .last_words import LastWords
from .ledger import ItemKey, LedgerEntry

UNSTOPPABLE_EXIT: Final = 70
"""Exit code of a process whose agent could not be interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """How an attempt ended, as the ledger says it. ``steps``: observed actions."""

    finding: Finding
    ending: str = ""
    steps: int = 0
    agent_seconds: float = 0.0
    task_digest: str = ""
    evidence_digest: str = ""
    judge_version: int = 0
    untested: bool = False
    browser: str = ""


_HARNESS_FAILED: Final = AttemptResult(
    finding=Finding(Outcome.UNSCORED, InfraError.reason, "the harness failed")
)


def _now() -> datetime:
    return datetime.now(UTC)


class AttemptRecorder:
    """A block in which one attempt is made; it leaves exactly one line in the ledger.

    What leaves the block decides what the line says:

    - nothing: what `finish` was given;
    - `UnscoredError`: unscored, for the error's reason;
    - `UsageError`, `StoreError`: this was no attempt. No line is written, so that the item runs
      again when the run is resumed;
    - anything else: unscored, because the harness failed.

    The folder gets its final name before the line is written. A kill at any moment therefore leaves
    the whole attempt, or a folder that no line names and that the next attempt replaces.
    """

    def __init__(
        self,
        run: RunDir,
        key: ItemKey,
        *,
        world: str,
        worker: str,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._run, self._key = run, key
        self._world, self._worker, self._clock = world, worker, clock
        self._number = run.next_attempt(key)
        self._started = self._waits_since = clock()
        self._waited = 0.0
        self._folder: EpisodeFolder | None = None
        self._task_json = ""
        self._committed: Path | None = None
        self._journal: EpisodeJournal | None = None
        self._result: AttemptResult | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, UsageError | StoreError):
            return
        if self._result is None and isinstance(error, UnscoredError):
            self._result = self._unscored(error)
        self._record(self._result or _HARNESS_FAILED)

    def begin(
        self, task_json: str, on_unstoppable: Callable[[], None] = lambda: None
    ) -> EpisodeFolder:
        """Open the attempt's folder.

        ``task_json`` holds the checks, so it is written when the attempt is over: whatever reads
        the folder while the agent acts does not find them.
        ``on_unstoppable`` is called, in another thread, when the agent cannot be interrupted.
        """
        self._folder = self._run.begin_episode(
            self._key, attempt=self._number, on_unstoppable=on_unstoppable
        )
        self._task_json = task_json
        return self._folder

    def will(self, result: AttemptResult, *, seconds: float) -> Will:
        """What another process has to do in our name if it ends this one after ``seconds``."""
        assert self._folder is not None, "begin() opens the folder"
        self._committed = self._folder.final
        entry = self._line(result).model_copy(update={"seconds": seconds})
        self._committed = None
        words = LastWords(
            run=self._run.path.absolute(),
            worker=self._worker,
            entry=entry,
            partial=self._folder.path.absolute(),
            task_json=self._task_json + "\n",
        )
        command = [sys.executable, "-W", "ignore", "-m", LastWords.__module__]
        return {"command": command, "input": words.model_dump_json()}

    def wait(self) -> None:
        """The attempt waits for its turn from now on, until `restart_clock`."""
        self._waits_since = self._clock()

    def restart_clock(self) -> None:
        """Count the attempt's seconds from now: waiting for its turn is not part of it."""
        self._started = self._clock()
        self._waited = (self._started - self._waits_since).total_seconds()

    def open_journal(self) -> EpisodeJournal:
        """The agent's own account, whose sums the line will hold. Needs `begin`."""
        assert self._folder is not None, "begin() opens the folder that the journal is written to"
        self._journal = EpisodeJournal(self._folder)
        return self._journal

    def commit(self) -> Path:
        """Write ``task.json`` and give the folder its final name; nothing is added any more."""
        assert self._folder is not None, "begin() opens the folder"
        self._folder.write("task.json", self._task_json + "\n")
        self._committed, self._folder = self._folder.commit(), None
        return self._committed

    def finish(self, result: AttemptResult) -> None:
        """Say how the attempt ended. The line is written when the block is left."""
        self._result = result

    def end_process(self, result: AttemptResult) -> NoReturn:
        """Record ``result`` and end this process at once.

        For an agent that cannot be interrupted: nothing but the end of the process ends its code.
        Under xdist another worker takes over.
        """
        try:
            self._record(result)
        finally:
            # Not sys.exit(): that raises in this thread, while the agent's code goes on in the main
            # one.
            os._exit(UNSTOPPABLE_EXIT)

    def _unscored(self, error: UnscoredError) -> AttemptResult:
        if self._folder is not None:
            self._folder.log(str(error))
        return AttemptResult(finding=Finding(Outcome.UNSCORED, error.reason, str(error)))

    def _record(self, result: AttemptResult) -> None:
        # Before the line is written: a line must not name a folder that is not there yet.
        if self._folder is not None:
            self.commit()
        self._run.record(self._line(result), self._worker)

    def _line(self, result: AttemptResult) -> LedgerEntry:
        seconds = (self._clock() - self._started).total_seconds()
        spent: dict[str, Any] = {} if self._journal is None else self._journal.account()
        folder = ""
        if self._committed is not None:
            folder = self._committed.relative_to(self._run.path).as_posix()
        return LedgerEntry(
            **self._key._asdict(),
            attempt=self._number,
            world=self._world,
            outcome=result.finding.outcome.value,
            reason=result.finding.reason,
            detail=result.finding.text,
            brief=result.finding.brief,
            flags=result.finding.flags,
            untested=result.untested,
            browser=result.browser,
            ending=result.ending,
            steps=result.steps,
            seconds=round(seconds, 3),
            waited=round(max(0.0, self._waited), 3),
            agent_seconds=round(result.agent_seconds, 3),
            # In UTC, so that these texts sort by time.
            started=self._started.isoformat(),
            worker=self._worker,
            folder=folder,
            task_digest=result.task_digest,
            evidence_digest=result.evidence_digest,
            judge_version=result.judge_version,
            **spent,
        )
