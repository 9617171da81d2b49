"""``webbench compare``: agents and runs, task by task."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ..report.compare import compare as compare_sides
from ..report.comparison import comparison_data, comparison_lines, comparison_tables, sentence
from ..report.sides import by_source, to_compare
from .shared import complete_run
from .tables import Form, FormOption, JsonForm, chosen_form, print_tables, sides_named

app = typer.Typer(add_completion=False)


class Match(StrEnum):
    """What makes two tasks the same."""

    ID = "id"
    SOURCE = "source"


@app.command()
def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN[:AGENT]...", help="What to compare.", autocompletion=complete_run
        ),
    ],
    match: Annotated[
        Match,
        typer.Option(help="What makes two tasks the same: their ids, or what they come from."),
    ] = Match.ID,
    form: FormOption = Form.TEXT,
    as_json: JsonForm = False,
) -> None:
    """Compare agents or runs on the tasks that both were graded on.

    Shows an exact paired test, the interval of the difference, and the smallest
    difference that so many tasks can show. One RUN: all of its agents. Two
    RUNs: each agent with its namesake.

    Examples:
      webbench compare monday friday
      webbench compare demo:noop demo:MyAgent other:MyAgent --json
      webbench compare liveweb originals --match source
    """
    sides = to_compare(sides_named(runs))
    if match is Match.SOURCE:
        sides = [(by_source(a), by_source(b)) for a, b in sides]
    pairs = compare_sides(sides)
    chosen = chosen_form(form, as_json=as_json)
    if chosen.is_prose:
        for pair in pairs:
            typer.echo(sentence(pair))
        typer.echo("")
    print_tables(
        chosen,
        tables=lambda: comparison_tables(pairs),
        data=lambda: comparison_data(pairs),
        lines=lambda: comparison_lines(pairs),
    )
    notes = dict.fromkeys(note for pair in pairs for note in pair.notes)
    if chosen.is_prose and notes:
        typer.echo("")
        for note in notes:
            typer.echo(f"note: {note}")
