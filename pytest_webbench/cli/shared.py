"""What several commands need: finding a run, a progress bar, JSON as everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..run import RunDir

RUNS: Final = Path("runs")


def run_dir(run: str, *, whole: bool = False) -> RunDir:
    """A run by its directory, by its tag below ./runs, or by an address such as ``s3://bucket/runs/demo``.

    Of a run elsewhere a copy is used: plan and ledger only, or the ``whole`` run, which is kept below ./runs.
    """
    from ..run import RunDir
    from ..run.remote import is_url, keep_run, open_run

    if is_url(run):
        return keep_run(run, RUNS) if whole else open_run(run)
    return RunDir(Path(run) if Path(run).is_dir() else RUNS / run)


def complete_run(incomplete: str) -> list[str]:
    """Tags below ./runs, for the shell."""
    return sorted(
        path.parent.name
        for path in RUNS.glob("*/run.json")
        if path.parent.name.startswith(incomplete.rpartition(":")[2])
    )


def as_text(data: Any) -> str:
    """What ``--json`` prints: sorted keys, the same for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal's error stream, as long as something is going on; nothing if that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        bar = shown.add_task(what, total=total)
        yield lambda count: shown.advance(bar, count)
