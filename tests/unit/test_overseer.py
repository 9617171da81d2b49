"""Code that keeps the interpreter's lock is interrupted, and at last ended, by another process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webbench.episode.overseer import oversee
from pytest_webbench.episode.oversight import Oversight
from pytest_webbench.episode.watchdog import Interrupted, Watchdog

DEAF = "import collections, itertools; collections.deque(itertools.repeat(0), maxlen=0)"
WAITING = "import time; time.sleep(600)"


COPY = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.stdin.read(), 'utf-8')"


@pytest.fixture
def will(tmp_path: Path) -> dict[str, Any]:
    command = [sys.executable, "-X", "utf8", "-c", COPY, str(tmp_path / "done")]
    return {"command": command, "input": "ended: ö"}


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen([sys.executable, "-c", request.param])
    yield running
    running.kill()
    running.wait()


@pytest.mark.parametrize("process", [DEAF], indirect=True, ids=["deaf"])
def test_process_is_ended_and_its_will_done(
    process: subprocess.Popen[bytes], will: dict[str, Any], tmp_path: Path
) -> None:
    reading, writing = os.pipe()
    Oversight(writing).watch(interrupt=0.0, end=time.monotonic(), will=will)
    assert oversee(process.pid, reading)
    assert process.wait() == -9
    assert (tmp_path / "done").read_text("utf-8") == "ended: ö"
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("process", [WAITING], indirect=True, ids=["waiting"])
def test_nothing_is_ended_without_an_order(
    process: subprocess.Popen[bytes], will: dict[str, Any]
) -> None:
    reading, writing = os.pipe()
    oversight = Oversight(writing)
    oversight.watch(interrupt=0.0, end=time.monotonic() + 600, will=will)
    oversight.rest()
    os.close(writing)
    assert not oversee(process.pid, reading)
    assert process.poll() is None
    os.close(reading)


def test_regular_expression_that_takes_for_ever_is_interrupted(will: dict[str, Any]) -> None:
    watchdog = Watchdog()
    try:
        with pytest.raises(Interrupted), watchdog.limit(0.1, will=will):
            re.match("(a+)+$", "a" * 60 + "b")
    finally:
        watchdog.close()


def test_order_survives_the_wire(will: dict[str, Any]) -> None:
    reading, writing = os.pipe()
    Oversight(writing).watch(interrupt=1.0, end=2.0, will=will)
    assert json.loads(os.read(reading, 65536))["will"] == will
    os.close(reading)
    os.close(writing)
