"""``webbench plan``: how large a comparison has to be."""

from __future__ import annotations

from typing import Annotated

import typer

from ..report.planning import Assumed, plan_data, plan_lines
from .shared import AsJson, print_either
from .tables import sides_named

app = typer.Typer(add_completion=False)

Like = Annotated[
    list[str] | None,
    typer.Option("--from", metavar="RUN[:AGENT]", help="Estimate from one or two agents' runs."),
]


@app.command()
def plan(
    gap: Annotated[
        float, typer.Option(min=0.001, max=1, help="Difference of the rates to be shown.")
    ] = 0.1,
    tasks: Annotated[
        int | None, typer.Option(min=1, help="Show which gap so many tasks can show.")
    ] = None,
    rate: Annotated[
        float | None, typer.Option(min=0, max=1, help="Rate of the weaker agent (0.5).")
    ] = None,
    correlation: Annotated[
        float | None,
        typer.Option(min=-1, max=1, help="Of the two agents' outcomes on a task (0.4)."),
    ] = None,
    discordance: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Share of tasks on which the two agents differ."),
    ] = None,
    flake: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="Share of tasks on which two attempts of an agent differ (0.2)."
        ),
    ] = None,
    power: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Chance of finding a gap that is there.")
    ] = 0.8,
    alpha: Annotated[
        float,
        typer.Option(min=0.0001, max=0.5, help="Chance of finding a gap that is not there."),
    ] = 0.05,
    like: Like = None,
    as_json: AsJson = False,
) -> None:
    """Plan how many tasks and repeats show a difference between two agents.

    Examples:
      webbench plan --gap 0.1
      webbench plan --tasks 125
      webbench plan --from demo:A --from demo:B
    """
    given = {"rate": rate, "correlation": correlation, "discordance": discordance, "flake": flake}
    sides = [side for named in sides_named(like or []) for side in named]
    assumed = Assumed.of(given, sides, power=power, alpha=alpha)
    data = plan_data(assumed, gap, tasks)
    print_either(as_json, data=lambda: data, lines=lambda: plan_lines(assumed, data))
