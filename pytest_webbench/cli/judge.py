"""``webbench judge``: stored episodes, judged again."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..report.changes import change_data, change_lines
from ..report.junit import of_run
from ..run.rejudge import Means, choose, rejudge_run
from ..task.folder import read_folder
from ..world.base import task_in_edition
from .shared import PROCESSORS, AsJson, Run, Tasks, Workers, print_either, progress, run_dir

if TYPE_CHECKING:
    from ..capture.archive import ArchivedPages

app = typer.Typer(add_completion=False)


@app.command()
def judge(
    run: Run,
    task: Tasks = None,
    suite: Annotated[
        Path | None,
        typer.Option(
            help="Judge by this suite's current task files instead of the stored ones.",
            exists=True,
        ),
    ] = None,
    workers: Workers = PROCESSORS,
    as_json: AsJson = False,
) -> None:
    """Re-judge stored episodes without running them again.

    Use it after a change of checks or of this program. Every outcome that
    changes is listed with the reason. Judging a second time changes nothing.

    Examples:
      webbench judge runs/demo
      webbench judge demo --suite suites/suite_c --task wp-cache
    """
    folder = run_dir(run, whole=True)
    if suite is None:
        work = choose(folder, only=task or [], suite=None, tasks={})
    else:
        current = read_folder(suite)
        work = choose(
            folder,
            only=task or [],
            suite=current.suite.name,
            tasks=current.tasks,
            in_edition=lambda task, seed: task_in_edition(task, current.path, seed),
        )
    shown = Path(os.path.relpath(folder.path)).as_posix()
    with progress("judging", len(work)) as advance:
        results = rejudge_run(folder, work, Means(shown, workers, _open_archive, advance))
    if any(result.changed for result in results):
        folder.write_report("junit.xml", of_run(folder, shown))
    print_either(as_json, data=lambda: change_data(results), lines=lambda: change_lines(results))


def _open_archive() -> AbstractContextManager[ArchivedPages]:
    # Few checks need a browser, and importing Playwright takes longer than judging an episode.
    from ..capture.archive import archived_pages

    return archived_pages()
