"""Turns on live sites: order, pauses, limits by browser, and what a killed worker leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from pytest_webbench._locks import LockFile
from pytest_webbench.errors import BlockedError, DriftedError, EndpointError, InfraError
from pytest_webbench.plugin.items import Retries
from pytest_webbench.run.concurrency import ConcurrencyLimit
from pytest_webbench.run.live_turns import LiveTurns
from pytest_webbench.task.models import Live

HOLDER: Final = """
import sys
from pathlib import Path
from pytest_webbench.run.live_turns import LiveTurns
from pytest_webbench.task.models import Live

with LiveTurns(Path(sys.argv[1]), Live(pause=float(sys.argv[2]))).take("a.example"):
    print("inside", flush=True)
    sys.stdin.read()
"""
WAITER: Final = """
import sys
from pathlib import Path
from pytest_webbench.run.waiting_line import WaitingLine

with WaitingLine(Path(sys.argv[1]), sys.argv[2]).join():
    print("inside", flush=True)
    sys.stdin.read()
"""


class Watched:
    """Sleeps for a moment only, and tells that somebody has to wait."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.waits = threading.Event()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.waits.set()
        threading.Event().wait(0.001)

    def waits_unless(self, inside: threading.Event) -> None:
        """Return when somebody has to wait, or is inside."""
        while not self.waits.wait(0.01) and not inside.is_set():
            pass


@contextmanager
def process(program: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Another process that is inside by now."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "inside\n"
        yield other
        other.kill()


def enters(turns: LiveTurns, site: str, others: threading.Event) -> threading.Thread:
    def run() -> None:
        with turns.take(site):
            others.set()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize(("site", "at_once"), [("a.example", False), ("b.example", True)])
def test_one_episode_at_a_time_on_a_site(tmp_path: Path, site: str, *, at_once: bool) -> None:
    watched, inside = Watched(), threading.Event()
    rules = Live(pause=0)
    with LiveTurns(tmp_path, rules).take("a.example"):
        thread = enters(LiveTurns(tmp_path, rules, sleep=watched.sleep), site, inside)
        watched.waits_unless(inside)
        assert inside.is_set() is at_once
    thread.join()
    assert inside.is_set()


@pytest.mark.parametrize("cloud", [False, True])
def test_kinds_of_browsers_have_limits_of_their_own(tmp_path: Path, *, cloud: bool) -> None:
    watched, inside = Watched(), threading.Event()
    rules = Live(pause=0, parallel=1, parallel_cloud=1)
    with LiveTurns(tmp_path, rules).take("a.example"):
        second = LiveTurns(tmp_path, rules, cloud=cloud, sleep=watched.sleep)
        thread = enters(second, "b.example", inside)
        watched.waits_unless(inside)
        assert inside.is_set() is cloud
    thread.join()


def test_pause_is_kept_after_an_episode_on_the_same_site(tmp_path: Path) -> None:
    rules = Live(pause=0.2)
    with LiveTurns(tmp_path, rules).take("a.example"):
        began = time.time()
    watched = Watched()
    with LiveTurns(tmp_path, rules, sleep=watched.sleep).take("b.example"):
        assert watched.slept == []
    with LiveTurns(tmp_path, rules, sleep=watched.sleep).take("a.example"):
        assert time.time() - began >= 0.19
    assert max(watched.slept) > 0.05


def test_killed_workers_turn_is_free_and_its_pause_is_kept(tmp_path: Path) -> None:
    with process(HOLDER, tmp_path, 60) as holder:
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
    slept: list[float] = []

    class Over(Exception):  # noqa: N818 - ends the wait
        pass

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        raise Over

    with pytest.raises(Over), LiveTurns(tmp_path, Live(), sleep=sleep).take("a.example"):
        pass
    assert 0 < slept[0] <= 60
    with LiveTurns(tmp_path, Live(), sleep=sleep).take("b.example"):
        pass


def test_who_came_first_is_served_first(tmp_path: Path) -> None:
    order: list[int] = []
    limit = ConcurrencyLimit(tmp_path)
    threads = []
    with limit.take("x", 1):
        for number in range(4):
            watched = Watched()

            def run(number: int = number, watched: Watched = watched) -> None:
                with ConcurrencyLimit(tmp_path, watched.sleep).take("x", 1):
                    order.append(number)

            threads.append(threading.Thread(target=run))
            threads[-1].start()
            watched.waits.wait()  # it stands in line now
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3]


def test_killed_process_holds_up_nobody_in_line(tmp_path: Path) -> None:
    limit = ConcurrencyLimit(tmp_path)
    with limit.take("x", 1):
        name = next(tmp_path.glob("*.lock")).name.partition(".")[0]
    with process(WAITER, tmp_path, name) as waiter:
        assert list(tmp_path.glob("*.ticket"))
        os.kill(waiter.pid, signal.SIGKILL)
        waiter.wait()
    with limit.take("x", 1):
        assert not list(tmp_path.glob("*.ticket"))
    assert not list(tmp_path.glob("*.new"))


def test_many_episodes_never_exceed_a_limit_and_all_end(tmp_path: Path) -> None:
    inside: dict[str, int] = {"a": 0, "b": 0, "c": 0}
    most = dict.fromkeys([*inside, "all"], 0)
    guard = threading.Lock()

    def run(site: str) -> None:
        with LiveTurns(tmp_path, Live(pause=0), sleep=Watched().sleep).take(site):
            with guard:
                inside[site] += 1
                most[site] = max(most[site], inside[site])
                most["all"] = max(most["all"], sum(inside.values()))
            os.sched_yield()
            with guard:
                inside[site] -= 1

    threads = [threading.Thread(target=run, args=(site,)) for site in "abc" * 5]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert most["a"] == most["b"] == most["c"] == 1
    assert most["all"] <= 2


def test_slots_of_other_sizes_share_their_locks(tmp_path: Path) -> None:
    with ConcurrencyLimit(tmp_path).take("x", 1):
        (lock,) = tmp_path.glob("*.0.lock")
        assert not LockFile(lock).try_acquire()
        with ConcurrencyLimit(tmp_path).take("x", 2):
            assert len(list(tmp_path.glob("*.lock"))) == 2


@pytest.mark.parametrize(
    ("error", "times"),
    [
        (InfraError("x"), 5),
        (EndpointError("x"), 5),
        (BlockedError("x"), 1),
        (DriftedError("x"), 0),
        (AssertionError(), 0),
        (None, 0),
    ],
)
def test_each_kind_of_trouble_is_repeated_as_often_as_chosen(
    error: BaseException | None, times: int
) -> None:
    retries = Retries(infra=5, blocked=1, delay=0)
    assert retries.of(error) == times
    assert retries.most == 5
