"""Where an item gets its result from: the ledger, a stored episode, or an attempt made now."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from .._text import harmless
from ..errors import InfraError, StoreError, UsageError
from ..judge import Outcome
from ..judge.explanation import Finding, flagged_text
from ..run import LedgerEntry, RunDir
from ..run.attempt import AttemptRecorder
from ..run.integrity import inspect, once
from ..run.ledger import counts, kept_result
from ..run.recordings import KINDS, Recordings
from ..run.task_job import TaskJob
from ..run.work_item import EpisodeOptions, WorkItem
from .agents import SessionAgents
from .invocation import Invocation
from .rescore import Rescoring
from .services import RequestServices


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResults:
    """The results of one session's items. ``retries``: of a broken attempt, within the item."""

    run: RunDir
    agents: SessionAgents
    invocation: Invocation
    options: EpisodeOptions
    retries: int

    def obtain(self, request: pytest.FixtureRequest) -> Finding:
        """The result of the item of ``request``; `UnscoredError` where there is none."""
        services = self.services(request)
        work = services.item.work
        stored = self._stored(work, services)
        if stored is not None:
            finding = Finding(
                Outcome(stored.outcome), stored.reason, stored.detail, flags=stored.flags
            )
        else:
            finding = self._attempt_or_stop(work, services, request.session)
        finding.raise_if_unscored()
        if finding.flags and self.invocation.settings.flagged_fails:
            return Finding(Outcome.FAILED, text=flagged_text(work.key.task, finding.flags))
        return finding

    def services(self, request: pytest.FixtureRequest) -> RequestServices:
        """What the session offers to the item of ``request``."""
        return RequestServices(
            request,
            options=self.options,
            agents=self.agents,
            run=self.run,
            invocation=self.invocation,
        )

    def stop(self, session: pytest.Session, error: Exception) -> None:
        """End the session after this item: nothing else can be run until the user corrects this."""
        text = harmless(self.agents.redactor.text(str(error)))
        # One line, because pytest prints it as a separator.
        session.shouldfail = text.splitlines()[0]

    def _stored(self, work: WorkItem, services: RequestServices) -> LedgerEntry | None:
        if self.invocation.settings.rescore:
            assert isinstance(work, TaskJob), "only task formats take part in a rescore"
            return Rescoring(self.run, self.invocation.worker).judge_again(work, services)
        kept = kept_result(
            once(self.run, self.run.attempts_at(work.key))[0],
            task_digest=work.digest(),
            world=work.world,
            judge_version=work.judge_version,
        )
        if kept is None:
            return None
        believed = inspect(self.run, kept).entry
        return believed if counts(believed) else None

    def _attempt_or_stop(
        self, work: WorkItem, services: RequestServices, session: pytest.Session
    ) -> Finding:
        try:
            return self._attempts(work, services)
        except (UsageError, StoreError) as error:
            self.stop(session, error)
            raise

    def _attempts(self, work: WorkItem, services: RequestServices) -> Finding:
        if work.retries_in_place:
            for _retry in range(self.retries):
                try:
                    return self._attempt(work, services)
                except InfraError:
                    continue
        return self._attempt(work, services)

    def _attempt(self, work: WorkItem, services: RequestServices) -> Finding:
        worker = self.invocation.worker
        with AttemptRecorder(self.run, work.key, world=work.world, worker=worker) as attempt:
            return work.run(attempt, services)


def episode_options(invocation: Invocation) -> EpisodeOptions:
    """The options of a session that concern single episodes, pytest-playwright's among them."""
    settings, config = invocation.settings, invocation.config
    modes = {kind: config.getoption(f"--{kind}", "off") for kind in KINDS}
    full_page = config.getoption("--full-page-screenshot", False)
    return EpisodeOptions(
        max_actions=settings.max_actions,
        max_seconds=settings.max_seconds,
        step_shots=settings.step_shots,
        archive=settings.archive,
        test_passes=settings.test_passes == "always",
        recordings=Recordings(modes, full_page=full_page),
    )
