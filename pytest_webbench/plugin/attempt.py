"""One item: take the stored result of an earlier session, or run the episode, judge it and put it on record."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ..agents import Agent
from ..agents.baselines import Scripted
from ..browser.script import perform
from ..episode.runner import EpisodeResult, EpisodeSettings
from ..errors import UNSCORED_ERRORS, NeedsJudgeError, SettingsError, StoreError, TaskFailed, UnscoredError, UsageError
from ..evidence.models import Ending
from ..evidence.scrub import scrub
from ..judge import Outcome, judge
from ..judge.verdict import JUDGE_VERSION
from ..report.failure import finding
from ..run import EpisodeFolder, LedgerEntry, RunDir
from ..run.journal import EpisodeJournal
from .agents import outfit, slot
from .collect import JOB_KEY, Job
from .options import redactor, settings, worker_name
from .recording import Recording
from .reporting import current_run
from .rescore import rescored
from .stage import Stage

UNSTOPPABLE_EXIT = 70
"""Exit code of a worker whose agent could not be interrupted."""


@dataclass(frozen=True, slots=True)
class Result:
    """How an item came out, and the explanation if it did not pass."""

    outcome: Outcome
    reason: str = ""
    text: str = ""

    def assert_passed(self) -> None:
        """`TaskFailed` with the explanation, unless the agent did it."""
        if self.outcome is not Outcome.PASSED:
            raise TaskFailed(self.text)

    def raise_if_unscored(self) -> None:
        """The error that stands for the reason why this is unscored, if it is."""
        if self.outcome is Outcome.UNSCORED:
            raise UNSCORED_ERRORS[self.reason](self.text)


def obtain_result(request: pytest.FixtureRequest) -> Result:
    """The result of this item; `UnscoredError` where there is none to be had."""
    job: Job = request.node.stash[JOB_KEY]
    run = current_run(request.config)
    stored = result_of(rescored(request)) if settings(request.config).rescore else _stored(run, job)
    if stored is not None:
        stored.raise_if_unscored()
        return stored
    try:
        return Attempt(request, run, job).play()
    except (UsageError, StoreError) as error:
        stop_session(request, error)
        raise


def stop_session(request: pytest.FixtureRequest, error: Exception) -> None:
    """No episode can be run, or none written down, until the user has mended this: there is no use in going on."""
    request.session.shouldfail = redactor(request.config).text(scrub(str(error))).splitlines()[0]


def _stored(run: RunDir, job: Job) -> Result | None:
    """What an earlier session of this run found for the very same task, unless another attempt may find more."""
    scored = [
        entry
        for entry in run.attempts_at(job.key)
        if entry.outcome != "unscored" or entry.reason == NeedsJudgeError.reason
    ]
    if not scored:
        return None
    entry = scored[-1]
    if (entry.task_digest, entry.world, entry.judge_version) != (job.task.digest(), job.world, JUDGE_VERSION):
        return None
    return result_of(entry)


def result_of(entry: LedgerEntry) -> Result:
    """What a line of the ledger says."""
    return Result(Outcome(entry.outcome), entry.reason, entry.detail)


class Attempt:
    """One attempt at an item; whatever happens, it leaves one line in the ledger."""

    def __init__(self, request: pytest.FixtureRequest, run: RunDir, job: Job) -> None:
        self._request, self._run, self._job = request, run, job
        self._started = datetime.now(UTC)
        self._number = run.next_attempt(job.key)
        self._worker = worker_name(request.config)
        self._entry: dict[str, Any] = {"outcome": "unscored", "reason": "infra", "detail": "the harness failed"}
        self._open: EpisodeFolder | None = None
        self._folder: Path | None = None
        self._journal: EpisodeJournal | None = None

    def play(self) -> Result:
        """Run the episode, judge it and put it on record; unless this was no attempt, which is run again on resume."""
        try:
            return self._run_episode()
        except (UsageError, StoreError):
            self._entry = {}
            raise
        finally:
            self._put_on_record()

    def _run_episode(self) -> Result:
        stage: Stage = self._request.getfixturevalue("webbench_stage")
        agent = self._agent()
        self._open = folder = self._run.begin_episode(self._job.key, self._end_worker, attempt=self._number)
        folder.write("task.json", self._job.task.model_dump_json(indent=1) + "\n")
        try:
            with slot(self._request.node, self._job, self._run):
                self._started = datetime.now(UTC)
                result = self._play(stage, agent, folder)
        except UnscoredError as error:
            folder.log(str(error))
            self._entry |= {"reason": error.reason, "detail": str(error)}
            raise
        return self._judge(folder, result)

    def _agent(self) -> Agent:
        """The agent; `SettingsError` if it cannot be made: a missing key, say, is no wrong answer to any task."""
        if self._job.proof is not None:
            return Scripted(self._job.proof.steps, perform)
        try:
            agent: Agent = self._request.getfixturevalue("webbench_agent")
        except UsageError:
            raise
        except Exception as error:
            raise SettingsError(f"the agent could not be made: {type(error).__name__}: {error}") from error
        return agent

    def _play(self, stage: Stage, agent: Agent, folder: EpisodeFolder) -> EpisodeResult:
        chosen = settings(self._request.config)
        actions, seconds = self._job.limits(chosen)
        recording = Recording.from_options(self._request.config, folder.path)
        place = stage.place(self._job.world, self._job.suite_folder)
        self._journal = EpisodeJournal(folder)
        open_context = stage.opener(place, own=getattr(agent, "own_browser", False))
        try:
            return place.runner.run(
                self._job.task,
                agent,
                EpisodeSettings(
                    max_actions=actions,
                    max_seconds=seconds,
                    locale=self._job.suite.locale,
                    timezone=self._job.suite.timezone,
                    archive=chosen.archive,
                    outfit=outfit(self._request.node, agent, self._journal, self._run),
                ),
                folder,
                lambda extra: recording.open_session(
                    open_context, {**stage.context_args(place), **extra}, folder, step_shots=chosen.step_shots
                ),
            )
        finally:
            place.provider.episode_over()

    def _judge(self, folder: EpisodeFolder, result: EpisodeResult) -> Result:
        archive = result.captured.archive
        if archive.mhtml is not None:
            folder.write("final.mhtml", archive.mhtml)
        if archive.screenshot is not None:
            folder.write("final.jpg", archive.screenshot)
        evidence = folder.write_evidence(result.captured.evidence)
        verdict = judge(self._job.task, evidence)
        folder.write("verdict.json", verdict.to_json())
        Recording.discard_if_passed(self._request.config, folder.path, passed=verdict.outcome is Outcome.PASSED)
        outcome = Result(
            *finding(self._job.task, self._job.proof, evidence, verdict, self._shown(self._commit(folder)))
        )
        self._entry = {
            "outcome": outcome.outcome.value,
            "reason": outcome.reason,
            "detail": outcome.text,
            "ending": verdict.ending.value,
            "steps": result.steps,
            "agent_seconds": round(result.agent_seconds, 3),
            "task_digest": verdict.task_digest,
            "evidence_digest": verdict.evidence_digest,
            "judge_version": verdict.judge_version,
        }
        outcome.raise_if_unscored()
        return outcome

    def _end_worker(self) -> None:
        """The agent cannot be stopped otherwise: note its failure and end this process; xdist starts another."""
        self._entry = {
            "outcome": "failed",
            "ending": Ending.TIME_BUDGET.value,
            "detail": f"{self._job.task.id} failed: the agent went on after its time and could not be interrupted",
            "task_digest": self._job.task.digest(),
            "judge_version": JUDGE_VERSION,
        }
        try:
            self._put_on_record()
        finally:
            os._exit(UNSTOPPABLE_EXIT)

    def _commit(self, folder: EpisodeFolder) -> Path:
        self._folder, self._open = folder.commit(), None
        return self._folder

    def _put_on_record(self) -> None:
        """Add this attempt's line to the ledger, once its folder has the name that the line tells."""
        if not self._entry:
            return
        if self._open is not None:
            self._commit(self._open)
        key = self._job.key
        self._run.record(
            LedgerEntry(
                suite=key.suite,
                task=key.task,
                agent=key.agent,
                repeat=key.repeat,
                attempt=self._number,
                world=self._job.world,
                started=self._started.isoformat(),
                seconds=round((datetime.now(UTC) - self._started).total_seconds(), 3),
                worker=self._worker,
                folder=self._folder.relative_to(self._run.path).as_posix() if self._folder else "",
                **(self._journal.account() if self._journal is not None else {}),
                **self._entry,
            ),
            self._worker,
        )

    def _shown(self, folder: Any) -> str:
        """A path as the user would type it."""
        return os.path.relpath(folder, self._request.config.invocation_params.dir)
