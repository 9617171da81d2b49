"""``webbench new``: a task or a site to begin with, in a suite that exists."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from .._suite_files import SUITE_FILE, TASK_SUFFIX, TASKS_FOLDER
from ..errors import SettingsError
from ..task.native import parse_task
from .shared import write_new

app = typer.Typer(add_completion=False, no_args_is_help=True)
_TASK: Final = """{schema}id: {id}
goal: >-
  On this site, ... (say where to end and what to report; all that a check requires stands here)
start_url: {url}
answer: none
checks:
- name: the right page is open
  get: final_url
  metric: url_matches
  expected: {url}change-me
solution:
- {{do: click, role: link, name: Change me}}
- {{do: done, answer: ''}}
counterexamples:
- name: a page beside the right one
  steps:
  - {{do: click, role: link, name: Another}}
  - {{do: done, answer: ''}}
"""
_SITE: Final = '''"""A double of {host}."""

from pytest_webbench.world.kit import Request, Response, Site

site = Site(__file__)


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request)
'''
_HOME: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{host}</title>\n<h1>{host}</h1>\n'
    '<p><a href="/">Home</a></p>\n'
)

SuiteFolder = Annotated[Path, typer.Argument(metavar="SUITE", help="Folder of a suite.")]


@app.callback()
def new() -> None:
    """Add a task or a site to a suite."""


@app.command()
def task(
    suite: SuiteFolder,
    name: Annotated[str, typer.Argument(metavar="ID", help="The task's id: its file's name.")],
    url: Annotated[
        str, typer.Option("--url", help="Page on which the agent starts.")
    ] = "https://lamps.example/",
) -> None:
    """Add a task file, to be filled in.

    Example:
      webbench new task suites/first lamps-by-price --url https://lamps.example/
    """
    _require_suite(suite)
    path = suite / TASKS_FOLDER / f"{name}{TASK_SUFFIX}"
    text = _TASK.format(schema=_schema_line(path.parent), id=name, url=_with_path(url))
    parse_task(text, str(path), stem=name)  # refuses an id or an address that cannot be one
    write_new({path: text})
    typer.echo(f"fill it in, then: webbench validate {suite} -k {name}")


@app.command()
def site(
    suite: SuiteFolder,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Such as www.example.org.")],
) -> None:
    """Add a replica site, to be filled in.

    Example:
      webbench new site suites/first books.example
    """
    _require_suite(suite)
    if not host or set(host) - set("abcdefghijklmnopqrstuvwxyz0123456789.-") or "." not in host:
        raise SettingsError(
            f"{host!r} is no host: write it in small letters and without https://, such as "
            "www.example.org"
        )
    folder = suite / "replica" / host
    write_new(
        {
            folder / "site.py": _SITE.format(host=host),
            folder / "templates" / "home.html": _HOME.format(host=host),
        }
    )
    typer.echo(f"it answers at https://{host}/ in the replica world")


def _require_suite(folder: Path) -> None:
    if not (folder / SUITE_FILE).is_file():
        raise SettingsError(
            f"{folder} is no suite: it has no {SUITE_FILE}; webbench init makes a suite"
        )


def _schema_line(folder: Path) -> str:
    """What makes editors complete the file, if the schema that ``init`` writes is above."""
    for above in folder.absolute().parents:
        schema = above / "task.schema.json"
        if schema.is_file():
            place = os.path.relpath(schema, folder.absolute())
            return f"# yaml-language-server: $schema={place}\n"
    return ""


def _with_path(url: str) -> str:
    return f"{url}/" if url.count("/") == 2 else url
