"""What agents get besides a page: journal, backoff, concurrency, and time that is given back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webbench._usage import Usage
from pytest_webbench.agents import Budget
from pytest_webbench.agents.base import AgentContext
from pytest_webbench.episode.agent_context import ContextProvider
from pytest_webbench.evidence.redact import Redactor
from pytest_webbench.run import ItemKey, RunDir
from pytest_webbench.run.backoff import LONGEST, RunBackoff
from pytest_webbench.run.concurrency import ConcurrencyLimit
from pytest_webbench.run.journal import LONGEST_LINE, MOST_LINES, EpisodeJournal

KEY = "sk-planted-0123456789"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# -- gate --------------------------------------------------------------------------------------


def test_pause_holds_for_every_worker_and_one_endpoint(tmp_path: Path) -> None:
    clock = Clock()
    one, other = RunBackoff(tmp_path / "locks", clock), RunBackoff(tmp_path / "locks", clock)
    assert one.pause("http://a") == 0
    one.start("http://a", 30)
    assert other.pause("http://a") == pytest.approx(30, abs=0.01)
    assert other.pause("http://b") == 0
    other.start("http://a", 5)
    assert one.pause("http://a") == pytest.approx(30, abs=0.01), (
        "a shorter pause does not end a longer one"
    )
    clock.now += 31
    assert one.pause("http://a") == 0


@pytest.mark.parametrize("content", ["", "soon", "nan", "inf", "99999999999", "-1", "\udcff"])
def test_broken_pause_file_is_no_pause(tmp_path: Path, content: str) -> None:
    backoff = RunBackoff(tmp_path, Clock())
    backoff.start("http://a", 10 * LONGEST)
    assert backoff.pause("http://a") == pytest.approx(LONGEST, abs=0.01)
    (file,) = tmp_path.glob("*.pause")
    file.write_text(content, "utf-8", errors="surrogateescape")
    assert backoff.pause("http://a") == 0


# -- slots -------------------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from pytest_webbench.run.concurrency import ConcurrencyLimit
with ConcurrencyLimit(Path(sys.argv[1])).take("http://a m", 1):
    print("taken", flush=True)
    sys.stdin.read()
"""


def test_killed_worker_frees_its_slot(tmp_path: Path) -> None:
    """The second taker looks, kills the holder at its first look, and then has the slot."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    waits: list[float] = []

    def kill_instead_of_sleeping(seconds: float) -> None:
        waits.append(seconds)
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()

    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "taken\n"
        with ConcurrencyLimit(tmp_path, kill_instead_of_sleeping).take("http://a other model", 1):
            assert waits == [], "another model has slots of its own"
        with ConcurrencyLimit(tmp_path, kill_instead_of_sleeping).take("http://a m", 1):
            assert len(waits) == 1


def test_no_more_workers_enter_than_there_are_slots(tmp_path: Path) -> None:
    class NoneFreeError(Exception):
        pass

    def give_up(_seconds: float) -> None:
        raise NoneFreeError

    slots = ConcurrencyLimit(tmp_path / "locks", give_up)
    with slots.take("a", 2), slots.take("a", 2):
        with pytest.raises(NoneFreeError), slots.take("a", 2):
            pass
        with slots.take("a", None), slots.take("b", 1):
            pass
    with slots.take("a", 2):
        pass


# -- journal -----------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir(tmp_path / "t", Redactor([KEY]))


def test_journal_redacts_notes_and_sums_usage(run: RunDir) -> None:
    clock = Clock()
    folder = run.begin_episode(ItemKey("s", "t", "a", 1))
    journal = EpisodeJournal(folder, clock)
    clock.now += 1.5
    journal.note("choice", key=KEY, nested={KEY: [KEY, 'quoted "' + KEY]}, lone="\ud800", at=-1)
    journal.note("long", text="x" * (LONGEST_LINE // 2 - 40) + KEY + "y" * LONGEST_LINE)
    lines = (folder.path / "agent.jsonl").read_text("utf-8").splitlines()
    assert KEY[:8] not in "".join(lines)
    first, second = map(json.loads, lines)
    assert (first["kind"], first["at"], first["key"]) == ("choice", 1.5, "[redacted]")
    assert second["kind"] == "long"
    assert len(lines[1]) <= LONGEST_LINE
    assert journal.account()["cost"] is None
    journal.spend(Usage(calls=1, seconds=0.25, input_tokens=10, output_tokens=5, cost=0.125))
    journal.spend(Usage(calls=2, seconds=0.5, input_tokens=1))
    assert journal.account() == {
        "model_calls": 3,
        "model_seconds": 0.75,
        "input_tokens": 11,
        "output_tokens": 5,
        "cost": 0.125,
    }


def test_full_journal_says_so_and_takes_no_more(
    run: RunDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_webbench.run.journal.MOST_LINES", 3)
    folder = run.begin_episode(ItemKey("s", "t", "a", 1))
    journal = EpisodeJournal(folder)
    for number in range(9):
        journal.note("choice", number=number)
    kinds = [
        json.loads(line)["kind"]
        for line in (folder.path / "agent.jsonl").read_text("utf-8").splitlines()
    ]
    assert kinds == ["choice", "choice", "full"]
    assert MOST_LINES > 1000


# -- outfit ------------------------------------------------------------------------------------


class Waits:
    dedicated_browser = False

    def attach(self, context: AgentContext) -> None:
        self.context = context
        context.on_wait(7.0)
        context.on_wait(-100.0)

    def run(self, brief: object, page: object, budget: object) -> str | None:
        raise NotImplementedError


class Plain:
    def run(self, brief: object, page: object, budget: object) -> str | None:
        raise NotImplementedError


@pytest.mark.parametrize(("trusted", "given"), [(True, [7.0]), (False, [])])
def test_only_trusted_agents_get_back_time_spent_waiting(
    run: RunDir, tmp_path: Path, trusted: bool, given: list[float]
) -> None:
    journal = EpisodeJournal(run.begin_episode(ItemKey("s", "t", "a", 1)))
    context_provider = ContextProvider(journal, RunBackoff(tmp_path), trusted=trusted)
    extended: list[float] = []
    logged: list[str] = []
    agent = Waits()
    context_provider.attach(
        agent, cdp_url="http://127.0.0.1:1", extend=extended.append, log=logged.append
    )
    assert extended == given
    assert context_provider.extra_seconds == sum(given)
    assert agent.context.cdp_url == "http://127.0.0.1:1"
    assert agent.context.journal is journal
    context_provider.attach(Plain(), cdp_url=None, extend=extended.append, log=logged.append)


def test_extended_budget_shows_the_extension() -> None:
    clock = Clock()
    budget = Budget(10, 60.0, lambda: 0, clock)
    clock.now += 50
    budget._extend(30)
    assert budget.seconds_left == 40
