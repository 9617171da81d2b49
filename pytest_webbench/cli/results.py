"""Commands about results: summary, compare, plan, calibration, import-results."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..errors import SettingsError
from .shared import RUNS, as_text, complete_run, run_dir

if TYPE_CHECKING:
    from ..report.compare import Side
    from ..report.items import RunItems
    from ..report.tables import Table

app = typer.Typer()


class Form(StrEnum):
    """What a table can be printed as."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    CSV = "csv"


class Grouping(StrEnum):
    """What a summary can be split by."""

    SUITE = "suite"
    SOURCE = "source"
    SITE = "site"
    TAG = "tag"
    TASK = "task"


class Layout(StrEnum):
    """What a file of results can be."""

    LIVEWEB_CSV = "liveweb-csv"
    CSV = "csv"
    JSONL = "jsonl"


FORM: Final = typer.Option("--format", help="How to print it.")
AS_JSON: Final = typer.Option("--json", help="The same as --format json.")


@app.command()
def summary(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="Run directories, or tags below ./runs.", autocompletion=complete_run),
    ],
    by: Annotated[
        list[Grouping] | None, typer.Option("--by", help="What to split each suite by; may be given several times.")
    ] = None,
    form: Annotated[Form, FORM] = Form.TEXT,
    as_json: Annotated[bool, AS_JSON] = False,
) -> None:
    """What came out, per suite and agent: counts, rates with their intervals and bounds, steps, time, tokens, cost;
    with repeats also pass@k, all-k and flaky tasks.

    Examples: webbench summary demo        webbench summary demo --by source --by tag --format markdown
    """
    from ..report.overview import overview_data, overview_lines, overview_tables
    from ..report.rows import By, rows_of

    items = [item for run in runs for item in _run(run).items]
    groupings = [By(one) for one in by or [Grouping.SUITE]]
    rows = [rows_of(items, one) for one in groupings]
    flat = [row for some in rows for row in some]
    chosen = Form.JSON if as_json else form
    for one in groupings if chosen in (Form.TEXT, Form.MARKDOWN) else ():
        if not any(row.by is one for row in flat):
            typer.echo(f"nothing to show by {one}: no item that was planned has one")
    _print(
        chosen,
        tables=lambda: [table for some in rows if some for table in overview_tables(some)],
        data=lambda: overview_data(flat),
        lines=lambda: overview_lines(flat),
    )


@app.command()
def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN[:AGENT]...", help="What to compare.")],
    form: Annotated[Form, FORM] = Form.TEXT,
    as_json: Annotated[bool, AS_JSON] = False,
) -> None:
    """Whether one agent or run is really better than another, on the tasks that both were graded on: exact paired
    test, interval of the difference, and the least difference that so many tasks can show. One RUN: all of its agents;
    two RUNs: each agent with its namesake.

    Examples: webbench compare monday friday        webbench compare demo:noop demo:MyAgent other:MyAgent --json
    """
    from ..report.compare import compare as compare_sides
    from ..report.compare import to_compare
    from ..report.comparison import comparison_data, comparison_lines, comparison_tables, sentence

    pairs = compare_sides(to_compare(_sides(runs)))
    chosen = Form.JSON if as_json else form
    if chosen in (Form.TEXT, Form.MARKDOWN):
        typer.echo("\n".join([*(sentence(pair) for pair in pairs), ""]))
    _print(
        chosen,
        tables=lambda: comparison_tables(pairs),
        data=lambda: comparison_data(pairs),
        lines=lambda: comparison_lines(pairs),
    )
    if chosen in (Form.TEXT, Form.MARKDOWN):
        notes = dict.fromkeys(note for pair in pairs for note in pair.notes)
        typer.echo("".join(f"\nnote: {note}" for note in notes), nl=bool(notes))


@app.command()
def plan(
    gap: Annotated[float, typer.Option(min=0.001, max=1, help="Difference of the rates that is to be seen.")] = 0.1,
    tasks: Annotated[int | None, typer.Option(min=1, help="Say which gap so many tasks can show.")] = None,
    rate: Annotated[float | None, typer.Option(min=0, max=1, help="Rate of the weaker agent (0.5).")] = None,
    correlation: Annotated[
        float | None, typer.Option(min=-1, max=1, help="Of the two agents' outcomes on a task (0.4).")
    ] = None,
    discordance: Annotated[
        float | None, typer.Option(min=0, max=1, help="Share of tasks that they end differently on.")
    ] = None,
    flake: Annotated[
        float | None, typer.Option(min=0, max=1, help="Share of tasks that two attempts end differently on (0.2).")
    ] = None,
    power: Annotated[float, typer.Option(min=0.5, max=0.999, help="Chance of seeing the gap.")] = 0.8,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Chance of seeing one that is none.")] = 0.05,
    like: Annotated[
        list[str] | None, typer.Option("--from", metavar="RUN[:AGENT]", help="Estimate from one or two agents' runs.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """How many tasks, and attempts at each, it takes to see a difference between two agents.

    Examples: webbench plan --gap 0.1        webbench plan --tasks 125        webbench plan --from demo:A --from demo:B
    """
    from ..report.planning import Assumed, plan_data, plan_lines

    given = {"rate": rate, "correlation": correlation, "discordance": discordance, "flake": flake}
    assumed = Assumed.of(given, [side for sides in _sides(like or []) for side in sides], power=power, alpha=alpha)
    data = plan_data(assumed, gap, tasks)
    typer.echo(as_text(data) if as_json else "\n".join(plan_lines(assumed, data)))


@app.command("import-results")
def import_results(
    file: Annotated[Path, typer.Argument(help="CSV or JSON Lines file.", exists=True, dir_okay=False)],
    tag: Annotated[str, typer.Argument(metavar="RUN", help="Tag of the new run below ./runs.")],
    form: Annotated[
        Layout | None, typer.Option("--format", help="Layout of the file (default: told by its head).")
    ] = None,
    suite: Annotated[str, typer.Option(help="Name of the suite (default: name of the file).")] = "",
    agent: Annotated[str, typer.Option(help="Name of the agent, if no column holds it.")] = "",
    world: Annotated[str, typer.Option(help="World that it was measured in.")] = "live",
    column: Annotated[
        list[str] | None, typer.Option(metavar="FIELD=COLUMN", help="Column that holds a field, such as task=task_id.")
    ] = None,
) -> None:
    """Turn results that another program measured into a run, for summary, compare and report.

    Examples: webbench import-results per_task.csv published        webbench import-results log.jsonl old --agent gpt
    """
    from .. import __version__
    from ..run import RunDir
    from ..run.importing import Import, ResultFormat
    from ..run.importing import import_results as write

    wanted = Import(
        suite=suite or file.stem, world=world, agent=agent, format=ResultFormat(form) if form else None,
        columns=_columns(column or []),
    )  # fmt: skip
    run = RunDir.for_tag(RUNS, tag)
    planned, done = write(file, run, wanted, {"environment": {"pytest_webbench": __version__}})
    typer.echo(f"{planned} items, {done} of them run, stored in {run.path}")


# -- what they share ---------------------------------------------------------------------------------------------------


def _run(name: str) -> RunItems:
    from ..report.items import items_of

    run = run_dir(name)
    if not run.exists():
        raise SettingsError(f"{run.path} is no run directory: it holds no run.json")
    return items_of(run)


def _sides(names: Sequence[str]) -> list[list[Side]]:
    """Of each RUN[:AGENT] the agents that it names: all of the run's, if it names none."""
    from ..checks.naming import unknown
    from ..report.compare import sides_of

    found: list[list[Side]] = []
    known: dict[str, RunItems] = {}
    for name in names:
        path, _, agent = (name, "", "") if ":" not in name or run_dir(name).exists() else name.rpartition(":")
        if path not in known:
            known[path] = _run(path)
        run = known[path]
        if agent and agent not in run.agents:
            raise SettingsError(f"run {run.tag}: {unknown('agent', agent, run.agents)}; it has {', '.join(run.agents)}")
        found.append([side for side in sides_of(run) if agent in ("", side.agent)])
    return found


def _columns(pairs: Sequence[str]) -> dict[str, str]:
    parts = [pair.partition("=") for pair in pairs]
    if bad := next(
        (pair for pair, (_, is_pair, name) in zip(pairs, parts, strict=True) if not (is_pair and name)), None
    ):
        raise SettingsError(f"--column {bad}: use FIELD=COLUMN, such as task=task_id")
    return {field: name for field, _, name in parts}


def _print(
    form: Form,
    *,
    tables: Callable[[], Sequence[Table]],
    data: Callable[[], Any],
    lines: Callable[[], Sequence[Mapping[str, Any]]],
) -> None:
    from ..report.tables import as_csv, as_markdown, as_plain_text

    if form is Form.JSON:
        typer.echo(as_text(data()))
    elif form is Form.CSV:
        typer.echo(as_csv(lines()))
    elif form is Form.MARKDOWN:
        typer.echo(as_markdown(tables()))
    else:
        typer.echo(as_plain_text(tables(), shutil.get_terminal_size().columns))


@app.command()
def calibration(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Run directory, or its tag below ./runs.", autocompletion=complete_run)
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Whether agents are as often right as they say: the probability of each episode's last decision against its
    outcome, in ten bins. Decision models give probabilities; so may agents of yours, in their journal.

    Example: webbench calibration demo
    """
    from ..report.calibration import calibration_data, calibration_lines, calibration_of

    folder = run_dir(run, whole=True)
    found = calibration_of(folder)
    if not found:
        raise SettingsError(f"no graded episode in {folder.path} has a decision with a probability in its agent.jsonl")
    if as_json:
        typer.echo(as_text(calibration_data(found)))
        return
    for agent, one in found.items():
        typer.echo("\n".join(calibration_lines(agent, one)))
