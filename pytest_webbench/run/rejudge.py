"""Judges the stored episodes of a run again: reads what lies there, writes what is different now, and nothing else."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from ..checks import Probe
from ..checks.naming import unknown
from ..errors import SettingsError, StoreError
from ..evidence.models import Evidence, Read
from ..judge import Outcome, Verdict, judge
from ..judge.proofs import proof_called
from ..judge.rejudge import is_archived, outcome_text, reasons, told_otherwise, unasked
from ..report.failure import Finding, finding
from ..task import Task
from .directory import RunDir, write_atomically
from .ledger import LedgerEntry
from .lock import alone

_CHUNK: Final = 50
_FEW: Final = 400
"""So many episodes are judged before other processes have started."""


class PageArchive(Protocol):
    """Answers questions from archived pages."""

    def read(self, path: Path, probes: Sequence[Probe]) -> dict[str, Read]:
        """Answers by probe key, as far as the archive holds them."""


class Stored(NamedTuple):
    """An attempt on record, its folder, and today's task as JSON where it is not to be judged by the stored one."""

    entry: LedgerEntry
    folder: Path
    task: str | None = None


class Rejudged(NamedTuple):
    """How one attempt came out. ``entry`` is its ledger line now; ``problem`` says why it was left as it was."""

    stored: Stored
    entry: LedgerEntry
    reasons: tuple[str, ...] = ()
    problem: str = ""
    awaits_archive: bool = False

    @property
    def changed(self) -> bool:
        """Whether the ledger has to be told."""
        return self.entry != self.stored.entry

    @property
    def before(self) -> str:
        """Outcome and reason as they were."""
        return outcome_text(Outcome(self.stored.entry.outcome), self.stored.entry.reason)

    @property
    def after(self) -> str:
        """Outcome and reason as they are now."""
        return outcome_text(Outcome(self.entry.outcome), self.entry.reason)

    @property
    def flipped(self) -> bool:
        """Whether the outcome is another than before."""
        return self.before != self.after


# -- what is stored ----------------------------------------------------------------------------------------------------


def stored_episodes(run: RunDir, entries: Sequence[LedgerEntry]) -> Iterator[Stored]:
    """The folders that the evidence of these attempts lies in."""
    return (Stored(entry, run.folder_of(entry)) for entry in entries)


def _read(path: Path) -> bytes:
    """A file's content; nothing if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def _verdict(folder: Path, content: bytes) -> Verdict:
    try:
        return Verdict.model_validate_json(content)
    except ValueError as error:
        raise StoreError(
            f"{folder / 'verdict.json'} cannot be read: {error}; delete it to have it made anew"
        ) from error


class _Known(NamedTuple):
    task: Task
    digest: str


@lru_cache(maxsize=1024)
def _known(content: str | bytes) -> _Known:
    """A task is parsed once, however many attempts at it there are."""
    task = Task.model_validate_json(content)
    return _Known(task, task.digest())


# -- judging one -------------------------------------------------------------------------------------------------------


def rejudge(stored: Stored, run_shown: str, archive: PageArchive | None = None) -> Rejudged:
    """Judge one attempt again and write what changed into its folder. ``run_shown`` is how texts call the run.

    Without an archive at hand, an attempt whose checks ask something of the page that only its archive can tell is
    left as it is.
    """
    entry, folder, _ = stored
    content = _read(folder / "evidence.json")
    if not content:
        return Rejudged(stored, entry, problem="there is no evidence of it, only its line in the ledger")
    try:
        told = _known(_read(folder / "task.json"))
        current = told if stored.task is None else _known(stored.task)
        evidence = Evidence.model_validate_json(content)
    except ValueError as error:
        return Rejudged(stored, entry, problem=f"evidence.json or task.json in {folder} cannot be read: {error}")
    if others := told_otherwise(told.task, current.task):
        return Rejudged(
            stored, entry, problem=f"the agent had another task ({', '.join(others)} changed): run it again"
        )
    questions = [probe for probe in unasked(current.task, evidence) if is_archived(probe)]
    if questions and (folder / "final.mhtml").is_file():
        if archive is None:
            return Rejudged(stored, entry, awaits_archive=True)
        if reads := archive.read(folder / "final.mhtml", questions):
            evidence = evidence.model_copy(update={"reads": {**evidence.reads, **reads}})
            write_atomically(folder / "evidence.json", evidence.to_json())
    return _judge(stored, told, current, evidence, run_shown)


def _judge(stored: Stored, told: _Known, current: _Known, evidence: Evidence, run_shown: str) -> Rejudged:
    entry, folder, _ = stored
    task = current.task
    verdict = judge(task, evidence, task_digest=current.digest)
    found = finding(task, proof_called(task, entry.agent), evidence, verdict, f"{run_shown}/{entry.folder}")
    text, before = verdict.to_json(), _read(folder / "verdict.json")
    if before == text.encode() and _on_record(entry, found, verdict):
        return Rejudged(stored, entry)
    why = reasons(told.task, task, _verdict(folder, before), verdict) if before else ("it had no verdict",)
    if current.digest != told.digest:
        write_atomically(folder / "task.json", task.model_dump_json(indent=1) + "\n")
    write_atomically(folder / "verdict.json", text, flush=False)
    return Rejudged(stored, _line(entry, found, verdict), why)


def _facts(found: Finding, verdict: Verdict) -> dict[str, str | int]:
    return {
        "outcome": found.outcome.value,
        "reason": found.reason,
        "task_digest": verdict.task_digest,
        "evidence_digest": verdict.evidence_digest,
        "judge_version": verdict.judge_version,
    }


def _on_record(entry: LedgerEntry, found: Finding, verdict: Verdict) -> bool:
    return all(getattr(entry, name) == value for name, value in _facts(found, verdict).items())


def _line(entry: LedgerEntry, found: Finding, verdict: Verdict) -> LedgerEntry:
    """The ledger's new line about the same attempt; it holds no clock, so judging again gives the same bytes."""
    changes = {**_facts(found, verdict), "detail": found.text, "rejudged": entry.rejudged + 1}
    return entry.model_copy(update=changes)


# -- judging many ------------------------------------------------------------------------------------------------------


class Means(NamedTuple):
    """What judging many attempts takes."""

    run_shown: str
    workers: int
    open_archive: Callable[[], AbstractContextManager[PageArchive]]
    on_progress: Callable[[int], None]


def rejudge_all(work: Sequence[Stored], means: Means) -> list[Rejudged]:
    """Judge many attempts again, in the order of ``work``; a browser is opened only if some archive has to be asked."""
    found = list(_without_archive(work, means))
    waiting = [index for index, result in enumerate(found) if result.awaits_archive]
    if waiting:
        with means.open_archive() as archive:
            for index in waiting:
                found[index] = rejudge(found[index].stored, means.run_shown, archive)
                means.on_progress(1)
    return found


def _without_archive(work: Sequence[Stored], means: Means) -> Iterator[Rejudged]:
    chunks = [work[start : start + _CHUNK] for start in range(0, len(work), _CHUNK)]
    judge_chunk = partial(_rejudge_chunk, means.run_shown)
    with ExitStack() as stack:
        spread: Callable[..., Iterable[list[Rejudged]]] = map
        if means.workers > 1 and len(work) > _FEW:
            spread = stack.enter_context(ProcessPoolExecutor(means.workers, multiprocessing.get_context("spawn"))).map
        for results in spread(judge_chunk, chunks):
            means.on_progress(sum(not result.awaits_archive for result in results))
            yield from results


def _rejudge_chunk(run_shown: str, chunk: Sequence[Stored]) -> list[Rejudged]:
    return [rejudge(stored, run_shown) for stored in chunk]


# -- judging a run -----------------------------------------------------------------------------------------------------

LEDGER: Final = "judge"
"""Name of the ledger file that takes new judgements."""


def choose(run: RunDir, only: Sequence[str], suite: str | None, tasks: Mapping[str, Task]) -> list[Stored]:
    """The attempts that count; of tasks ``only``; of ``suite``, to be judged by its ``tasks`` of today."""
    if not run.exists():
        raise SettingsError(f"{run.path} is no run directory: it holds no run.json")
    known = {entry.task for entry in run.results().values()}
    if strangers := [task for task in only if task not in known]:
        raise SettingsError(f"run {run.path.name}: {unknown('task', strangers[0], known)}")
    entries = [
        entry
        for _, entry in sorted(run.results().items())
        if (not only or entry.task in only) and suite in (None, entry.suite)
    ]
    current = {task.id: task.model_dump_json(indent=1) + "\n" for task in tasks.values()}
    return [stored._replace(task=current.get(stored.entry.task)) for stored in stored_episodes(run, entries)]


def rejudge_run(run: RunDir, work: Sequence[Stored], means: Means) -> list[Rejudged]:
    """Judge attempts of a run again and put on record what changed."""
    with alone(run.path):
        results = rejudge_all(work, means)
        changed = [result.entry for result in results if result.changed]
        if changed:
            run.record_all(changed, LEDGER)
    return results
