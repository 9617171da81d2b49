"""Notes of cloud sessions: who may give back which, and what is in the files."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webbench.browser.cloud import Reaped, reap
from pytest_webbench.errors import InfraError, StoreError
from pytest_webbench.run.cloud_leases import FOLDER, CloudLeases, SessionNote

WORKER = """
import sys
from pathlib import Path
from pytest_webbench.run.cloud_leases import CloudLeases
notes = CloudLeases(Path(sys.argv[1]), "night")
for session in sys.argv[2:]:
    notes.note("cloud", "me", session)
print("noted", flush=True)
sys.stdin.read()
"""


class Service:
    """Ends sessions, save those that it is told to fail at."""

    account = "me"

    def __init__(self, *stubborn: str) -> None:
        self.stubborn, self.ended = stubborn, list[str]()

    def acquire(self, note: object) -> str:
        raise NotImplementedError

    def release(self, session_id: str) -> None:
        if session_id in self.stubborn:
            raise InfraError("busy") if session_id == "b" else KeyError("secret")
        self.ended.append(session_id)


def left(notes: CloudLeases, service: str = "cloud", account: str = "me") -> list[str]:
    return sorted(one.session for one in notes.left_behind(service, account))


def killed_worker(runs: Path, *sessions: str) -> None:
    """A worker that notes sessions and is killed; as long as it lives, nobody may take them."""
    command = [sys.executable, "-c", WORKER, str(runs), *sessions]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "noted\n"
        assert left(CloudLeases(runs)) == []
        worker.send_signal(signal.SIGKILL)


def test_only_sessions_of_killed_workers_are_released(
    tmp_path: Path,
) -> None:
    killed_worker(tmp_path, "s-1", "s-2")
    mine = CloudLeases(tmp_path, "day")
    mine.note("cloud", "me", "s-3")
    service = Service()
    assert left(CloudLeases(tmp_path)) == ["s-1", "s-2"]
    reaped = reap("cloud", service, CloudLeases(tmp_path), all_of_them=True)
    assert (sorted(reaped.released), reaped.failed) == (["s-1", "s-2"], {})
    assert mine.all() == [SessionNote(service="cloud", account="me", session="s-3", run="day")]
    mine.forget("s-3")
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_session_that_cannot_be_released_stays_noted(tmp_path: Path) -> None:
    notes = CloudLeases(tmp_path)
    for session in ("a", "b", "c", "d"):
        notes.note("cloud", "me", session)
        notes.leave(session)
    reaped = reap("cloud", Service("b", "d"), notes, all_of_them=True)
    assert (sorted(reaped.released), reaped.failed) == (["a", "c"], {"b": "busy", "d": "KeyError"})
    assert reap("cloud", Service("b"), notes, all_of_them=True) == Reaped(
        released=["d"], failed={"b": "busy"}
    )
    assert reap("cloud", Service("b"), notes, all_of_them=False) == Reaped(failed={"b": "busy"})
    assert left(notes) == ["b"]


def test_session_is_handled_by_one_process_at_a_time(tmp_path: Path) -> None:
    notes = CloudLeases(tmp_path)
    notes.note("cloud", "me", "s")
    notes.leave("s")
    for one in notes.left_behind("cloud", "me"):
        assert left(CloudLeases(tmp_path)) == []
        assert one.session == "s"
    assert left(notes) == ["s"]


def test_sessions_of_other_services_and_accounts_are_left_alone(tmp_path: Path) -> None:
    notes = CloudLeases(tmp_path)
    for service, account in (("cloud", "you"), ("other", "me")):
        notes.note(service, account, f"{service}-{account}")
        notes.leave(f"{service}-{account}")
    assert left(notes) == []
    assert left(notes, "other") == ["other-me"]


def test_session_files_hold_no_address_and_are_private(tmp_path: Path) -> None:
    notes = CloudLeases(tmp_path, "night")
    notes.note("lexmount", "https://api 0123", "../../etc/passwd")
    (file,) = (tmp_path / FOLDER).iterdir()
    assert (file.stat().st_mode & 0o777, file.suffix) == (0o600, ".json")
    assert sorted(json.loads(file.read_text("utf-8"))) == [
        "account",
        "pid",
        "run",
        "service",
        "session",
        "version",
    ]
    notes.forget("../../etc/passwd")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 2}', '{"version": 1, "session": 7}', "\xff" * 20_000]
)
def test_foreign_files_among_the_sessions_are_skipped(tmp_path: Path, text: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "x.json").write_text(text, "utf-8")
    notes = CloudLeases(tmp_path)
    assert (notes.all(), left(notes)) == ([], [])


def test_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way", "utf-8")
    with pytest.raises(StoreError, match="cannot be noted"):
        CloudLeases(tmp_path).note("cloud", "me", "s")


def test_nothing_is_noted_without_a_run_directory(tmp_path: Path) -> None:
    notes = CloudLeases(tmp_path / "no-such")
    assert (notes.all(), left(notes)) == ([], [])
    notes.forget("s")
