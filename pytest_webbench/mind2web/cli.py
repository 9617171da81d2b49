"""Recorded single steps: record them from a suite, inspect a file of them, summarize a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from .._text import first_line
from .._worlds import REPLICA
from ..browser.script_player import local_browser
from ..cli.shared import AsJson, Run, Tasks, as_text, known_world, print_either, progress, run_dir
from ..errors import SettingsError
from ..task import Task
from ..task.folder import read_folder
from ..world import World, open_world
from .figures import Group
from .inspection import file_data, file_lines
from .recorder import Recorder, Script, by_site
from .records import RecordedStep
from .sources.local import steps_in
from .store import write_steps
from .tables import data, lines, results_of

app = typer.Typer(help=__doc__, no_args_is_help=True)


@app.command()
def record(
    suite: Annotated[
        Path,
        typer.Argument(help="Suite whose scripts are played.", exists=True, file_okay=False),
    ],
    out: Annotated[Path, typer.Argument(help="File to write: .jsonl or .jsonl.gz.")],
    task: Tasks = None,
    most_per_site: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="At most N steps per site; those of solutions come first."
        ),
    ] = None,
    world: Annotated[
        str,
        typer.Option(
            metavar="WORLD",
            help="Play in live, replica, or a world that is installed.",
            callback=known_world,
        ),
    ] = REPLICA,
    append: Annotated[
        list[Path] | None,
        typer.Option("--append", metavar="FILE", help="Add the steps of this file; repeatable."),
    ] = None,
) -> None:
    """Play the solutions and counterexamples of a suite, and record a page and its target per step.

    Pages that are equal and have the same target are recorded once.

    Example:
      webbench m2w record suites/suite_c steps.jsonl.gz --most-per-site 14
    """
    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise SettingsError(f"{out}: use a file that ends in .jsonl or .jsonl.gz")
    sites = by_site(_chosen_tasks(suite, task or []))
    failures: list[str] = []
    with closing(open_world(world, suite)) as opened:
        steps = _recorded(opened, sites, most_per_site, failures)
        count = write_steps(out, _with_files(steps, append or []))
    typer.echo(f"{count} steps, {out.stat().st_size / 1e6:.2f} MB, written to {out}")
    for failure in failures:
        typer.echo(f"not recorded: {failure}", err=True)


def _chosen_tasks(suite: Path, names: list[str]) -> list[Task]:
    tasks = read_folder(suite).tasks
    missing = sorted(set(names) - set(tasks))
    if missing:
        raise SettingsError(
            f"{suite} has no task {', '.join(missing)}; it has: {', '.join(sorted(tasks))}"
        )
    return [task for name, task in tasks.items() if not names or name in names]


def _recorded(
    world: World, sites: dict[str, list[Script]], most: int | None, failures: list[str]
) -> Iterator[RecordedStep]:
    def failed(script: str, why: str) -> None:
        failures.append(f"{script}: {first_line(why)}")

    scripts = sum(len(scripts) for scripts in sites.values())
    with progress("recording", scripts) as advance, local_browser(world) as browser:
        recorder = Recorder(browser, world.context_args(), split=world.name)
        yield from recorder.record_all(
            sites, most=most, on_failure=failed, on_script=lambda: advance(1)
        )


def _with_files(steps: Iterator[RecordedStep], files: list[Path]) -> Iterator[RecordedStep]:
    yield from steps
    for file in files:
        yield from steps_in(file, [])


@app.command()
def show(
    file: Annotated[
        Path,
        typer.Argument(help="Steps as .jsonl, .jsonl.gz, task .json or .parquet.", exists=True),
    ],
    as_json: AsJson = False,
) -> None:
    """Count the steps in a file by split, site, operation and role, and measure their pages.

    Example:
      webbench m2w show suites/mind2web/steps.jsonl.gz
    """
    found = file_data(steps_in(file, []))
    print_either(as_json, data=lambda: found, lines=lambda: file_lines(found))


@app.command()
def summary(
    run: Run,
    by: Annotated[
        list[Group] | None, typer.Option("--by", help="Split the steps by this; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show coverage, what it costs, and both families of scores, per agent and with intervals.

    Examples:
      webbench m2w summary demo --by website
      webbench m2w summary runs/demo --json
    """
    folder = run_dir(run, whole=True)
    found = results_of(folder, folder.planned())
    if not found:
        raise SettingsError(
            f"{folder.path} has no measured steps; for a run of tasks use `webbench summary`"
        )
    if as_json:
        typer.echo(as_text({agent: data(results) for agent, results in found.items()}))
        return
    for agent, results in found.items():
        typer.echo(f"{agent}:")
        for line in lines(results, by or [Group.ROLE]):
            typer.echo(f"  {line}")
