"""``webbench runs``: the runs in a folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from .._text import harmless
from ..report.listing import list_runs as read_runs
from ..report.listing import listing_data, listing_table
from ..report.tables import as_plain_text
from .shared import RUNS, AsJson, as_text

app = typer.Typer(add_completion=False)


@app.command()
def list_runs(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder of the runs.")] = RUNS,
    as_json: AsJson = False,
) -> None:
    """List runs, oldest first.

    Shows when they began, their agents, items and rates, and whether they are
    complete, resumable (some items are not scored yet) or running.

    Examples:
      webbench runs
      webbench runs /data/runs --json
    """
    found = read_runs(folder)
    if as_json:
        typer.echo(as_text(listing_data(found)))
    elif not found:
        typer.echo(f"no runs in {folder}")
    else:
        table = as_plain_text([listing_table(found)], shutil.get_terminal_size().columns)
        typer.echo(harmless(table))
