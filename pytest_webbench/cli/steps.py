"""``webbench m2w summary``: what a run over recorded steps has measured."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import SettingsError
from .shared import as_text, complete_run, run_dir

GROUPS = ("role", "op", "website", "domain", "split")


def summary(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Run directory, or its tag below ./runs.", autocompletion=complete_run)
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="GROUP", help=f"Also by {', '.join(GROUPS)}; may be given several times."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
) -> None:
    """Coverage and its cost, and both families of scores, of a run over recorded steps; per agent, with intervals.

    Examples: webbench m2w summary demo --by website        webbench m2w summary runs/demo --json
    """
    from ..report.mind2web import data, lines, results_of

    if unknown := set(by or ()) - set(GROUPS):
        raise SettingsError(f"--by {', '.join(sorted(unknown))}: use {', '.join(GROUPS)}")
    folder = run_dir(run, whole=True)
    found = results_of(folder, folder.planned())
    if not found:
        raise SettingsError(f"{folder.path} holds no measured steps; see `webbench summary` for runs of tasks")
    if as_json:
        typer.echo(as_text({agent: data(results) for agent, results in found.items()}))
        return
    for agent, results in found.items():
        typer.echo(f"{agent}:")
        for line in lines(results, by or ("role",)):  # type: ignore[arg-type]
            typer.echo(f"  {line}")
