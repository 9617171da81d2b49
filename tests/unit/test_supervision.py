"""Without xdist, the process that runs items is watched by the one that the user started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from pdb import Pdb

import psutil
import pytest
from coverage.tracer import CTracer

from pytest_webbench.plugin import supervision

BEGIN = """
import collections, itertools, os, signal, sys, time
# Started in the background of a shell, as in CI, a program ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
from pytest_webbench.plugin.supervision import _RESTARTS, _divide
restarts = int(os.environ.get(_RESTARTS, "0"))
supervision = _divide("t", most_restarts=1)
BEGAN = f"began {restarts} {os.getpid()}"
"""
INTERRUPTED = """
heard = 0
while heard < 1:
    try:
        print(BEGAN, flush=True)
        time.sleep(600)
    except KeyboardInterrupt:
        heard += 1
try:
    time.sleep(1.5)  # longer than the process above waits for news of it
except KeyboardInterrupt:
    heard += 1
print("heard", heard)
sys.exit(2)
"""
DEAF = """
print(BEGAN, flush=True)
if restarts == 0:
    will = {"command": [sys.executable, "-c", "print('will done')"], "input": ""}
    supervision.oversight().watch(interrupt=0.0, end=time.monotonic(), will=will)
    collections.deque(itertools.repeat(0), maxlen=0)
print(os.environ["PYTEST_ADDOPTS"])
sys.exit(3)
"""

Start = Callable[[str], subprocess.Popen[str]]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is divided")


@pytest.fixture
def start(tmp_path: Path) -> Start:
    def run(source: str) -> subprocess.Popen[str]:
        program = tmp_path / "program.py"
        program.write_text(BEGIN + source, encoding="utf-8")
        return subprocess.Popen(
            [sys.executable, str(program)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return run


def below(process: subprocess.Popen[str]) -> int:
    """The process that runs the items, once it has begun."""
    assert process.stdout is not None
    return int(process.stdout.readline().split()[-1])


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["one", "group"])
def test_interrupt_arrives_once(start: Start, send: Callable[[int, int], None]) -> None:
    with start(INTERRUPTED) as process:
        below(process)
        send(process.pid, signal.SIGINT)
        assert process.communicate()[0] == "heard 1\n"
    assert process.returncode == 2


def test_session_goes_on_after_a_process_that_had_to_be_ended(start: Start) -> None:
    with start(DEAF) as process:
        below(process)
        lines = process.communicate()[0].splitlines()
    assert lines[0] == "will done"
    assert "webbench: an agent could not be interrupted; going on with the next task" in lines
    assert lines[-2].startswith("began 1")
    assert lines[-1] == "--webbench-run=t"
    assert process.returncode == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["term", "kill"])
def test_both_processes_end_by_a_signal(start: Start, number: signal.Signals) -> None:
    with start("print(BEGAN, flush=True); time.sleep(600)") as process:
        runs_items = psutil.Process(below(process))
        process.send_signal(number)
    assert process.returncode == -number
    with suppress(psutil.NoSuchProcess):
        runs_items.wait(10)


@pytest.mark.parametrize(
    ("trace", "debugged"),
    [
        (None, False),
        (CTracer(), False),
        (Pdb().trace_dispatch, True),
        (lambda _frame, _event, _argument: None, True),
    ],
    ids=["none", "coverage", "pdb", "another"],
)
def test_debugger_is_told_from_a_measurement_of_coverage(
    monkeypatch: pytest.MonkeyPatch, trace: object, *, debugged: bool
) -> None:
    monkeypatch.setattr(sys, "gettrace", lambda: trace)
    assert supervision._is_debugged() is debugged
