"""The lock on a run directory: one session at a time, however its processes end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webbench.errors import SettingsError, StoreError
from pytest_webbench.run.lock import FILE, RunLock, alone

HOLD = """
import sys, time
from pathlib import Path
from pytest_webbench.run.lock import RunLock
lock = RunLock(Path(sys.argv[1]), "other", int(sys.argv[2]))
lock.acquire()
print("held", flush=True)
time.sleep(600)
"""


class Waits:
    """Takes the place of ``time.sleep``; ends ``process`` after so many calls."""

    def __init__(self, process: subprocess.Popen[str] | None = None, after: int = 3) -> None:
        self.calls, self._process, self._after = 0, process, after

    def __call__(self, seconds: float) -> None:
        self.calls += 1
        if self._process is not None and self.calls == self._after:
            self._process.kill()
            self._process.wait()


def mine(run: Path, session: str = "mine", sleep: Waits | None = None) -> RunLock:
    return RunLock(run, session, os.getpid(), sleep=sleep or Waits())


def elsewhere(run: Path, pid: int) -> subprocess.Popen[str]:
    """A process of another session, begun by the process ``pid``, that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run), str(pid)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "held\n"
    return process


def gone() -> int:
    """Number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_second_session_learns_who_holds_the_run(tmp_path: Path) -> None:
    first = mine(tmp_path / "t")
    first.acquire()
    with pytest.raises(SettingsError) as caught:
        mine(tmp_path / "t", "another").acquire()
    told = json.loads((tmp_path / "t" / FILE).read_text("utf-8"))
    assert str(caught.value) == (
        f"run t is in use by another session (process {os.getpid()} on {told['host']}, since "
        f"{told['since']}): "
        "wait for it, stop it, or choose another tag with --webbench-run"
    )
    first.release()
    mine(tmp_path / "t", "another").acquire()


def test_processes_of_one_session_share_the_run(tmp_path: Path) -> None:
    first, second = mine(tmp_path), mine(tmp_path)
    first.acquire()
    second.acquire()
    first.release()
    assert mine(tmp_path, "another").holder() is not None
    second.release()
    assert mine(tmp_path, "another").holder() is None


def test_lock_of_a_killed_process_is_free_at_once(tmp_path: Path) -> None:
    process = elsewhere(tmp_path, os.getpid())
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    waits = Waits()
    mine(tmp_path, sleep=waits).acquire()
    assert waits.calls == 0


def test_session_waits_for_workers_of_a_killed_controller(tmp_path: Path) -> None:
    process = elsewhere(tmp_path, gone())
    waits = Waits(process)
    mine(tmp_path, sleep=waits).acquire()
    assert waits.calls == 3


def test_waiting_for_workers_times_out(tmp_path: Path) -> None:
    process = elsewhere(tmp_path, gone())
    waits = Waits(process, after=10_000)
    with pytest.raises(SettingsError, match="in use by another session"):
        mine(tmp_path, sleep=waits).acquire()
    process.kill()
    process.wait()
    assert waits.calls == pytest.approx(300, abs=1)


def test_worker_lock_follows_its_session(tmp_path: Path) -> None:
    joined = mine(tmp_path)
    joined.join()
    assert not (tmp_path / FILE).exists()
    first = mine(tmp_path)
    first.acquire()
    joined.join()
    first.release()
    assert mine(tmp_path, "another").holder() is not None
    joined.release()
    stranger = mine(tmp_path, "another")
    stranger.join()
    assert mine(tmp_path).holder() is None


def test_unreadable_holder_note_is_ignored(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_bytes(b"\xff\x00{")
    mine(tmp_path).acquire()
    assert json.loads((tmp_path / FILE).read_text("utf-8"))["session"] == "mine"


def test_unwritable_folder_is_an_error_with_advice(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("a file")
    with pytest.raises(
        StoreError, match=r"t cannot be written: .*; choose another with --webbench-runs-dir$"
    ):
        mine(tmp_path / "t").acquire()


def test_reading_the_holder_writes_nothing(tmp_path: Path) -> None:
    assert mine(tmp_path / "t").holder() is None
    assert list(tmp_path.iterdir()) == []


def test_command_that_writes_is_refused_during_a_session(tmp_path: Path) -> None:
    with alone(tmp_path), pytest.raises(SettingsError, match="in use by another session"):
        mine(tmp_path).acquire()
    mine(tmp_path).acquire()
