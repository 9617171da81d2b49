"""Judges the stored episodes of a run again; what comes out otherwise than before is written."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from .._files import write_atomically
from .._suggest import unknown
from ..checks import Probe
from ..errors import SettingsError, StoreError
from ..evidence.models import Evidence, Read
from ..judge import Outcome, Verdict, judge
from ..judge.explanation import Finding, finding
from ..judge.rejudge import changed_for_agent, is_archived, outcome_text, reasons, unasked
from ..judge.validation import proof_called
from ..task import Task
from ..task.stored import parse_stored_task
from .directory import RunDir
from .episode import StoredEpisode
from .ledger import LedgerEntry
from .lock import alone
from .seal import Standing, changed_files

_CHUNK: Final = 50
_FEW: Final = 400
"""Up to this many episodes are judged sooner than other processes have started."""


class PageArchive(Protocol):
    """Answers probes from archived pages."""

    def read(self, path: Path, probes: Sequence[Probe]) -> dict[str, Read]:
        """Answers by probe key, as far as the archive holds them."""


class StoredAttempt(NamedTuple):
    """An attempt on record, and the task (as JSON) if not the stored one judges it."""

    entry: LedgerEntry
    run: Path
    task: str = ""

    @property
    def episode(self) -> StoredEpisode:
        """What it left."""
        return RunDir(self.run).stored_episode(self.entry)


class NewFile(NamedTuple):
    """What a file of an episode is to hold; ``flush`` as for `write_atomically`."""

    name: str
    text: str
    flush: bool = True


class Rejudged(NamedTuple):
    """How one attempt came out.

    ``entry`` is its ledger line now, ``files`` is what has to be written into its folder.
    ``problem`` says why the attempt was left as it was.
    """

    stored: StoredAttempt
    entry: LedgerEntry
    reasons: tuple[str, ...] = ()
    problem: str = ""
    awaits_archive: bool = False
    files: tuple[NewFile, ...] = ()
    was_intact: bool = False

    @property
    def changed(self) -> bool:
        """Whether the ledger needs another line."""
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


class _ParsedTask(NamedTuple):
    task: Task
    digest: str


@lru_cache(maxsize=1024)
def _parsed(content: str | bytes) -> _ParsedTask:
    """A task is parsed once, however many attempts at it there are."""
    task = parse_stored_task(content)
    return _ParsedTask(task, task.digest())


# -- judging one -------------------------------------------------------------------------------


def rejudge(stored: StoredAttempt, run_shown: str, archive: PageArchive | None = None) -> Rejudged:
    """Judge one attempt again; nothing is written.

    ``run_shown`` is how texts call the run. Without an ``archive``, an attempt is left as it is if
    its checks ask something of the page that only its archive can tell.
    """
    episode = stored.episode
    evidence = episode.evidence()
    if evidence is None and not episode.problems:
        return _left(stored, "there is no evidence of it, only its line in the ledger")
    given = episode.parse("task.json", _parsed)
    if evidence is None or given is None:
        return _left(stored, "; ".join(episode.problems) or "its task.json is missing")
    current = given
    if stored.task:
        current = _parsed(stored.task)
    if others := changed_for_agent(given.task, current.task):
        return _left(
            stored, f"the agent had another task ({', '.join(others)} changed): run it again"
        )
    probes = [probe for probe in unasked(current.task, evidence) if is_archived(probe)]
    files: list[NewFile] = []
    if probes and episode.content("final.mhtml") is not None:
        if archive is None:
            return Rejudged(stored, stored.entry, awaits_archive=True)
        reads = archive.read(episode.path / "final.mhtml", probes)
        if reads:
            evidence = evidence.model_copy(update={"reads": {**evidence.reads, **reads}})
            files.append(NewFile("evidence.json", evidence.to_json()))
    if current.digest != given.digest:
        files.append(NewFile("task.json", current.task.model_dump_json(indent=1) + "\n"))
    result = _judge(stored, evidence, given, current, run_shown=run_shown)
    return result._replace(files=(*files, *result.files))


def _left(stored: StoredAttempt, problem: str) -> Rejudged:
    return Rejudged(stored, stored.entry, problem=problem)


def written(result: Rejudged) -> Rejudged:
    """The same once its files are written.

    The attempt is left as it was if they would not be within the run. `StoreError` if they cannot
    be written.
    """
    episode, entry = result.stored.episode, result.stored.entry
    intact = RunDir(result.stored.run).standing(entry) is Standing.INTACT
    result = result._replace(was_intact=intact and not changed_files(entry, episode))
    try:
        paths = [episode.file(file.name) for file in result.files]
    except StoreError as error:
        return _left(result.stored, str(error))
    for path, file in zip(paths, result.files, strict=True):
        write_atomically(path, file.text, flush=file.flush)
    return result._replace(files=())


def _judge(
    stored: StoredAttempt,
    evidence: Evidence,
    given: _ParsedTask,
    current: _ParsedTask,
    *,
    run_shown: str,
) -> Rejudged:
    entry, task = stored.entry, current.task
    verdict = judge(task, evidence, task_digest=current.digest)
    proof = proof_called(task, entry.agent, entry.seed)
    found = finding(task, proof, evidence, verdict, f"{run_shown}/{entry.folder}")
    episode, text = stored.episode, verdict.to_json()
    # Nothing is written then, so judging a run again without a change leaves every byte.
    if episode.content("verdict.json") == text.encode() and _is_on_record(entry, found, verdict):
        return Rejudged(stored, entry)
    why = _reasons(episode, given.task, task, verdict)
    # Not flushed: it can be made again from evidence and task.
    new = NewFile("verdict.json", text, flush=False)
    return Rejudged(stored, _line(entry, found, verdict), why, files=(new,))


def _reasons(
    episode: StoredEpisode, given: Task, current: Task, verdict: Verdict
) -> tuple[str, ...]:
    before = episode.verdict()
    if before is None:
        return tuple(episode.problems) or ("it had no verdict",)
    return reasons(given, current, before, verdict)


def _facts(found: Finding, verdict: Verdict) -> dict[str, object]:
    return {
        "outcome": found.outcome.value,
        "reason": found.reason,
        "flags": found.flags,
        "task_digest": verdict.task_digest,
        "evidence_digest": verdict.evidence_digest,
        "judge_version": verdict.judge_version,
    }


def _is_on_record(entry: LedgerEntry, found: Finding, verdict: Verdict) -> bool:
    return all(getattr(entry, name) == value for name, value in _facts(found, verdict).items())


def _line(entry: LedgerEntry, found: Finding, verdict: Verdict) -> LedgerEntry:
    """The ledger's new line about the same attempt.

    It holds no clock, so that judging again gives the same bytes.
    """
    changes = {
        **_facts(found, verdict),
        "detail": found.text,
        "brief": found.brief,
        "rejudged": entry.rejudged + 1,
    }
    return entry.model_copy(update=changes)


# -- judging many ------------------------------------------------------------------------------


class Means(NamedTuple):
    """What judging many attempts takes; ``on_progress`` is called with a number of attempts."""

    run_shown: str
    workers: int
    open_archive: Callable[[], AbstractContextManager[PageArchive]]
    on_progress: Callable[[int], None]


def rejudge_all(work: Sequence[StoredAttempt], means: Means) -> list[Rejudged]:
    """Judge many attempts again, in the order of ``work``.

    A browser is opened only if an archived page has to be asked.
    """
    found = list(_without_archive(work, means))
    waiting = [index for index, result in enumerate(found) if result.awaits_archive]
    if waiting:
        with means.open_archive() as archive:
            for index in waiting:
                found[index] = written(rejudge(found[index].stored, means.run_shown, archive))
                means.on_progress(1)
    return found


def _without_archive(work: Sequence[StoredAttempt], means: Means) -> Iterator[Rejudged]:
    chunks = [work[start : start + _CHUNK] for start in range(0, len(work), _CHUNK)]
    judge_chunk = partial(_rejudge_chunk, means.run_shown)
    with ExitStack() as stack:
        spread: Callable[..., Iterable[list[Rejudged]]] = map
        if means.workers > 1 and len(work) > _FEW:
            # Not forked: this process may have threads of a browser's driver.
            context = multiprocessing.get_context("spawn")
            spread = stack.enter_context(ProcessPoolExecutor(means.workers, context)).map
        for results in spread(judge_chunk, chunks):
            means.on_progress(sum(not result.awaits_archive for result in results))
            yield from results


def _rejudge_chunk(run_shown: str, chunk: Sequence[StoredAttempt]) -> list[Rejudged]:
    return [written(rejudge(stored, run_shown)) for stored in chunk]


# -- judging a run -----------------------------------------------------------------------------

LEDGER: Final = "judge"
"""Name of the ledger file that takes new judgements."""


def choose(
    run: RunDir,
    *,
    only: Sequence[str],
    suite: str | None,
    tasks: Mapping[str, Task],
    in_edition: Callable[[Task, int], Task] = lambda task, _seed: task,
) -> list[StoredAttempt]:
    """The attempts that count, of the tasks ``only`` (all if empty) and of ``suite`` (all if None).

    They are judged by today's ``tasks`` where these hold them, each as it is ``in_edition`` N.
    `SettingsError` if there is no run, or no such task in it.
    """
    run.must_exist()
    results = run.results()
    known = {entry.task for entry in results.values()}
    for name in only:
        if name not in known:
            raise SettingsError(f"run {run.path.name}: {unknown('task', name, known)}")
    chosen = []
    for _, entry in sorted(results.items()):
        if (not only or entry.task in only) and suite in (None, entry.suite):
            task = tasks.get(entry.task)
            today = None if task is None else in_edition(task, entry.seed)
            chosen.append(stored_attempt(run, entry, today))
    return chosen


def stored_attempt(run: RunDir, entry: LedgerEntry, task: Task | None = None) -> StoredAttempt:
    """An attempt on record, to be judged by ``task`` if given, else by the task stored with it."""
    text = ""
    if task is not None:
        text = task.model_dump_json(indent=1) + "\n"
    return StoredAttempt(entry, run.path, text)


def rejudge_run(run: RunDir, work: Sequence[StoredAttempt], means: Means) -> list[Rejudged]:
    """Judge attempts of a run again and add what changed to its ledger; others are locked out."""
    with alone(run.path):
        results = rejudge_all(work, means)
        record_changes(run, results, LEDGER)
    return results


def record_changes(run: RunDir, results: Iterable[Rejudged], worker: str) -> None:
    """Add the new lines to the ledger.

    Only those whose old line and files were as they had been sealed are sealed again.
    """
    for seal, group in groupby(results, key=lambda result: result.was_intact):
        changed = [result.entry for result in group if result.changed]
        if changed:
            run.record_all(changed, worker, seal=seal)
