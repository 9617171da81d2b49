"""``webbench history``: several runs in the order of time."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import SettingsError
from ..report.history import history as history_of
from ..report.history import history_data, history_lines, history_tables
from ..report.listing import list_runs
from ..report.results import RunResults, read_results
from .shared import RUNS, complete_run, progress, run_dir
from .tables import Form, FormOption, JsonForm, chosen_form, print_tables

app = typer.Typer(add_completion=False)


@app.command()
def history(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]...",
            help="Runs by tag or directory (default: all in ./runs).",
            autocompletion=complete_run,
        ),
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="Only this agent; repeatable.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="RUN",
            help="What flips are told against (default: the run before).",
        ),
    ] = None,
    form: FormOption = Form.TEXT,
    as_json: JsonForm = False,
) -> None:
    """Show how agents' rates went over time, what flipped, and which tasks flake.

    A task has flipped if all its graded episodes of one run passed and all of the
    other failed. One flakes if it was passed and failed, whenever that was.

    Examples:
      webbench history
      webbench history monday tuesday --agent my-model
      webbench history --baseline release-1 --format csv
    """
    courses = history_of(_read(runs or _all_tags()), baseline=baseline)
    if agent:
        known = sorted({course.agent for course in courses})
        courses = [course for course in courses if course.agent in agent]
        if not courses:
            raise SettingsError(
                f"--agent {', '.join(agent)}: no run has it; there are {', '.join(known)}"
            )
    print_tables(
        chosen_form(form, as_json=as_json),
        tables=lambda: history_tables(courses),
        data=lambda: history_data(courses),
        lines=lambda: history_lines(courses),
    )


def _all_tags() -> list[str]:
    tags = [run.tag for run in list_runs(RUNS) if not run.problem]
    if not tags:
        raise SettingsError(f"there are no runs in {RUNS}; name them, or run some tasks first")
    return tags


def _read(names: list[str]) -> list[RunResults]:
    found = []
    with progress("reading", len(names)) as done:
        for name in names:
            directory = run_dir(name)
            directory.must_exist()
            found.append(read_results(directory, check=False))
            done(1)
    _refuse_same_tags(found)
    return found


def _refuse_same_tags(runs: list[RunResults]) -> None:
    tags = [run.tag for run in runs]
    twice = sorted({tag for tag in tags if tags.count(tag) > 1})
    if twice:
        raise SettingsError(f"{', '.join(twice)} is named twice: each run counts once")
