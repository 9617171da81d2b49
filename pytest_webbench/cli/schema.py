"""``webbench schema``: the JSON Schemas of the files of a suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ..task.schema import evidence_schema, suite_schema, task_schema

app = typer.Typer(add_completion=False)


@app.command()
def schema(
    folder: Annotated[Path, typer.Argument(help="Folder to write the schemas to.")] = Path("docs"),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if a file is out of date.")
    ] = False,
) -> None:
    """Write the JSON Schemas of task files, suite.toml and evidence.json.

    Editors use them to complete and check the files.

    Example:
      webbench schema docs
    """
    schemas = {"task": task_schema(), "suite": suite_schema(), "evidence": evidence_schema()}
    for name, content in schemas.items():
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        path = folder / f"{name}.schema.json"
        if check:
            _require_equal(path, text, folder)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            typer.echo(f"wrote {path}")


def _require_equal(path: Path, text: str, folder: Path) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        typer.echo(f"{path} is out of date: run  webbench schema {folder}", err=True)
        raise typer.Exit(1)
