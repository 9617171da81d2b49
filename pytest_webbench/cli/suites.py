"""``webbench suites``: the suites that come with this package."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from .._installed_suites import SCHEME, installed_suites
from .._suggest import unknown
from .._suite_files import SUITE_FILE
from .._text import harmless
from ..errors import SettingsError
from ..report.tables import Table, as_plain_text
from ..task import Suite
from ..task.native import read_suite
from .shared import AsJson, as_text, refuse_existing

app = typer.Typer(add_completion=False, invoke_without_command=True)


@app.callback()
def suites(context: typer.Context, as_json: AsJson = False) -> None:
    """List the suites that come with this package, or copy one.

    Run one where it lies: pytest suite://NAME

    Examples:
      webbench suites
      pytest suite://suite_c -k wp-cache
      webbench suites copy suite_c mine
    """
    if context.invoked_subcommand is not None:
        return
    found = [(folder, read_suite(folder / SUITE_FILE)) for folder in installed_suites().values()]
    if as_json:
        typer.echo(as_text([_data(folder, info) for folder, info in found]))
        return
    rows = [
        (
            f"{SCHEME}{folder.name}",
            str(_tasks(folder)),
            ", ".join(info.worlds),
            _size(folder),
            info.title,
        )
        for folder, info in found
    ]
    head = ("suite", "tasks", "worlds", "size", "title")
    table = Table("Suites", head, tuple(rows))
    typer.echo(harmless(as_plain_text([table], shutil.get_terminal_size().columns)))


def _data(folder: Path, info: Suite) -> dict[str, object]:
    return {
        "name": folder.name,
        "title": info.title,
        "tasks": _tasks(folder),
        "worlds": list(info.worlds),
        "bytes": _bytes(folder),
        "folder": str(folder),
    }


def _tasks(folder: Path) -> int:
    return len(list((folder / "tasks").glob("*.yaml")))


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _size(folder: Path) -> str:
    return f"{_bytes(folder) / 1_000_000:.1f} MB"


@app.command()
def copy(
    name: Annotated[str, typer.Argument(help="Name of the suite.")],
    folder: Annotated[Path, typer.Argument(metavar="DEST", help="New folder for it.")],
) -> None:
    """Copy a suite into a folder of your own, to change it."""
    suites = installed_suites()
    if name not in suites:
        raise SettingsError(unknown("suite", name, suites))
    refuse_existing([folder], "name a folder that does not")
    shutil.copytree(suites[name], folder, ignore=shutil.ignore_patterns("__pycache__"))
    typer.echo(f"copied {_tasks(folder)} tasks to {folder}; run them with: pytest {folder}")
