"""A task for an agent as a work item: run its episode, judge it, record it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._json import digest
from ..agents import Agent
from ..agents.asynchronous import harness_side
from ..agents.config import agent_label
from ..agents.load import script_agent
from ..browser.mutant_performer import MutantPerformer
from ..browser.session import Session
from ..episode.environments import Environment, EnvironmentPool
from ..episode.repetition import NOT_ASKED, repeat, spare
from ..episode.runner import EpisodeResult, EpisodeSettings
from ..errors import AgentNotMadeError, UsageError
from ..evidence.models import Ending, Integrity
from ..judge import Outcome, judge
from ..judge.episode_mutants import steps_as_data
from ..judge.explanation import Finding, finding
from ..judge.validation import Proof
from ..judge.verdict import JUDGE_VERSION
from ..task import Suite, Task
from ..task.models import DEFAULT_ACTIONS, DEFAULT_SECONDS
from .attempt import AttemptRecorder, AttemptResult
from .episode_folder import EpisodeFolder
from .ledger import ItemKey
from .work_item import ItemServices, PlanFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskJob:
    """One task for one agent; see `WorkItem`."""

    task: Task
    suite: Suite
    suite_folder: Path
    agent: str
    repeat: int
    world: str
    seed: int = 0
    proof: Proof | None = None
    site_digest: str = ""
    """Names the state of the site that a mutant is played on; empty for everything else."""

    @property
    def key(self) -> ItemKey:
        label = self.proof.label if self.proof is not None else agent_label(self.agent)
        return ItemKey(self.suite.name, self.task.id, label, self.repeat, self.seed)

    @property
    def judge_version(self) -> int:
        return JUDGE_VERSION

    @property
    def asks_agent(self) -> bool:
        return self.proof is None

    @property
    def retries_in_place(self) -> bool:
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.suite.name, self.task.site, *self.task.tags)

    @property
    def plan_facts(self) -> PlanFacts:
        source = self.task.source
        benchmark, its_id = (source.benchmark, source.id) if source else ("", "")
        return PlanFacts(self.task.site, tuple(self.task.tags), benchmark, source_id=its_id)

    def digest(self) -> str:
        task = self.task.digest()
        if not self.site_digest or self.proof is None:
            return task
        return digest([task, self.site_digest, steps_as_data(self.proof.steps)])

    def max_actions(self, chosen: int | None) -> int:
        """The action budget: the option's, else the task's, the suite's, the default."""
        own, suites = self.task.limits.actions, self.suite.limits.actions
        return chosen or own or suites or DEFAULT_ACTIONS

    def max_seconds(self, chosen: float | None) -> float:
        """The time budget: the option's, else the task's, the suite's, the default."""
        own, suites = self.task.limits.seconds, self.suite.limits.seconds
        return chosen or own or suites or DEFAULT_SECONDS

    def run(self, attempt: AttemptRecorder, services: ItemServices) -> Finding:
        return run_episode(self, attempt, services)


def run_episode(job: TaskJob, attempt: AttemptRecorder, services: ItemServices) -> Finding:
    """Run the episode of ``job``, judge its evidence and record both."""
    environments: EnvironmentPool = services.fixture("webbench_environments")
    agent = _agent(job, services)

    def end_process() -> None:
        attempt.end_process(_unstoppable(job))

    folder = attempt.begin(job.task.model_dump_json(indent=1), end_process)
    seconds = job.max_seconds(services.options.max_seconds)
    folder.will = lambda: attempt.will(_unstoppable(job), seconds=seconds)
    attempt.wait()
    with services.live_turn(), services.agent_slot():
        attempt.restart_clock()
        result = _Episode(job, attempt, services, environments).play(agent, folder)
    return _judge(job, attempt, services, folder, result)


def _agent(job: TaskJob, services: ItemServices) -> Agent:
    """The agent; `AgentNotMadeError` if it cannot be made: a missing key is no wrong answer."""
    if job.proof is not None:
        return script_agent(job.proof.steps, MutantPerformer(files=job.suite_folder))
    try:
        agent: Agent = services.fixture("webbench_agent")
    except UsageError:
        raise
    except Exception as error:  # the border to the user's fixture and to the agent's own class
        raise AgentNotMadeError(
            f"the agent could not be made: {type(error).__name__}: {error}"
        ) from error
    return harness_side(agent, job.agent)


@dataclass(frozen=True, slots=True)
class _Episode:
    job: TaskJob
    attempt: AttemptRecorder
    services: ItemServices
    environments: EnvironmentPool

    def play(self, agent: Agent, folder: EpisodeFolder) -> EpisodeResult:
        job, options = self.job, self.services.options
        environment = self.environments.environment(job.world, job.suite_folder)
        journal = self.attempt.open_journal()
        # An agent of the user's need not have the attribute.
        open_context = self.environments.context_opener(
            environment, dedicated=getattr(agent, "dedicated_browser", False)
        )

        def open_session(arguments: Mapping[str, Any]) -> Session:
            return options.recordings.open_session(
                open_context,
                {**self.environments.context_args(environment), **arguments},
                folder,
                step_shots=options.step_shots,
            )

        settings = EpisodeSettings(
            max_actions=job.max_actions(options.max_actions),
            max_seconds=job.max_seconds(options.max_seconds),
            locale=job.suite.locale,
            timezone=job.suite.timezone,
            seed=job.seed,
            archive=options.archive,
            context_provider=self.services.context_provider(agent, journal),
        )
        try:
            result = environment.runner.run(
                job.task, agent, settings=settings, sink=folder, open_session=open_session
            )
            if job.proof is None and not environment.provider.external:
                result = self._tested(environment, result, settings)
        finally:
            environment.provider.episode_over()
        return result

    def _tested(
        self, environment: Environment, result: EpisodeResult, settings: EpisodeSettings
    ) -> EpisodeResult:
        """The result, with what came of its actions when they were done again."""
        if not self.services.options.test_passes:
            return _on_ground(result, spare(environment.runner, self.job.task, result))
        open_context = self.environments.context_opener(environment, dedicated=False)
        context_args = self.environments.context_args(environment)
        if result.viewport is not None:
            context_args["viewport"] = result.viewport

        def open_again(arguments: Mapping[str, Any]) -> Session:
            return Session.unrecorded(open_context({**context_args, **arguments}))

        return _on_ground(
            result,
            repeat(
                environment.runner,
                self.job.task,
                result,
                settings=settings,
                open_session=open_again,
            ),
        )


def _on_ground(result: EpisodeResult, integrity: Integrity | None) -> EpisodeResult:
    if integrity is None:
        return result
    captured = result.captured
    evidence = captured.evidence.model_copy(update={"integrity": integrity})
    return result._replace(captured=captured._replace(evidence=evidence))


def _judge(
    job: TaskJob,
    attempt: AttemptRecorder,
    services: ItemServices,
    folder: EpisodeFolder,
    result: EpisodeResult,
) -> Finding:
    archive = result.captured.archive
    if archive.mhtml is not None:
        folder.write("final.mhtml", archive.mhtml)
    if archive.screenshot is not None:
        folder.write("final.jpg", archive.screenshot)
    evidence = folder.write_evidence(result.captured.evidence)
    verdict = judge(job.task, evidence)
    folder.write("verdict.json", verdict.to_json())
    # Before `commit`, after which nothing in the folder changes.
    services.options.recordings.discard_if_passed(
        folder.path, passed=verdict.outcome is Outcome.PASSED
    )
    shown = services.shown(attempt.commit())
    found = finding(job.task, job.proof, evidence, verdict, shown)
    attempt.finish(
        AttemptResult(
            finding=found,
            ending=verdict.ending.value,
            steps=len(result.actions),
            agent_seconds=result.agent_seconds,
            task_digest=job.digest(),
            evidence_digest=verdict.evidence_digest,
            judge_version=verdict.judge_version,
            browser=result.browser,
            untested=evidence.integrity is not None
            and evidence.integrity.repeated_detail == NOT_ASKED,
        )
    )
    return found


def _unstoppable(job: TaskJob) -> AttemptResult:
    what = "the agent went on after its time and could not be interrupted"
    return AttemptResult(
        finding=Finding(Outcome.FAILED, text=f"{job.task.id} failed: {what}"),
        ending=Ending.TIME_BUDGET.value,
        task_digest=job.digest(),
        judge_version=JUDGE_VERSION,
    )
