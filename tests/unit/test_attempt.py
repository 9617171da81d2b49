"""One attempt and its line in the ledger, without pytest and without a browser."""

from __future__ import annotations

import os
import subprocess
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_webbench._usage import Usage
from pytest_webbench.agents import Agent
from pytest_webbench.agents.base import Journal
from pytest_webbench.agents.baselines import Noop
from pytest_webbench.browser.repeatable import RepeatableAction
from pytest_webbench.capture.capture import Archive, Captured
from pytest_webbench.episode.agent_context import ContextProvider
from pytest_webbench.episode.runner import EpisodeResult
from pytest_webbench.errors import (
    BlockedError,
    EndpointError,
    InfraError,
    NeedsJudgeError,
    SettingsError,
    StoreError,
    UsageError,
)
from pytest_webbench.evidence.models import Ending, Evidence, PageState
from pytest_webbench.judge import Outcome
from pytest_webbench.judge.explanation import Finding
from pytest_webbench.judge.validation import proof_called
from pytest_webbench.run import EpisodeFolder, ItemKey, LedgerEntry, RunDir
from pytest_webbench.run.attempt import UNSTOPPABLE_EXIT, AttemptRecorder, AttemptResult
from pytest_webbench.run.backoff import RunBackoff
from pytest_webbench.run.integrity import inspect
from pytest_webbench.run.ledger import kept_result
from pytest_webbench.run.recordings import Recordings
from pytest_webbench.run.task_job import TaskJob
from pytest_webbench.run.work_item import EpisodeOptions, planned_item
from pytest_webbench.task.native import read_suite, read_task

MINI = Path(__file__).parents[1] / "support" / "mini"
KEY = ItemKey("s", "t", "a", 1)
PASSED = AttemptResult(
    finding=Finding(Outcome.PASSED), ending="done", steps=2, agent_seconds=1.23456
)


class Clock:
    """Goes on by a second each time it is asked."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir(tmp_path / "t")


def recorder(run: RunDir, key: ItemKey = KEY) -> AttemptRecorder:
    return AttemptRecorder(run, key, world="replica", worker="gw3", clock=Clock())


def only_line(run: RunDir, key: ItemKey = KEY) -> LedgerEntry:
    (entry,) = run.attempts_at(key)
    return entry


# -- the recorder ------------------------------------------------------------------------------


def test_finished_attempt_is_one_line_with_its_folder(run: RunDir) -> None:
    with recorder(run) as attempt:
        folder = attempt.begin('{"id": "t"}')
        attempt.open_journal().spend(Usage(calls=2, seconds=0.5, input_tokens=7))
        folder.write("verdict.json", "{}")
        written = {path.name for path in run.path.rglob("*") if path.is_file()}
        assert written == {"verdict.json"}, "no checks lie on disk while the agent acts"
        attempt.finish(PASSED)
    entry = only_line(run)
    assert (entry.outcome, entry.reason, entry.ending) == ("passed", "", "done")
    assert (entry.steps, entry.agent_seconds, entry.model_calls) == (2, 1.235, 2)
    assert (entry.world, entry.worker, entry.attempt) == ("replica", "gw3", 1)
    assert (entry.started, entry.seconds) == ("2026-01-01T00:00:01+00:00", 1.0)
    stored = run.folder_of(entry)
    assert sorted(path.name for path in stored.iterdir()) == ["shots", "task.json", "verdict.json"]
    assert (stored / "task.json").read_text() == '{"id": "t"}\n'


def test_seconds_do_not_include_the_wait_for_a_slot(run: RunDir) -> None:
    with recorder(run) as attempt:
        attempt.restart_clock()
        attempt.finish(PASSED)
    assert only_line(run).started == "2026-01-01T00:00:02+00:00"


def test_second_attempt_gets_its_own_number_and_folder(run: RunDir) -> None:
    for _ in range(2):
        with recorder(run) as attempt:
            attempt.begin("{}")
            attempt.finish(PASSED)
    first, second = run.attempts_at(KEY)
    assert (first.folder, second.folder) == ("episodes/a/t", "episodes/a/t.attempt2")
    assert second.attempt == 2


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (InfraError("no browser"), "infra"),
        (EndpointError("overloaded"), "infra"),
        (BlockedError("bot wall"), "blocked"),
        (NeedsJudgeError("read it"), "needs_judge"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
)
def test_unscored_error_is_recorded_with_its_reason(
    run: RunDir, error: Exception, reason: str
) -> None:
    with pytest.raises(type(error)), recorder(run) as attempt:
        attempt.begin("{}")
        raise error
    entry = only_line(run)
    assert (entry.outcome, entry.reason, entry.detail) == ("unscored", reason, str(error))
    assert (run.folder_of(entry) / "agent.log").read_text() == f"{error}\n"


def test_error_before_the_folder_is_open_is_recorded(run: RunDir) -> None:
    with pytest.raises(InfraError), recorder(run):
        raise InfraError("no browser")
    entry = only_line(run)
    assert (entry.reason, entry.detail, entry.folder) == ("infra", "no browser", "")


@pytest.mark.parametrize("error", [UsageError, SettingsError, StoreError])
def test_usage_error_is_no_attempt(run: RunDir, error: type[Exception]) -> None:
    with pytest.raises(error), recorder(run) as attempt:
        attempt.begin("{}")
        raise error("no such file")
    assert run.attempts_at(KEY) == []
    assert not (run.path / "episodes" / KEY.folder()).exists()
    with recorder(run) as attempt:
        attempt.begin("{}")
        attempt.finish(PASSED)
    assert only_line(run).attempt == 1


@pytest.mark.parametrize("error", [AssertionError, KeyError, KeyboardInterrupt, SystemExit])
def test_unexpected_error_is_recorded_as_infra(run: RunDir, error: type[BaseException]) -> None:
    with pytest.raises(error), recorder(run) as attempt:
        attempt.begin("{}")
        raise error
    entry = only_line(run)
    assert (entry.outcome, entry.reason, entry.detail) == (
        "unscored",
        "infra",
        "the harness failed",
    )
    assert run.folder_of(entry).is_dir()


def test_block_without_a_result_is_recorded_as_infra(run: RunDir) -> None:
    with recorder(run):
        pass
    assert only_line(run).detail == "the harness failed"


def test_error_after_the_result_does_not_change_it(run: RunDir) -> None:
    with pytest.raises(InfraError), recorder(run) as attempt:
        attempt.finish(PASSED)
        raise InfraError("too late")
    assert only_line(run).outcome == "passed"


def test_file_that_could_not_be_written_leaves_no_line(
    run: RunDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("disk full")

    with pytest.raises(StoreError, match="disk full"), recorder(run) as attempt:
        folder = attempt.begin("{}")
        monkeypatch.setattr(Path, "write_bytes", full)
        with pytest.raises(StoreError):
            folder.write("verdict.json", "{}")  # as an agent may, that makes light of it
        attempt.finish(PASSED)
    assert run.attempts_at(KEY) == []


def test_line_is_written_before_the_process_ends(run: RunDir) -> None:
    child = os.fork()
    if not child:
        with recorder(run) as attempt:
            attempt.begin("{}")
            attempt.end_process(AttemptResult(finding=Finding(Outcome.FAILED, text="went on")))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == UNSTOPPABLE_EXIT
    assert (only_line(run).outcome, only_line(run).detail) == ("failed", "went on")


# -- an episode --------------------------------------------------------------------------------


class FakeRunner:
    """Ends every episode at once, with the page and the answer it is given."""

    def __init__(self, url: str, answer: str | None, error: Exception | None) -> None:
        self._url, self._answer, self._error = url, answer, error

    def run(
        self, task: Any, agent: Agent, *, settings: Any, sink: EpisodeFolder, **_: Any
    ) -> EpisodeResult:
        if self._error is not None:
            raise self._error
        page = PageState(url=self._url, title="Next", text="Next")
        evidence = Evidence(task=task.id, ending=Ending.DONE, answer=self._answer, page=page)
        actions = [RepeatableAction(number=number, kind="click") for number in (1, 2, 3)]
        captured = Captured(evidence, Archive("From: x", b"jpeg"))
        return EpisodeResult(captured, actions, [], "chromium 1.2", None, 0.5, 0.25)


class FakeEnvironments:
    def __init__(self, runner: FakeRunner) -> None:
        provider = SimpleNamespace(episode_over=lambda: None, external=True)
        self._environment = SimpleNamespace(runner=runner, provider=provider)

    def environment(self, _world: str, _folder: Path) -> Any:
        return self._environment

    def context_opener(self, _environment: Any, *, dedicated: bool) -> None:
        assert not dedicated


class FakeServices:
    """`ItemServices` with a fake browser and an agent that does nothing."""

    def __init__(
        self,
        tmp_path: Path,
        url: str = "https://mini.test/next",
        *,
        answer: str | None = None,
        error: Exception | None = None,
        agent_error: Exception | None = None,
    ) -> None:
        self._tmp_path, self._agent_error = tmp_path, agent_error
        self._environments = FakeEnvironments(FakeRunner(url, answer, error))
        self.options = EpisodeOptions(None, None, True, True, True, Recordings({}))
        self.backoff = RunBackoff(tmp_path / "locks")

    def fixture(self, name: str) -> Any:
        if name == "webbench_environments":
            return self._environments
        return self.make_agent()

    def make_agent(self) -> Agent:
        if self._agent_error is not None:
            raise self._agent_error
        return Noop()

    def agent_slot(self) -> AbstractContextManager[None]:
        return nullcontext()

    def live_turn(self) -> AbstractContextManager[None]:
        return nullcontext()

    def context_provider(self, _agent: Agent, journal: Journal) -> ContextProvider:
        return ContextProvider(journal, self.backoff, trusted=False)

    def shown(self, path: Path) -> str:
        return path.relative_to(self._tmp_path).as_posix()


@pytest.fixture
def job() -> TaskJob:
    return TaskJob(
        task=read_task(MINI / "tasks" / "open-next.yaml"),
        suite=read_suite(MINI / "suite.toml"),
        suite_folder=MINI,
        agent="noop",
        repeat=1,
        world="replica",
    )


def attempted(run: RunDir, job: TaskJob, services: FakeServices) -> Finding:
    with recorder(run, job.key) as attempt:
        return job.run(attempt, services)


def kept(run: RunDir, job: TaskJob) -> LedgerEntry | None:
    return kept_result(
        run.attempts_at(job.key),
        task_digest=job.digest(),
        world=job.world,
        judge_version=job.judge_version,
    )


def test_episode_that_passes(run: RunDir, job: TaskJob, tmp_path: Path) -> None:
    finding = attempted(run, job, FakeServices(tmp_path))
    assert finding == Finding(Outcome.PASSED)
    finding.assert_passed()
    entry = only_line(run, job.key)
    assert (entry.outcome, entry.detail, entry.steps) == ("passed", "", 3)
    assert entry.agent_seconds == 0.25
    assert kept(run, job) == entry
    names = {path.name for path in run.folder_of(entry).iterdir()}
    assert names >= {"task.json", "evidence.json", "verdict.json", "final.mhtml", "final.jpg"}


def test_episode_that_fails(run: RunDir, job: TaskJob, tmp_path: Path) -> None:
    finding = attempted(run, job, FakeServices(tmp_path, "https://mini.test/"))
    assert finding.outcome is Outcome.FAILED
    with pytest.raises(AssertionError, match="t/episodes/noop/open-next"):
        finding.assert_passed()
    assert kept(run, job) == only_line(run, job.key)


def test_episode_that_could_not_begin(run: RunDir, job: TaskJob, tmp_path: Path) -> None:
    with pytest.raises(InfraError):
        attempted(run, job, FakeServices(tmp_path, error=InfraError("no tab")))
    assert only_line(run, job.key).reason == "infra"
    assert kept(run, job) is None, "a resumed run tries again"


def test_agent_that_cannot_be_made_is_no_attempt(run: RunDir, job: TaskJob, tmp_path: Path) -> None:
    services = FakeServices(tmp_path, agent_error=KeyError("MY_KEY"))
    with pytest.raises(SettingsError, match="the agent could not be made: KeyError: 'MY_KEY'"):
        attempted(run, job, services)
    assert run.attempts_at(job.key) == []


def test_result_of_another_task_file_is_not_kept(run: RunDir, job: TaskJob, tmp_path: Path) -> None:
    attempted(run, job, FakeServices(tmp_path))
    changed = TaskJob(
        task=job.task.model_copy(update={"goal": "Something else"}),
        suite=job.suite,
        suite_folder=MINI,
        agent="noop",
        repeat=1,
        world="replica",
    )
    assert kept(run, job) is not None
    assert kept(run, changed) is None


def test_passing_counterexample_is_unsound(run: RunDir, job: TaskJob, tmp_path: Path) -> None:
    proof = proof_called(job.task, "counterexample-1")
    proving = TaskJob(
        task=job.task,
        suite=job.suite,
        suite_folder=MINI,
        agent="counterexample-1",
        repeat=1,
        world="replica",
        proof=proof,
    )
    finding = attempted(run, proving, FakeServices(tmp_path))
    assert finding.outcome is Outcome.FAILED
    assert "this counterexample passes" in finding.text
    assert not proving.asks_agent


def test_plan_names_item_site_and_tags(job: TaskJob) -> None:
    planned = planned_item(job, "open-next.yaml::open-next")
    assert planned.key == job.key == ItemKey("mini", "open-next", "noop", 1)
    assert (planned.nodeid, planned.site) == ("open-next.yaml::open-next", "mini.test")
    assert planned.tags == tuple(job.task.tags)


def test_budgets_come_from_option_then_task_then_suite(job: TaskJob) -> None:
    assert job.max_actions(3) == 3
    assert job.max_actions(None) == (job.task.limits.actions or job.suite.limits.actions or 60)
    assert job.max_seconds(None) == (job.task.limits.seconds or job.suite.limits.seconds or 900)


def test_attempt_of_a_process_that_was_ended_is_stored_by_another(run: RunDir) -> None:
    attempt = recorder(run)
    folder = attempt.begin('{"id": "t"}')
    folder.log("still running")
    finding = Finding(Outcome.FAILED, text="it went on")
    will = attempt.will(AttemptResult(finding=finding, ending="time_budget"), seconds=30.0)
    subprocess.run(will["command"], input=will["input"], text=True, check=True)
    entry = only_line(run)
    assert (entry.outcome, entry.ending, entry.seconds) == ("failed", "time_budget", 30.0)
    stored = run.folder_of(entry)
    assert {path.name for path in stored.iterdir()} == {"shots", "task.json", "agent.log"}
    assert inspect(run, entry).entry == entry, "it counts, so a resumed run goes on after it"
