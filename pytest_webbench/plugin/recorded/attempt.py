"""One step: take the stored result of an earlier session, or measure it and put it on record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from ...agents.base import Equipment
from ...agents.config import FROM_FIXTURE
from ...agents.loop import PolicyAgent
from ...episode.watchdog import Interrupted
from ...errors import InfraError, SettingsError, StoreError, UnscoredError, UsageError
from ...evidence.models import canonical_json
from ...judge import Outcome
from ...mind2web.measure import Measured, measure
from ...mind2web.records import RecordedStep
from ...mind2web.scoring import StepResult
from ...mind2web.verdict import succeeded, verdict_of
from ...run import EpisodeFolder, RunDir
from ...run.gate import RunGate
from ...run.journal import EpisodeJournal
from ..agents import agent_of, slot
from ..attempt import Attempt, Result, result_of, stop_session
from ..collect import JOB_KEY, Job
from ..options import settings
from ..reporting import current_run
from .collect import StepJob

if TYPE_CHECKING:
    from .desk import Desk

LOOK_SECONDS = 60.0
ASK_SECONDS = 600.0
"""A policy waits for its endpoint with limits of its own; this one is for what hangs all the same."""


def obtain_step_result(request: pytest.FixtureRequest) -> Result:
    """The result of this item; `UnscoredError` where there is none to be had."""
    job = cast(StepJob, request.node.stash[JOB_KEY])
    run = current_run(request.config)
    stored = _stored(run, job)
    if stored is not None:
        return stored
    try:
        return _with_retries(request, run, cast(Job, job))
    except (UsageError, StoreError) as error:
        stop_session(request, error)
        raise


def _with_retries(request: pytest.FixtureRequest, run: RunDir, job: Job) -> Result:
    """A step is repeated here and not by pytest-rerunfailures, whose socket takes longer than the whole step."""
    for _ in range(settings(request.config).infra_retries):
        try:
            return StepAttempt(request, run, job).play()
        except InfraError:
            continue
    return StepAttempt(request, run, job).play()


def _stored(run: RunDir, job: StepJob) -> Result | None:
    scored = [entry for entry in run.attempts_at(job.key) if entry.outcome != "unscored"]
    if not scored or (scored[-1].task_digest, scored[-1].world) != (job.digest(), job.world):
        return None
    return result_of(scored[-1])


class StepAttempt(Attempt):
    """One attempt at a step; the ledger's line is made as for every attempt."""

    def _run_episode(self) -> Result:
        job = cast(StepJob, self._job)
        step = job.steps.read(job.entry)
        agent = self._policy_agent(job)
        desk: Desk = self._request.getfixturevalue("m2w_desk")
        self._open = folder = self._run.begin_episode(job.key, attempt=self._number)
        folder.write("task.json", canonical_json(_facts(step)) + "\n")
        self._journal = EpisodeJournal(folder)
        try:
            with slot(self._request.node, self._job, self._run):
                measured = self._measure(desk, step, agent, self._journal, job.mode)
        except UnscoredError as error:
            folder.log(str(error))
            self._entry |= {"reason": error.reason, "detail": str(error)}
            raise
        return self._record(job, step, measured, folder)

    def _policy_agent(self, job: StepJob) -> PolicyAgent | None:
        if job.agent == FROM_FIXTURE:
            return None
        agent = agent_of(self._request.node, self._job)
        if not isinstance(agent, PolicyAgent):
            raise SettingsError(
                f"agent {job.agent!r} cannot be asked for a single step: use one of type chat, decision or heuristic"
            )
        if job.mode == "compat":
            raise SettingsError("--m2w-mode compat measures coverage only: leave out --webbench-agent, or use dom")
        return agent

    def _measure(
        self, desk: Desk, step: RecordedStep, agent: PolicyAgent | None, journal: EpisodeJournal, mode: Any
    ) -> Measured:
        seconds = ASK_SECONDS if agent else LOOK_SECONDS
        try:
            with desk.watchdog.limit(seconds, "look"):
                if agent is None:
                    return measure(step, desk.reader(), mode=mode)
                equipment = Equipment(journal, RunGate(self._run.path / "locks"), None)
                with agent.policy(equipment) as policy:
                    measured = measure(step, desk.reader(), mode=mode, policy=policy)
        except Interrupted as error:
            desk.drop()
            raise InfraError(
                f"the step was not measured within {ASK_SECONDS if agent else LOOK_SECONDS:g} s"
            ) from error
        except Exception as error:
            if desk.lost(error):
                desk.drop()
                raise InfraError(f"the browser was lost: {error}") from error
            raise
        _note(measured, journal)
        return measured

    def _record(self, job: StepJob, step: RecordedStep, measured: Measured, folder: EpisodeFolder) -> Result:
        digests = {"task_digest": job.digest(), "evidence_digest": job.entry.digest}
        folder.write("result.json", canonical_json(measured.result.model_dump(mode="json")) + "\n")
        folder.write("verdict.json", verdict_of(step, measured.result, **digests).to_json())
        where = self._shown(self._commit(folder))
        passed = succeeded(measured.result)
        text = "" if passed else explanation(step, measured.result, where)
        self._entry = {
            "outcome": (Outcome.PASSED if passed else Outcome.FAILED).value,
            "detail": text,
            "ending": "done",
            "steps": 1 if measured.asked else 0,
            "agent_seconds": round(measured.asked.seconds, 3) if measured.asked else 0.0,
            **digests,
        }
        return Result(Outcome.PASSED if passed else Outcome.FAILED, "", text)


def explanation(step: RecordedStep, result: StepResult, where: str) -> str:
    """Why a step did not succeed, in words."""
    value = f" {step.value!r}" if step.value else ""
    wanted = (
        f"{step.op}{value} on {step.gold_repr or step.role or 'the target'} (nodes {', '.join(step.targets) or 'none'})"
    )
    lines = [f"{step.name}: {step.goal}", f"  wanted: {wanted}"]
    if not step.targets:
        lines.append("  the recording has lost its target: counted as wrong, as the dataset's own scoring does")
    elif not result.cover.covered:
        lines.append(f"  not covered: none of the {result.page.refs} elements seen is the target or stands for it")
    if result.prediction is not None:
        chosen = result.prediction
        seen = f"{chosen.op} {chosen.value!r} on {chosen.ref or 'nothing'} (node {chosen.node or 'none'})"
        lines.append(f"  chosen: {seen}; {(chosen.miss or 'not the value, to the letter')}".replace("_", " "))
        if chosen.detail:
            lines.append(f"  {chosen.detail}")
    return "\n".join([*lines, f"  {where}"])


def _facts(step: RecordedStep) -> dict[str, Any]:
    return step.model_dump(mode="json", exclude={"cleaned_html", "boxes", "hidden", "clickable", "candidates"})


def _note(measured: Measured, journal: EpisodeJournal) -> None:
    asked = measured.asked
    if asked is None:
        return
    journal.spend(asked.usage)
    for text in asked.refused:
        journal.note("refused", text=text)
    if asked.decision is not None:
        decision = asked.decision
        journal.note(
            "decision",
            number=1,
            action=decision.action.model_dump(mode="json"),
            thought=decision.thought,
            probability=decision.probability,
            candidates=[{"label": one.label, "probability": one.probability} for one in decision.candidates],
            seconds=round(asked.seconds, 3),
        )
