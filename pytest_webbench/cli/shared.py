"""What several commands need: finding a run, a progress bar, JSON, and options that they share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from .._files import write_atomically
from .._text import harmless
from .._worlds import require_world
from ..errors import SettingsError
from ..run import RunDir
from ..run.remote import is_url, keep_run, open_run

RUNS: Final = Path("runs")
PROCESSORS: Final = os.cpu_count() or 1


def run_dir(run: str, *, whole: bool = False) -> RunDir:
    """A run, named by its tag in ./runs, its directory, or a URL such as ``s3://bucket/runs/demo``.

    A folder of the same name in the working directory does not shadow a tag: it is ``./name``.
    Of a run at a URL a copy is used: its plan and ledger or, if ``whole``, all of it, which is kept
    in ./runs.
    """
    if is_url(run):
        return keep_run(run, RUNS) if whole else open_run(run)
    tagged, path = RunDir(RUNS / run), RunDir(Path(run))
    is_name = Path(run).name == run
    if is_name and (tagged.exists() or not path.path.is_dir()):
        return tagged
    return path


def complete_run(incomplete: str) -> list[str]:
    """Tags in ./runs, for the shell."""
    tags = (path.parent.name for path in RUNS.glob("*/run.json"))
    beginning = incomplete.rpartition(":")[2]
    return sorted(tag for tag in tags if tag.startswith(beginning))


def as_text(data: Any) -> str:
    """What ``--json`` prints: sorted keys, the same for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)


def print_either(
    as_json: bool, *, data: Callable[[], Any], lines: Callable[[], Iterable[str]]
) -> None:
    """Print ``data`` as JSON, or ``lines``; only what is printed is made."""
    if as_json:
        typer.echo(as_text(data()))
    else:
        typer.echo(harmless("\n".join(lines())))


def refuse_existing(paths: Iterable[Path], advice: str = "nothing was written") -> None:
    """`SettingsError` that names those of ``paths`` that exist, and says what to do."""
    there = [str(path) for path in paths if path.exists()]
    if there:
        exist = "exist" if len(there) > 1 else "exists"
        raise SettingsError(f"{', '.join(there)} {exist} already: {advice}")


def write_new(files: Mapping[Path, str]) -> None:
    """Write files that do not exist yet, and say so; `SettingsError` if one does."""
    refuse_existing(files)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text, flush=False)
        typer.echo(f"wrote {path}")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error during the block; nothing if that is not a terminal.

    Gives a function that is called with how many of ``total`` have been done since the last call.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        bar = shown.add_task(what, total=total)
        yield lambda count: shown.advance(bar, count)


# -- Options ---------------------------------------------------------------------------------------


def known_world(name: str | None) -> str | None:
    """The name of a world, for an option; a usage error lists the worlds there are."""
    try:
        if name is not None:
            require_world(name)
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from error
    return name


Run: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Run directory, or its tag in ./runs, or its URL.",
        autocompletion=complete_run,
    ),
]
Tasks: TypeAlias = Annotated[
    list[str] | None, typer.Option("--task", metavar="ID", help="Only this task; repeatable.")
]
Workers: TypeAlias = Annotated[
    int, typer.Option("-n", "--workers", min=1, help="Parallel workers.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
