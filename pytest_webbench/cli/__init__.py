"""The ``webbench`` command: parsing and printing only, one module per command.

Commands are imported when they run. Their lines in ``webbench --help`` stand here, so that the
list costs none of their imports.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple

import typer
from typer.core import TyperGroup

from .._text import harmless
from .._version import __version__
from ..errors import WebbenchError
from .lazy import LazyCommand, offered_commands


class BuiltIn(NamedTuple):
    """A command of this package: its module in this folder, and its line in the list."""

    module: str
    summary: str


COMMANDS: Final = {
    "init": BuiltIn(
        "init",
        "Make a folder to begin with: a suite with one task and one site, an agent, a CI workflow.",
    ),
    "new": BuiltIn("new", "Add a task or a site to a suite."),
    "validate": BuiltIn(
        "validate", "Prove that tasks are sound: their solutions pass, and wrong answers fail."
    ),
    "sites": BuiltIn("sites", "Look whether the sites of a replica could be taken for real ones."),
    "audit": BuiltIn(
        "audit", "Prove that checks are tight: evidence that was made wrong must fail."
    ),
    "redteam": BuiltIn("redteam", "Attack a suite: no cheat may pass without being flagged."),
    "runs": BuiltIn("list_runs", "List runs, oldest first."),
    "summary": BuiltIn(
        "summary", "Summarize runs: counts, rates with intervals, steps, time, tokens and cost."
    ),
    "compare": BuiltIn("compare", "Compare agents or runs on the tasks that both were graded on."),
    "history": BuiltIn(
        "history", "Show how agents' rates went over time, what flipped, and which tasks flake."
    ),
    "plan": BuiltIn(
        "plan", "Plan how many tasks and repeats show a difference between two agents."
    ),
    "calibration": BuiltIn(
        "calibration", "Compare the probabilities that agents give with how often they are right."
    ),
    "report": BuiltIn("report", "Write a report of a run: web pages that open without a server."),
    "judge": BuiltIn("judge", "Re-judge stored episodes without running them again."),
    "merge": BuiltIn("merge", "Merge shards into one run."),
    "export": BuiltIn(
        "export", "Write a run's results as tables: one row per attempt, per step, per check."
    ),
    "import-results": BuiltIn(
        "import_results", "Turn results that another program measured into a run."
    ),
    "import": BuiltIn("import_tasks", "Turn another benchmark's tasks into a native suite."),
    "schema": BuiltIn(
        "schema", "Write the JSON Schemas of task files, suite.toml and evidence.json."
    ),
    "suites": BuiltIn("suites", "List the suites that come with this package, or copy one."),
    "agents": BuiltIn(
        "agents",
        "List the agents that --webbench-agent knows, and the types that others can be made of.",
    ),
    "doctor": BuiltIn(
        "doctor", "Look whether this machine is fit, and say what to do about what is not."
    ),
    "browser": BuiltIn("browser", "Show which browser is used on this machine, and why."),
}


class CommandGroup(TyperGroup):
    """The commands of this package, followed by those that installed distributions offer."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (module, summary) in COMMANDS.items():
            self.add_command(LazyCommand(name, summary, partial(_load, module)))
        for command in offered_commands(taken=COMMANDS):
            self.add_command(command)


def _load(module: str) -> Any:
    return typer.main.get_command(import_module(f".{module}", __package__).app)


app = typer.Typer(
    cls=CommandGroup, name="webbench", no_args_is_help=True, pretty_exceptions_enable=False
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pytest-webbench {__version__}")
        raise typer.Exit


@app.callback()
def webbench(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Web-agent benchmarks as pytest tests. Run tasks with `pytest SUITE`; the rest is here."""


def main() -> None:
    """Run the command; errors of this package are printed as text, without a traceback."""
    try:
        app()
    except WebbenchError as error:
        typer.echo(harmless(f"error: {error}"), err=True)
        sys.exit(2)
