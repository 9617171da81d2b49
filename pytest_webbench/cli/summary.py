"""``webbench summary``: what came out of runs, in tables."""

from __future__ import annotations

from typing import Annotated

import typer

from ..report.groups import By, summarize_groups
from ..report.overview import overview_data, overview_lines, overview_tables
from ..report.tables import Table
from .shared import complete_run
from .tables import Form, FormOption, JsonForm, chosen_form, print_ground, print_tables, readable

app = typer.Typer(add_completion=False)


@app.command()
def summary(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="Run directories, tags in ./runs, or URLs.",
            autocompletion=complete_run,
        ),
    ],
    by: Annotated[
        list[By] | None, typer.Option("--by", help="Split each suite by this; repeatable.")
    ] = None,
    form: FormOption = Form.TEXT,
    as_json: JsonForm = False,
) -> None:
    """Summarize runs: counts, rates with intervals, steps, time, tokens and cost.

    There is a line per suite and agent. Runs with repeats also show pass@k,
    all-k and flaky tasks.

    Examples:
      webbench summary demo
      webbench summary demo --by source --by tag --format markdown
    """
    found = readable(runs)
    results = [result for run in found for result in run.results]
    groups = [(one, summarize_groups(results, one)) for one in by or [By.SUITE]]
    flat = [group for _, members in groups for group in members]
    chosen = chosen_form(form, as_json=as_json)
    if chosen.is_prose:
        for one, members in groups:
            if not members:
                typer.echo(f"nothing to show by {one}: no item that was planned has one")

    def tables() -> list[Table]:
        found: list[Table] = []
        for _, members in groups:
            if members:
                found += overview_tables(members)
        return found

    print_tables(
        chosen,
        tables=tables,
        data=lambda: overview_data(flat, found),
        lines=lambda: overview_lines(flat),
    )
    if chosen.is_prose:
        print_ground(found)
