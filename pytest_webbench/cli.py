"""The ``webbench`` command: parsing and printing only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .errors import WebbenchError

app = typer.Typer(
    name="webbench",
    help="Web-agent benchmarks as pytest tests. Tasks are run with `pytest SUITE`; this command does the rest.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
browser_app = typer.Typer(help="Which browser is used on this machine, and why.", invoke_without_command=True)
app.add_typer(browser_app, name="browser")


class WorldChoice(StrEnum):
    """Worlds that a suite may run in."""

    LIVE = "live"
    REPLICA = "replica"


@browser_app.callback()
def browser(context: typer.Context) -> None:
    """Say which browser was found, where, and which places were looked at first."""
    if context.invoked_subcommand is not None:
        return
    from .browser.find import find_browser, places
    from .browser.install import bundled_chromium, version_of

    bundled = bundled_chromium()
    found = find_browser(bundled=bundled)
    typer.echo(f"using    {found.path}")
    typer.echo(f"because  {found.why}")
    typer.echo(f"version  {version_of(found.path)}")
    typer.echo("places looked at, best first:")
    for place in places(None, bundled, headed=False):
        typer.echo(
            f"  {'found  ' if place.path else 'missing'}  {place.label}{f': {place.path}' if place.path else ''}"
        )


@browser_app.command()
def install(
    if_missing: Annotated[bool, typer.Option("--if-missing", help="Do nothing if a browser is there already.")] = False,
) -> None:
    """Install a headless Chromium: Playwright's own where its download works, else the system's package.

    Example: webbench browser install
    """
    from .browser.install import install_browser

    found = install_browser(say=typer.echo, only_if_missing=if_missing)
    typer.echo(f"using {found.path} ({found.why})")


@app.command()
def schema(
    folder: Annotated[Path, typer.Argument(help="Folder that the schema files are written to.")] = Path("docs"),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if the files are not up to date.")
    ] = False,
) -> None:
    """Write the JSON Schemas of task files and suite.toml, for editors.

    Example: webbench schema docs
    """
    from .task.schema import suite_schema, task_schema

    for name, content in (("task.schema.json", task_schema()), ("suite.schema.json", suite_schema())):
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        path = folder / name
        if check:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                typer.echo(f"{path} is out of date: run  webbench schema {folder}", err=True)
                raise typer.Exit(1)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        typer.echo(f"wrote {path}")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def validate(
    context: typer.Context,
    suite: Annotated[Path, typer.Argument(help="Suite folder or task file.", exists=True)],
    workers: Annotated[int, typer.Option("-n", "--workers", min=1, help="Parallel workers.")] = os.cpu_count() or 1,
    world: Annotated[WorldChoice | None, typer.Option(help="Where the web comes from (default: the suite's).")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often the solution has to pass.")] = 3,
) -> None:
    """Prove that tasks are sound: the solution passes every time; start page, empty answer, echo of the goal and
    every counterexample fail. Further options are handed to pytest.

    Examples: webbench validate suites/suite_c        webbench validate suites/suite_c --world live -k wp-cache
    """
    command = [sys.executable, "-m", "pytest", str(suite), "--webbench-validate", str(repeats), "--tb=short"]
    command += ["-n", str(workers)] if workers > 1 else []
    command += ["--webbench-world", world.value] if world else []
    raise typer.Exit(subprocess.run([*command, *context.args], check=False).returncode)


def main() -> None:
    """Entry point: our own errors are shown as text, without a traceback."""
    try:
        app()
    except WebbenchError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
