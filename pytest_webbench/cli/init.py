"""``webbench init``: a folder to begin with, which runs at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from ..task.schema import task_schema
from .shared import write_new

app = typer.Typer(add_completion=False)
_STARTER: Final = Path(__file__).parent / "starter"
_SUFFIX: Final = ".txt"
"""So that neither pytest nor a linter takes the starter's files for the package's own."""
_NEXT: Final = """
Next:
  {enter}pytest                               # one task, done by my_agent.py
  webbench validate suites/first       # that task is sound: its solution passes, wrong answers fail
  webbench new task suites/first MY-TASK
"""


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to put it.")] = Path(),
) -> None:
    """Make a folder to begin with: a suite with one task and one site, an agent, a CI workflow.

    Nothing that exists is overwritten, and nothing is asked.

    Example:
      webbench init my-bench && cd my-bench && pytest
    """
    write_new(dict(_files(folder)))
    enter = "" if folder == Path() else f"cd {folder}\n  "
    typer.echo(_NEXT.format(enter=enter).rstrip())


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    for source in sorted(_STARTER.rglob(f"*{_SUFFIX}")):
        place = str(source.relative_to(_STARTER)).removesuffix(_SUFFIX)
        place = ".gitignore" if place == "gitignore" else place
        yield folder / place, source.read_text(encoding="utf-8")
    # Editors find it by the first line of a task file.
    yield folder / "task.schema.json", json.dumps(task_schema(), indent=1, sort_keys=True) + "\n"
