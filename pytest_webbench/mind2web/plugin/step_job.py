"""A recorded step as a work item: measure it and record it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ..._json import canonical_json
from ...agents import Agent
from ...agents.base import AgentContext
from ...agents.config import FROM_FIXTURE, agent_label
from ...agents.load import decides_single_steps
from ...agents.loop import PolicyAgent, PolicyReply
from ...episode.watchdog import Interrupted
from ...errors import InfraError, SettingsError
from ...evidence.episode_files import RECORDED_PAGE
from ...judge import Outcome
from ...judge.explanation import Finding
from ...plugin.jobs import Collection
from ...run import ItemKey
from ...run.attempt import AttemptRecorder, AttemptResult
from ...run.journal import EpisodeJournal
from ...run.work_item import ItemServices, PlanFacts
from ...task import Suite, Task
from ...task.native import read_suite
from ..loading import load_steps
from ..measure import Measured, measure
from ..records import RecordedStep
from ..selection import Mode
from ..store import Entry, StepStore
from ..tables import WORLD
from ..verdict import succeeded, verdict_of
from .explanation import explanation
from .options import STEPS_FILE, step_settings
from .page_pool import PagePool

PERCEPTION: Final = "perception"
"""Stands for the agent where no model is asked."""
MEASURE_VERSION: Final = 1
"""Goes up when the same step may get another result; results of other versions are not reused."""
READ_SECONDS: Final = 60.0
_DEAD: Final = (
    '<!DOCTYPE html><meta charset="utf-8">'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'\">\n"
)
"""Begins a page that is kept: it may be opened by hand."""
ASK_SECONDS: Final = 600.0
"""A policy limits how long it waits for its endpoint; this is for what hangs nevertheless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepJob:
    """One recorded step for one agent; see `WorkItem`."""

    suite: Suite
    steps: StepStore
    entry: Entry
    agent: str
    """`FROM_FIXTURE` stands for none: without an agent, only what can be seen is measured."""
    mode: Mode
    repeat: int = 1
    proof: None = None
    task: Task | None = None

    @property
    def key(self) -> ItemKey:
        return ItemKey(self.suite.name, _file_name(self.entry.name), self._label, self.repeat)

    @property
    def _label(self) -> str:
        if not self.asks_agent:
            return PERCEPTION
        return agent_label(self.agent)

    @property
    def world(self) -> str:
        return f"{WORLD}{self.mode}"

    @property
    def judge_version(self) -> int:
        return 0  # the digest holds the version of the measurement

    @property
    def asks_agent(self) -> bool:
        return self.agent != FROM_FIXTURE

    @property
    def retries_in_place(self) -> bool:
        return True

    @property
    def labels(self) -> tuple[str, ...]:
        entry = self.entry
        labels = (self.suite.name, entry.website, entry.op, entry.role, entry.split)
        return tuple(label for label in labels if label)

    @property
    def plan_facts(self) -> PlanFacts:
        entry = self.entry
        tags = (entry.split, entry.domain, entry.op, entry.role)
        labels = tuple(tag for tag in tags if tag)
        return PlanFacts(entry.website, labels, "Mind2Web", part_of=entry.task)

    def digest(self) -> str:
        text = f"{self.entry.digest} {MEASURE_VERSION}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def run(self, attempt: AttemptRecorder, services: ItemServices) -> Finding:
        return measure_step(self, attempt, services)


def step_jobs(path: Path, collection: Collection) -> Iterator[StepJob]:
    """The selected steps of the suite that ``path`` describes, for each agent and repeat.

    `SettingsError` if that is impossible, `TaskFileError` if the suite file is wrong.
    """
    if not collection.settings.runs_agents:
        raise SettingsError(
            "recorded steps are neither validated nor judged again: leave out that option"
        )
    if collection.seeds > 1:
        raise SettingsError("recorded steps have one edition only: leave out --webbench-seeds")
    chosen = step_settings(collection.config)
    agents = _agents(collection, chosen.mode)
    suite = read_suite(path)
    steps = load_steps(chosen.selection, path.parent / STEPS_FILE)
    for entry in steps.entries:
        for agent in agents:
            for repeat in range(1, _repeats(agent, collection) + 1):
                yield StepJob(
                    suite=suite,
                    steps=steps,
                    entry=entry,
                    agent=agent,
                    mode=chosen.mode,
                    repeat=repeat,
                )


def _agents(collection: Collection, mode: Mode) -> list[str]:
    """Those that decide single steps; one that stands for all others, if there are any."""
    deciding = [agent for agent in collection.agents if _decides(agent, collection)]
    if deciding and mode == "compat":
        raise SettingsError(
            f"agent {deciding[0]!r} cannot act in --m2w-mode compat, which measures coverage "
            "only: choose agent noop, or use --m2w-mode dom"
        )
    others = len(deciding) < len(collection.agents)
    return [*deciding, FROM_FIXTURE] if others else deciding


def _decides(agent: str, collection: Collection) -> bool:
    return decides_single_steps(agent, collection.configuration)


def _repeats(agent: str, collection: Collection) -> int:
    if agent == FROM_FIXTURE:
        return 1  # perception is deterministic
    return collection.repeats


def measure_step(job: StepJob, attempt: AttemptRecorder, services: ItemServices) -> Finding:
    """Measure the step of ``job``, with its agent's policy if it has one, and record the result."""
    step = job.steps.read(job.entry)
    agent = _policy_agent(job, services) if job.asks_agent else None
    pool: PagePool = services.fixture("m2w_page_pool")
    folder = attempt.begin(canonical_json(_facts(step)))
    journal = attempt.open_journal()
    with services.agent_slot():
        measured = _measure(step, job.mode, pool, agent, _context(journal, services))
    _note(measured, journal)
    digest, page_digest = job.digest(), job.entry.digest
    verdict = verdict_of(step, measured.result, task_digest=digest, evidence_digest=page_digest)
    folder.write("result.json", canonical_json(measured.result.model_dump(mode="json")) + "\n")
    folder.write("verdict.json", verdict.to_json())
    folder.write(RECORDED_PAGE, _DEAD + measured.html)
    where = services.shown(attempt.commit())
    finding = Finding(Outcome.PASSED)
    if not succeeded(measured.result):
        text = explanation(step, measured.result, where)
        # Its first two lines say what was wanted, the last one where the step is kept.
        brief = "; ".join(line.strip() for line in text.splitlines()[2:-1])
        finding = Finding(Outcome.FAILED, text=text, brief=brief)
    result = AttemptResult(
        finding=finding,
        ending="done",
        task_digest=digest,
        evidence_digest=page_digest,
        browser=pool.browser,
    )
    if measured.reply is not None:
        result = replace(result, steps=1, agent_seconds=measured.reply.seconds)
    attempt.finish(result)
    return finding


def _policy_agent(job: StepJob, services: ItemServices) -> PolicyAgent:
    agent: Agent = services.make_agent()
    assert isinstance(agent, PolicyAgent), "only agents that decide single steps are planned"
    return agent


def _context(journal: EpisodeJournal, services: ItemServices) -> AgentContext:
    return AgentContext(journal, services.backoff, None)


def _measure(
    step: RecordedStep, mode: Mode, pool: PagePool, agent: PolicyAgent | None, context: AgentContext
) -> Measured:
    """`InfraError` if it takes too long or the browser is lost."""
    seconds = READ_SECONDS if agent is None else ASK_SECONDS
    try:
        with pool.watchdog.limit(seconds, "look"):
            if agent is None:
                return measure(step, pool.reader(), mode=mode)
            with agent.policy(context) as policy:
                return measure(step, pool.reader(), mode=mode, policy=policy)
    except Interrupted as error:
        pool.drop()
        raise InfraError(f"the step was not measured within {seconds:g} s") from error
    except Exception as error:
        if pool.lost(error):
            pool.drop()
            raise InfraError(f"the browser was lost: {error}") from error
        raise


def _facts(step: RecordedStep) -> dict[str, Any]:
    """What ``task.json`` says of a step: everything but its page."""
    page = {"cleaned_html", "boxes", "hidden", "clickable", "candidates"}
    return step.model_dump(mode="json", exclude=page)


def _note(measured: Measured, journal: EpisodeJournal) -> None:
    reply = measured.reply
    if reply is None:
        return
    journal.spend(reply.usage)
    for text in reply.rejected:
        journal.note("refused", text=text)
    _note_decision(reply, journal)


def _note_decision(reply: PolicyReply, journal: EpisodeJournal) -> None:
    decision = reply.decision
    if decision is None:
        return
    journal.note(
        "decision",
        number=1,
        action=decision.action.model_dump(mode="json"),
        thought=decision.thought,
        probability=decision.probability,
        candidates=[
            {"label": one.label, "probability": one.probability} for one in decision.candidates
        ],
        seconds=round(reply.seconds, 3),
    )


def _file_name(name: str) -> str:
    """A step's name as a folder's: letters, digits, dot, dash and underscore."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)
