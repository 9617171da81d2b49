"""Commands about runs: runs, judge."""

from __future__ import annotations

import os
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .shared import RUNS, as_text, complete_run, progress, run_dir

if TYPE_CHECKING:
    from ..browser.archive import ArchivedPages

app = typer.Typer()


@app.command("runs")
def list_runs(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the runs lie.")] = RUNS,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """List runs, oldest first: when they began, agents, items, rates, and whether they are complete, resumable (some
    items are not scored yet) or running.

    Examples: webbench runs        webbench runs /data/runs --json
    """
    from ..report.listing import list_runs as found_in
    from ..report.listing import listing_data, listing_table
    from ..report.tables import as_plain_text

    found = found_in(folder)
    if as_json:
        typer.echo(as_text(listing_data(found)))
    elif not found:
        typer.echo(f"no runs in {folder}")
    else:
        typer.echo(as_plain_text([listing_table(found)], shutil.get_terminal_size().columns))


@app.command()
def judge(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Run directory, or its tag if it lies in ./runs.", autocompletion=complete_run
        ),
    ],
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be given several times.")] = None,
    suite: Annotated[
        Path | None, typer.Option(help="Judge by this suite's task files of today, not by those stored.", exists=True)
    ] = None,
    workers: Annotated[int, typer.Option("-n", "--workers", min=1, help="Processes.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the changes as JSON.")] = False,
) -> None:
    """Judge stored episodes again, without a new episode: after a change of checks, or of this program. Lists every
    outcome that is another now, with the reason. Judging twice changes nothing the second time.

    Examples: webbench judge runs/demo        webbench judge demo --suite suites/suite_c --task wp-cache
    """
    from ..report.changes import change_data, change_lines
    from ..report.junit import of_run
    from ..run.rejudge import Means, choose, rejudge_run
    from ..task.folder import read_folder

    folder = run_dir(run, whole=True)
    current = read_folder(suite) if suite else None
    work = choose(folder, task or [], current.suite.name if current else None, current.tasks if current else {})
    shown = Path(os.path.relpath(folder.path)).as_posix()
    with progress("judging", len(work)) as advance:
        results = rejudge_run(folder, work, Means(shown, workers, _open_archive, advance))
    if any(result.changed for result in results):
        folder.write_report("junit.xml", of_run(folder, shown))
    if as_json:
        typer.echo(as_text(change_data(results)))
    else:
        typer.echo("\n".join(change_lines(results)))


def _open_archive() -> AbstractContextManager[ArchivedPages]:
    from ..browser.archive import archived_pages

    return archived_pages()
