"""What ``summary``, ``compare`` and ``plan`` share: runs by name, and how tables are printed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

import typer

from .._suggest import unknown
from .._text import harmless
from ..errors import SettingsError, WebbenchError
from ..report.results import RunResults, read_results
from ..report.sides import Side, sides_of
from ..report.tables import Table, as_csv, as_markdown, as_plain_text
from ..run.held_out import stored_overlap
from .shared import as_text, run_dir


class Form(StrEnum):
    """What a table can be printed as."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    CSV = "csv"

    @property
    def is_prose(self) -> bool:
        """Whether sentences can stand around the tables."""
        return self in (Form.TEXT, Form.MARKDOWN)


FormOption: TypeAlias = Annotated[Form, typer.Option("--format", help="How to print it.")]


def chosen_form(form: Form, *, as_json: bool) -> Form:
    """What ``--format`` and ``--json`` come to together."""
    return Form.JSON if as_json else form


JsonForm: TypeAlias = Annotated[bool, typer.Option("--json", help="Same as --format json.")]


def print_tables(
    form: Form,
    *,
    tables: Callable[[], Sequence[Table]],
    data: Callable[[], Any],
    lines: Callable[[], Sequence[Mapping[str, Any]]],
) -> None:
    """Print one of the three: ``data`` as JSON, ``lines`` as CSV, ``tables`` as anything else."""
    if form is Form.JSON:
        typer.echo(as_text(data()))
    elif form is Form.CSV:
        typer.echo(harmless(as_csv(lines())))
    elif form is Form.MARKDOWN:
        typer.echo(harmless(as_markdown(tables())))
    else:
        typer.echo(harmless(as_plain_text(tables(), shutil.get_terminal_size().columns)))


def results_of(name: str) -> RunResults:
    """The results of a run; `StoreError` if there is no such run."""
    run = run_dir(name)
    run.must_exist()
    return read_results(run)


def readable(names: Sequence[str]) -> list[RunResults]:
    """The results of the runs that can be read; an error line names each that cannot.

    The error itself is raised if there is no other run to show.
    """
    found: list[RunResults] = []
    for number, name in enumerate(names, start=1):
        try:
            found.append(results_of(name))
        except WebbenchError as error:
            if number == len(names) and not found:
                raise
            typer.echo(harmless(f"error: {error}"), err=True)
    return found


def print_ground(runs: Sequence[RunResults]) -> None:
    """Below the tables: whether the sites were held out, and results agree with their evidence."""
    for run in runs:
        overlap = stored_overlap(run.facts)
        lines = [*filter(None, [overlap]), *run.integrity.lines()]
        if lines:
            name = f"{run.tag}: " if len(runs) > 1 else ""
            typer.echo(f"\n{name}" + "\n".join(lines))


def sides_named(names: Sequence[str]) -> list[list[Side]]:
    """For each RUN[:AGENT] the agents that it names: all of the run's, if it names none."""
    found: list[list[Side]] = []
    known: dict[str, RunResults] = {}
    for name in names:
        path, agent = _split(name)
        if path not in known:
            known[path] = results_of(path)
        run = known[path]
        if agent and agent not in run.agents:
            raise SettingsError(
                f"run {run.tag}: {unknown('agent', agent, run.agents)}; "
                f"it has {', '.join(run.agents)}"
            )
        found.append([side for side in sides_of(run) if agent in ("", side.agent)])
    return found


def _split(name: str) -> tuple[str, str]:
    """RUN and AGENT, "" if there is none; a directory's name may have a colon in it."""
    if ":" not in name or run_dir(name).exists():
        return name, ""
    run, _, agent = name.rpartition(":")
    return run, agent
