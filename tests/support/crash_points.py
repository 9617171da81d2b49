"""Kills a session at every single file operation, one after the other, and resumes it.

    python -m tests.support.crash_points FOLDER [--torn]    prints one line of JSON per kill

Run it as a program: it forks. A killed process runs no ``finally`` and loses what it has not
flushed, so this really is a process that ends, not an exception. The session does with a run
directory what the plugin does, without pytest and without a browser.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_webbench.errors import InfraError
from pytest_webbench.evidence.models import Evidence, ObservedAction
from pytest_webbench.judge import Outcome
from pytest_webbench.judge.explanation import Finding
from pytest_webbench.run import PlannedItem, RunDir
from pytest_webbench.run.attempt import AttemptRecorder, AttemptResult
from pytest_webbench.run.ledger import counts
from pytest_webbench.run.lock import RunLock
from pytest_webbench.run.seal import changed_files

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

ITEMS = [
    PlannedItem(
        suite="s", task=task, agent="a", repeat=repeat, nodeid=f"{task}.yaml::{task}[r{repeat}]"
    )
    for task in ("one", "two")
    for repeat in (1, 2)
]
# The first attempt at this one is unscored, so it has two attempts in the end.
SHAKY = ITEMS[1].key
EVENTS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate"}
KILLED = 9


def session(path: Path) -> None:
    """What a session of pytest does."""
    lock = RunLock(path, "session", os.getpid())
    lock.acquire()
    run = RunDir(path)
    run.plan(ITEMS, {"conditions": {"agents": {"a": {"seed": 0}}}})
    for item in ITEMS:
        if any(counts(entry) for entry in run.attempts_at(item.key)):
            continue
        with suppress(InfraError):
            make_attempt(run, item)
    run.write_report("junit.xml", "<testsuites/>")
    lock.release()


def make_attempt(run: RunDir, item: PlannedItem) -> None:
    """One attempt, as the plugin makes it. The clock stands still, so that sessions can be
    compared.
    """
    number = run.next_attempt(item.key)
    started = datetime(2026, 1, number, tzinfo=UTC)
    recorder = AttemptRecorder(run, item.key, world="live", worker="main", clock=lambda: started)
    with recorder as attempt:
        folder = attempt.begin("{}")
        attempt.open_journal().note("choice", number=number)
        folder.step(ObservedAction(number=1, kind="click"))
        folder.shot(1, b"picture")
        folder.log("noted")
        folder.write_evidence(Evidence(task=item.task, answer=f"{item.task}.{number}"))
        if (item.key, number) == (SHAKY, 1):
            raise InfraError("the browser was lost")
        folder.write("verdict.json", "{}")
        attempt.commit()
        attempt.finish(AttemptResult(finding=Finding(Outcome.PASSED), ending="done"))


class Killer:
    """Ends the process at the file operation with this number, counted from 1."""

    def __init__(self, folder: Path, at: int, *, torn: bool) -> None:
        self._folder, self._left, self._torn = str(folder), at, torn
        self._fsync = os.fsync
        sys.addaudithook(self._hook)
        os.fsync = self.fsync

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in EVENTS and str(arguments[0]).startswith(self._folder):
            self._count()

    def _count(self) -> None:
        self._left -= 1
        if not self._left:
            os._exit(KILLED)

    def fsync(self, fd: FileDescriptorLike) -> None:
        """All of it has been handed to the system by now; or, with ``torn``, only a part of it."""
        if self._torn and self._left == 1:
            handle = fd if isinstance(fd, int) else fd.fileno()
            os.ftruncate(handle, max(0, os.fstat(handle).st_size - 20))
        self._count()
        self._fsync(fd)


def killed_at(path: Path, at: int, *, torn: bool) -> bool:
    """Whether a session was killed there; False if it was over before."""
    child = os.fork()
    if not child:
        Killer(path.parent, at, torn=torn)
        session(path)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED), f"a session that is killed at operation {at} ended with {code}"
    return code == KILLED


def state(path: Path) -> dict[str, Any]:
    """All that counts of a run: the ledger, the plan, and what lies in every attempt's folder."""
    run = RunDir(path)
    attempts = run.attempts()
    return {
        # A run's id is random, and the agent's journal holds times: seals and digests differ.
        "ledger": [entry.model_dump(mode="json", exclude={"seal", "files"}) for entry in attempts],
        "seals": {run.standing(entry) for entry in attempts},
        "changed": [changed_files(entry, run.stored_episode(entry)) for entry in attempts],
        "plan": {**run.facts(), "id": ""},
        "answers": [
            json.loads((run.folder_of(entry) / "evidence.json").read_text())["answer"]
            for entry in attempts
        ],
        "files": sorted(
            file.relative_to(path).as_posix()
            for file in path.rglob("*")
            if file.is_file() and "locks" not in file.parts
        ),
    }


def main(folder: Path, *, torn: bool) -> None:
    os.fsync = lambda fd: None  # a kill does not need it, and disks are slow
    calm = folder / "calm" / "t"
    session(calm)
    session(calm)
    wanted = state(calm)
    at, going = 0, True
    while going:
        at += 1
        path = folder / "wild" / "t"
        shutil.rmtree(folder / "wild", ignore_errors=True)
        first = killed_at(path, at, torn=torn)
        session(path)
        second = killed_at(path, at, torn=torn)
        session(path)
        going = first or second
        print(json.dumps({"at": at, "kills": first + second, "same": state(path) == wanted}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), torn="--torn" in sys.argv)
