"""What agents are handed besides a page: journal, gate, slots, and time that is given back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webbench.agents import Budget
from pytest_webbench.agents.base import Equipment, Usage
from pytest_webbench.episode.outfit import Outfit
from pytest_webbench.evidence.redact import Redactor
from pytest_webbench.run import ItemKey, RunDir
from pytest_webbench.run.gate import LONGEST, RunGate
from pytest_webbench.run.journal import LONGEST_LINE, MOST_LINES, EpisodeJournal
from pytest_webbench.run.slots import Slots

KEY = "sk-planted-0123456789"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# -- gate --------------------------------------------------------------------------------------------------------------


def test_a_pause_holds_for_every_worker_and_for_one_endpoint(tmp_path: Path) -> None:
    clock = Clock()
    one, other = RunGate(tmp_path / "locks", clock), RunGate(tmp_path / "locks", clock)
    assert one.pause("http://a") == 0
    one.close("http://a", 30)
    assert other.pause("http://a") == pytest.approx(30, abs=0.01)
    assert other.pause("http://b") == 0
    other.close("http://a", 5)
    assert one.pause("http://a") == pytest.approx(30, abs=0.01), "a shorter pause does not end a longer one"
    clock.now += 31
    assert one.pause("http://a") == 0


@pytest.mark.parametrize("content", ["", "soon", "nan", "inf", "99999999999", "-1", "\udcff"])
def test_what_cannot_be_a_pause_is_none(tmp_path: Path, content: str) -> None:
    gate = RunGate(tmp_path, Clock())
    gate.close("http://a", 10 * LONGEST)
    assert gate.pause("http://a") == pytest.approx(LONGEST, abs=0.01)
    (file,) = tmp_path.glob("*.pause")
    file.write_text(content, "utf-8", errors="surrogateescape")
    assert gate.pause("http://a") == 0


# -- slots -------------------------------------------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from pytest_webbench.run.slots import Slots
with Slots(Path(sys.argv[1])).take("http://a m", 1):
    print("taken", flush=True)
    sys.stdin.read()
"""


def test_slots_are_waited_for_and_freed_by_a_worker_that_is_killed(tmp_path: Path) -> None:
    """The second taker looks, kills the holder at its first look, and then has the slot."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    waits: list[float] = []

    def kill_instead_of_sleeping(seconds: float) -> None:
        waits.append(seconds)
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()

    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "taken\n"
        with Slots(tmp_path, kill_instead_of_sleeping).take("http://a other model", 1):
            assert waits == [], "another model has slots of its own"
        with Slots(tmp_path, kill_instead_of_sleeping).take("http://a m", 1):
            assert len(waits) == 1


def test_as_many_as_there_are_slots_enter_at_once(tmp_path: Path) -> None:
    class NoneFreeError(Exception):
        pass

    def give_up(_seconds: float) -> None:
        raise NoneFreeError

    slots = Slots(tmp_path / "locks", give_up)
    with slots.take("a", 2), slots.take("a", 2):
        with pytest.raises(NoneFreeError), slots.take("a", 2):
            pass
        with slots.take("a", None), slots.take("b", 1):
            pass
    with slots.take("a", 2):
        pass


# -- journal -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir(tmp_path / "t", Redactor([KEY]))


def test_the_journal_keeps_notes_without_secrets_and_sums_what_was_spent(run: RunDir) -> None:
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
        "model_calls": 3, "model_seconds": 0.75, "input_tokens": 11, "output_tokens": 5, "cost": 0.125,
    }  # fmt: skip


def test_a_journal_that_is_full_says_so_and_takes_no_more(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_webbench.run.journal.MOST_LINES", 3)
    folder = run.begin_episode(ItemKey("s", "t", "a", 1))
    journal = EpisodeJournal(folder)
    for number in range(9):
        journal.note("choice", number=number)
    kinds = [json.loads(line)["kind"] for line in (folder.path / "agent.jsonl").read_text("utf-8").splitlines()]
    assert kinds == ["choice", "choice", "full"]
    assert MOST_LINES > 1000


# -- outfit ------------------------------------------------------------------------------------------------------------


class Waits:
    own_browser = False

    def equip(self, equipment: Equipment) -> None:
        self.equipment = equipment
        equipment.waited(7.0)
        equipment.waited(-100.0)

    def run(self, brief: object, page: object, budget: object) -> str | None:
        raise NotImplementedError


class Plain:
    def run(self, brief: object, page: object, budget: object) -> str | None:
        raise NotImplementedError


@pytest.mark.parametrize(("ours", "given"), [(True, [7.0]), (False, [])])
def test_time_is_given_back_to_agents_of_ours_only(run: RunDir, tmp_path: Path, ours: bool, given: list[float]) -> None:
    journal = EpisodeJournal(run.begin_episode(ItemKey("s", "t", "a", 1)))
    outfit = Outfit(journal, RunGate(tmp_path), ours=ours)
    extended: list[float] = []
    logged: list[str] = []
    agent = Waits()
    outfit.put_on(agent, "http://127.0.0.1:1", extended.append, logged.append)
    assert extended == given
    assert outfit.waited == sum(given)
    assert agent.equipment.cdp_url == "http://127.0.0.1:1"
    assert agent.equipment.journal is journal
    outfit.put_on(Plain(), None, extended.append, logged.append)


def test_a_budget_that_was_extended_says_so() -> None:
    clock = Clock()
    budget = Budget(10, 60.0, lambda: 0, clock)
    clock.now += 50
    budget._extend(30)
    assert budget.seconds_left == 40
