"""``webbench export``: a run's results as tables for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .._files import write_atomically
from ..errors import SettingsError
from ..report.export import ExportFormat, LoadedRun, TableName, encoded
from ..report.results import read_results
from .shared import Run, progress, refuse_existing, run_dir

app = typer.Typer(add_completion=False)


@app.command()
def export(
    run: Run,
    form: Annotated[ExportFormat, typer.Option("--format", help="What is written.")] = (
        ExportFormat.CSV
    ),
    tables: Annotated[
        list[TableName] | None,
        typer.Option("--table", help="Only this table; repeatable (default: all three)."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Folder for the files (default: RUN-export); - prints one table.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Write a run's results as tables: one row per attempt, per step, per check.

    The columns are described in docs/export.md. `webbench import-results` reads the
    table of attempts; in Python, `pytest_webbench.load_run` gives the same rows.

    Examples:
      webbench export demo
      webbench export demo --format parquet --out data
      webbench export demo --table attempts --out - | head
    """
    chosen = tables or list(TableName)
    directory = run_dir(run, whole=True)
    directory.must_exist()
    loaded = LoadedRun(directory, read_results(directory))
    if out == Path("-"):
        _print(loaded, chosen, form)
        return
    folder = out or Path(f"{directory.path.name}-export")
    files = {table: folder / f"{table}.{form}" for table in chosen}
    if not force:
        refuse_existing(files.values(), "choose another --out, or replace with --force")
    folder.mkdir(parents=True, exist_ok=True)
    with progress("writing", len(files)) as done:
        for table, path in files.items():
            rows = loaded.table(table)
            write_atomically(path, encoded(rows, table, form))
            done(1)
            typer.echo(f"{path}: {len(rows)} rows")


def _print(loaded: LoadedRun, tables: list[TableName], form: ExportFormat) -> None:
    if len(tables) != 1:
        raise SettingsError(
            "--out - prints one table: choose it with --table attempts, steps or checks"
        )
    # As bytes: what texts hold is for a program, and a console's encoding may not know it.
    sys.stdout.buffer.write(encoded(loaded.table(tables[0]), tables[0], form))
