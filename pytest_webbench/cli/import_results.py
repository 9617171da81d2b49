"""``webbench import-results``: results of another program as a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from .._version import __version__
from .._worlds import LIVE
from ..errors import SettingsError
from ..run import RunDir
from ..run.importing import Import, ResultFormat
from ..run.importing import import_results as store_results
from .shared import RUNS

app = typer.Typer(add_completion=False)


@app.command()
def import_results(
    file: Annotated[
        Path, typer.Argument(help="CSV or JSON Lines file.", exists=True, dir_okay=False)
    ],
    tag: Annotated[str, typer.Argument(metavar="RUN", help="Tag of the new run in ./runs.")],
    form: Annotated[
        ResultFormat | None,
        typer.Option("--format", help="Layout of the file (default: found by its first line)."),
    ] = None,
    suite: Annotated[str, typer.Option(help="Name of the suite (default: name of the file).")] = "",
    agent: Annotated[str, typer.Option(help="Name of the agent, if no column holds it.")] = "",
    world: Annotated[str, typer.Option(help="World in which it was measured.")] = LIVE,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD=COLUMN",
            help="Column that holds a field, such as task=task_id; repeatable.",
        ),
    ] = None,
) -> None:
    """Turn results that another program measured into a run.

    The run can be shown by summary, compare and report.

    Examples:
      webbench import-results per_task.csv published
      webbench import-results log.jsonl old --agent gpt
    """
    wanted = Import(
        suite=suite or file.stem,
        world=world,
        agent=agent,
        format=form,
        columns=_columns(column or []),
    )
    run = RunDir.for_tag(RUNS, tag)
    environment = {"environment": {"pytest_webbench": __version__}}
    planned, done = store_results(file, run, wanted, environment)
    typer.echo(f"{planned} items, {done} of them run, stored in {run.path}")


def _columns(pairs: Sequence[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for pair in pairs:
        field, _, name = pair.partition("=")
        if not name:
            raise SettingsError(f"--column {pair}: use FIELD=COLUMN, such as task=task_id")
        columns[field] = name
    return columns
