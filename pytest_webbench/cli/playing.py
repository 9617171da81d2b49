"""Plays episodes by a pytest of its own, for commands that judge them afterwards."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .._suite_files import SUITE_FILE
from ..errors import WebbenchError
from ..report.threshold import UNSCORED_EXIT
from ..task.folder import SuiteFolder
from .shared import RUNS, progress

_POLL_SECONDS: Final = 1.0
_NOTHING_TO_DO: Final = 5
"""pytest's code for a session without items."""


def tag_for(prefix: str, suite: Path) -> str:
    """One run per state of ``suite.toml``: a run cannot be resumed under other limits."""
    return f"{prefix}{hashlib.sha256((suite / SUITE_FILE).read_bytes()).hexdigest()[:8]}"


def selection_of(folder: SuiteFolder, *, chosen: bool) -> list[str]:
    """What pytest is given; ``chosen``: the folder holds some of the suite's tasks only."""
    world = ["--webbench-world", folder.suite.proof_world]
    if not chosen:
        return [str(folder.path), *world]
    return [*(str(folder.path / "tasks" / f"{task}.yaml") for task in folder.tasks), *world]


def play(
    selection: Sequence[str],
    options: Sequence[str],
    *,
    what: str,
    tag: str,
    workers: int,
    expected: int,
) -> None:
    """Let pytest play what the run ``tag`` does not hold yet.

    Its output is shown only if it cannot; ``what`` names the ``expected`` episodes.
    """
    command = [sys.executable, "-m", "pytest", *selection, "--tb=line", "-q", *options]
    command += ["--webbench-run", tag, "--webbench-runs-dir", str(RUNS.absolute())]
    command += ["--webbench-seeds", "1"]  # whatever the ini file says
    if workers > 1:
        command += ["-n", str(workers)]
    # A file, because pytest would stop at a full pipe, which nobody reads meanwhile.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, text=True)
        try:
            code = _wait(process, what, tag, expected)
        except BaseException:
            process.terminate()  # Ctrl-C: what was played is stored, and is not played again
            process.wait()
            raise
        # Wrong verdicts and episodes without a score are reported by the command.
        if code not in (0, 1, UNSCORED_EXIT, _NOTHING_TO_DO):
            output.seek(0)
            raise WebbenchError(f"pytest could not play the {what}:\n{output.read()}")


def _wait(process: subprocess.Popen[str], what: str, tag: str, expected: int) -> int:
    run = RUNS / tag
    before = _lines(run)
    with progress(f"playing {what}", expected) as advance:
        while True:
            try:
                return process.wait(timeout=_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                now = _lines(run)
                advance(now - before)
                before = now


def _lines(run: Path) -> int:
    """How many attempts the ledger holds."""
    return sum(path.read_bytes().count(b"\n") for path in (run / "ledger").glob("*.jsonl"))
