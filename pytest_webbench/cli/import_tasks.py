"""``webbench import``: tasks of other benchmarks as native suites."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import SettingsError
from ..task.adapters.importing import native_files

app = typer.Typer(add_completion=False)


@app.command()
def import_tasks(
    foreign: Annotated[
        Path, typer.Argument(help="Another benchmark's task file or folder.", exists=True)
    ],
    folder: Annotated[Path, typer.Argument(help="Folder of the native suite to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")] = False,
) -> None:
    """Turn another benchmark's tasks into a native suite.

    The suite collects and judges the same. What cannot be converted is listed
    with the reason, and the exit code is 1 then.

    Examples:
      webbench import liveweb/tasks suites/liveweb
      webbench import tasks.jsonl suites/mine
    """
    conversion = native_files(foreign)
    existing = [name for name in conversion.files if (folder / name).exists()]
    if existing and not force:
        raise SettingsError(
            f"{folder / existing[0]} exists; choose another folder, or overwrite it with --force"
        )
    for name, text in conversion.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for failure in conversion.failures:
        typer.echo(f"not converted: {failure}", err=True)
    tasks = max(len(conversion.files) - 1, 0)  # one of the files is suite.toml
    typer.echo(f"wrote {tasks} tasks to {folder}")
    if conversion.failures:
        raise typer.Exit(1)
