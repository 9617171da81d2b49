"""The ``webbench`` command: parsing and printing only. One module per group of commands."""

from __future__ import annotations

import sys

import typer

from ..errors import WebbenchError
from . import agents, browsers, m2w, merge, report, results, runs, steps, suites

app = typer.Typer(
    name="webbench",
    help="Web-agent benchmarks as pytest tests. Tasks are run with `pytest SUITE`; this command does the rest.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(suites.app)
app.add_typer(runs.app)
app.add_typer(merge.app)
app.add_typer(report.app)
app.add_typer(results.app)
app.add_typer(agents.app)
app.add_typer(browsers.app, name="browser")
m2w.app.command()(steps.summary)
app.add_typer(m2w.app, name="m2w")


def main() -> None:
    """Entry point: our own errors are shown as text, without a traceback."""
    try:
        app()
    except WebbenchError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
