"""``webbench audit``: whether checks notice evidence that was made wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .._files import write_atomically
from ..evidence.models import Evidence
from ..judge.audit import audit as audit_task
from ..judge.audit import read_reasons
from ..report.audit import audit_data, audit_lines
from ..report.episode_audit import episode_audit_data, episode_audit_lines
from ..report.episode_notes import EPISODES_FILE, notes_text
from ..run import ItemKey, RunDir
from ..task.folder import SuiteFolder, read_folder
from ..world.base import task_in_edition
from .audit_episodes import play_and_audit
from .playing import play, selection_of, tag_for
from .shared import PROCESSORS, AsJson, Tasks, Workers, print_either, progress, run_dir

app = typer.Typer(add_completion=False)

Episodes = Annotated[
    bool,
    typer.Option(
        "--episodes", help="Play whole episodes made from the solutions, wrong and right ones."
    ),
]
Write = Annotated[
    bool,
    typer.Option(
        "--write", help="With --episodes: note what came out in the suite's episodes.toml."
    ),
]


@app.command()
def audit(
    suite: Annotated[Path, typer.Argument(help="Suite folder.", exists=True, file_okay=False)],
    run: Annotated[
        str | None,
        typer.Option(
            help="Run with episodes of the agents scripted and noop (default: run them now)."
        ),
    ] = None,
    task: Tasks = None,
    workers: Workers = PROCESSORS,
    as_json: AsJson = False,
    episodes: Episodes = False,
    write: Write = False,
) -> None:
    """Prove that checks are tight: evidence that was made wrong must fail.

    The evidence of each task's solution is changed in some hundred ways, and
    each such mutant is judged. The exit code is 1 if a mutant passes and the
    suite's audit.toml gives no reason for it.

    With --episodes, wrong and right episodes are made from each solution and
    played. The exit code is 1 if a wrong one passes or a right one does not,
    and the task file gives no reason for it.

    Examples:
      webbench audit suites/suite_c
      webbench audit suites/suite_c --run validated --json
      webbench audit suites/suite_c --episodes --write
    """
    folder = _in_first_edition(read_folder(suite, task or []))
    if episodes:
        _audit_episodes(folder, chosen=bool(task), workers=workers, as_json=as_json, write=write)
    reasons = read_reasons(folder.path, list(read_folder(suite).tasks))
    if run is None:
        run = tag_for("audit-", folder.path)
        _play_solutions(folder, chosen=bool(task), run=run, workers=workers)
    source = run_dir(run, whole=True)
    found = []
    with progress("auditing", len(folder.tasks)) as advance:
        for one in folder.tasks.values():
            solution, start = (
                _evidence(source, ItemKey(folder.suite.name, one.id, agent, 1))
                for agent in ("scripted", "noop")
            )
            found.append(audit_task(one, solution, start, reasons.get(one.id, {})))
            advance(1)
    print_either(as_json, data=lambda: audit_data(found), lines=lambda: audit_lines(found))
    raise typer.Exit(any(one.open for one in found))


def _in_first_edition(folder: SuiteFolder) -> SuiteFolder:
    tasks = {name: task_in_edition(task, folder.path, 0) for name, task in folder.tasks.items()}
    return folder._replace(tasks=tasks)


def _audit_episodes(
    folder: SuiteFolder, *, chosen: bool, workers: int, as_json: bool, write: bool
) -> NoReturn:
    found = play_and_audit(folder, chosen=chosen, workers=workers)
    if write:
        write_atomically(folder.path / EPISODES_FILE, notes_text(folder, found))
    print_either(
        as_json, data=lambda: episode_audit_data(found), lines=lambda: episode_audit_lines(found)
    )
    raise typer.Exit(not all(one.sound for one in found))


def _evidence(run: RunDir, key: ItemKey) -> Evidence | None:
    """What is stored of an item; `StoreError` if it cannot be read."""
    episode = run.counted_episode(key)
    evidence = episode.evidence()
    episode.refuse_damage()
    return evidence


def _play_solutions(folder: SuiteFolder, *, chosen: bool, run: str, workers: int) -> None:
    """Play the solutions, and an agent that does nothing, unless they are stored already."""
    play(
        selection_of(folder, chosen=chosen),
        ["--webbench-agent", "scripted", "--webbench-agent", "noop"],
        what="solutions",
        tag=run,
        workers=workers,
        expected=2 * len(folder.tasks),
    )
