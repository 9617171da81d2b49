"""Fakes and builders for the tests of agents, checks, formats and worlds. Import from here.

    from pytest_webbench.testing import page_server, run_task, task

    def test_my_agent(tmp_path):
        with page_server({"/": "<a href=/lamps>Lamps</a>", "/lamps": "<h1>Lamps</h1>"}) as url:
            wanted = task(start_url=url, expected_url=f"{url}lamps")
            done = run_task(wanted, MyAgent(), tmp_path)
        assert done.verdict.outcome == "passed", done.explanation

Nothing here is a stand-in for the browser or the judge: `run_task` runs a real episode in a real
Chromium and judges its evidence as a session does.
"""

from __future__ import annotations

import mimetypes
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Playwright, sync_playwright

from .agents import Agent, Backoff, Budget, Journal, TaskBrief
from .agents.detached import LocalBackoff
from .browser.driver import Driver
from .browser.local import LocalBrowser
from .checks import Getter, Metric, Value
from .episode.agent_context import ContextProvider
from .episode.environments import EnvironmentPool
from .errors import UnscoredError
from .evidence.models import Evidence
from .judge import Outcome, Verdict
from .judge.explanation import Finding
from .run import ItemKey, LedgerEntry, PlannedItem, RunDir
from .run.attempt import AttemptRecorder
from .run.episode import StoredEpisode
from .run.recordings import KINDS, Recordings
from .run.task_job import TaskJob
from .run.work_item import EpisodeOptions
from .task import Suite, Task

__all__ = [
    "FakeClock",
    "TaskRun",
    "brief",
    "budget",
    "evidence",
    "page_server",
    "read",
    "run_directory",
    "run_task",
    "score",
    "suite",
    "task",
]

_OPTIONS: Final = EpisodeOptions(
    max_actions=None,
    max_seconds=None,
    step_shots=True,
    archive=True,
    test_passes=True,
    recordings=Recordings(dict.fromkeys(KINDS, "off"), full_page=False),
)
_START: Final = "https://shop.example/"


# -- values ---------------------------------------------------------------


def task(*, expected_url: str = "", **fields: Any) -> Task:
    """A task that asks for a page to be open.

    ``fields`` are those of a task file and replace the defaults. ``expected_url`` is the address
    that its only check expects (default: the start page); give ``checks`` for anything else.
    A pydantic ``ValidationError`` says what is wrong with them.
    """
    start_url = fields.get("start_url", _START)
    opened = {"name": "the page is open", "get": {"type": "final_url"}, "metric": "url_matches"}
    defaults = {
        "id": "example",
        "goal": "Open the page that is asked for.",
        "start_url": start_url,
        "checks": [{**opened, "expected": expected_url or start_url}],
    }
    return Task.model_validate({**defaults, **fields})


def suite(**fields: Any) -> Suite:
    """A suite in the live world; ``fields`` are those of ``suite.toml``."""
    defaults = {"name": "example", "title": "Example", "licence": "none", "worlds": ["live"]}
    return Suite.model_validate({**defaults, **fields})


def brief(**fields: Any) -> TaskBrief:
    """What an agent is told of a task; ``fields`` replace the defaults (60 actions, 900 s)."""
    defaults: dict[str, Any] = {
        "task_id": "example",
        "goal": "Open the page that is asked for.",
        "start_url": _START,
        "wants_answer": False,
        "max_actions": 60,
        "max_seconds": 900.0,
        "locale": "en-US",
        "timezone": "UTC",
    }
    return TaskBrief(**{**defaults, **fields})


class FakeClock:
    """A clock that stands still until it is moved; call it to read it, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        self.now += seconds


def budget(
    *, actions: int = 60, seconds: float = 900.0, used: int = 0, clock: FakeClock | None = None
) -> Budget:
    """A budget of which ``used`` actions are spent; its time passes only as ``clock`` is moved."""
    return Budget(actions, seconds, lambda: used, clock or FakeClock())


def evidence(**fields: Any) -> Evidence:
    """Evidence of an episode that ended well on ``https://shop.example/``.

    ``fields`` are those of ``evidence.json``, such as ``answer="12"``, ``page={"url": ...}`` or
    ``actions=[...]``. A pydantic ``ValidationError`` says what is wrong with them.
    """
    return Evidence.model_validate({"task": "example", "page": {"url": _START}, **fields})


# -- checks ---------------------------------------------------------------


def read(getter: Getter, recorded: Evidence) -> Value:
    """What ``getter`` reads; `GetterError` if the evidence cannot tell."""
    return getter.read(recorded)


def score(metric: Metric, result: Value, expected: Value) -> float:
    """What ``metric`` makes of a value, from 0 to 1.

    `AssertionError` if a task file could not expect this, with everything that is wrong with it.
    """
    issues = metric.issues(expected)
    assert not issues, f"{metric.name} cannot expect {expected!r}: {[one.what for one in issues]}"
    return metric.score(result, expected)


# -- pages ---------------------------------------------------------------


@contextmanager
def page_server(pages: Mapping[str, str | bytes]) -> Iterator[str]:
    """Serves pages by path on loopback while the block runs; gives the address of ``/``.

    Text is HTML in UTF-8, bytes are what the path's ending says. Other paths answer 404. Queries
    are ignored.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            body = pages.get(path)
            kind = mimetypes.guess_type(path)[0] if isinstance(body, bytes) else None
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", kind or "text/html; charset=utf-8")
            self.end_headers()
            content = "" if body is None else body
            self.wfile.write(content.encode() if isinstance(content, str) else content)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: the browser's requests are not the test's output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# -- runs ---------------------------------------------------------------


def run_directory(path: Path, outcomes: Mapping[str, str], *, agent: str = "example") -> RunDir:
    """A run directory in which ``agent`` attempted tasks once each.

    ``outcomes`` maps task ids to ``passed``, ``failed`` or an unscored reason such as ``infra``.
    There are a plan and a ledger, but no episode folders.
    """
    run = RunDir(path)
    keys = [ItemKey("example", name, agent, 1) for name in outcomes]
    run.plan(
        [PlannedItem(**key._asdict(), nodeid=f"{key.task}.yaml::{key.task}") for key in keys], {}
    )
    for key in keys:
        run.record(_entry(key, outcomes[key.task]), "main")
    return run


def _entry(key: ItemKey, outcome: str) -> LedgerEntry:
    scored = outcome in (Outcome.PASSED, Outcome.FAILED)
    return LedgerEntry(
        **key._asdict(),
        attempt=1,
        world="live",
        outcome=outcome if scored else Outcome.UNSCORED.value,
        reason="" if scored else outcome,
        started="2026-01-01T00:00:00+00:00",
    )


class TaskRun(NamedTuple):
    """What one episode came to."""

    verdict: Verdict
    evidence: Evidence
    folder: Path
    """The episode folder: steps, pictures, evidence, verdict."""
    explanation: str
    """Check by check what was expected and found; empty if the task passed."""


def run_task(
    what: Task,
    agent: Agent,
    folder: Path,
    *,
    world: str = "live",
    suite_folder: Path | None = None,
    playwright: Playwright | None = None,
) -> TaskRun:
    """Runs one episode of ``agent`` in a headless Chromium of this machine and judges it.

    The run directory is ``folder / "run"``. ``suite_folder`` is where a replica world finds its
    sites. Pass pytest-playwright's fixture ``playwright`` where other tests of the session use it:
    a thread can run only one Playwright. Call it in the main thread. `UnscoredError` if the outcome
    cannot be known, `BrowserNotFound` without a Chromium.
    """
    run = RunDir(folder / "run")
    job = TaskJob(
        task=what,
        suite=suite(worlds=[world]),
        suite_folder=suite_folder or folder,
        agent="example",
        repeat=1,
        world=world,
    )
    running = sync_playwright() if playwright is None else nullcontext(playwright)
    with running as given:
        pool = EnvironmentPool(Driver(given), lambda now: LocalBrowser(now, {}), {}, "local")
        services = _Services(agent, pool, _OPTIONS)
        try:
            with AttemptRecorder(run, job.key, world=world, worker="main") as attempt:
                found = job.run(attempt, services)
        finally:
            pool.close()
    return _task_run(run, job.key, found)


def _task_run(run: RunDir, key: ItemKey, found: Finding) -> TaskRun:
    (entry,) = run.attempts_at(key)
    stored = StoredEpisode(run.folder_of(entry))
    verdict, recorded = stored.verdict(), stored.evidence()
    if verdict is None or recorded is None:
        raise UnscoredError(found.text)
    return TaskRun(verdict, recorded, stored.path, found.text)


@dataclass(frozen=True, slots=True)
class _Services:
    """What an item asks of a session, without a session."""

    agent: Agent
    environments: EnvironmentPool
    options: EpisodeOptions
    backoff: Backoff = field(default_factory=LocalBackoff)

    def fixture(self, name: str) -> Any:
        return {"webbench_agent": self.agent, "webbench_environments": self.environments}[name]

    def make_agent(self) -> Agent:
        return self.agent

    def agent_slot(self) -> AbstractContextManager[None]:
        return nullcontext()

    def live_turn(self) -> AbstractContextManager[None]:
        return nullcontext()

    def context_provider(self, agent: Agent, journal: Journal) -> ContextProvider:
        return ContextProvider(journal, self.backoff, trusted=False)

    def shown(self, path: Path) -> str:
        return str(path)
