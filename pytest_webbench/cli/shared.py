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


def run_dir(run: str) -> RunDir:
    """A run by its directory, or by its tag below ./runs."""
    from ..run import RunDir

    return RunDir(Path(run) if Path(run).is_dir() else RUNS / run)


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
