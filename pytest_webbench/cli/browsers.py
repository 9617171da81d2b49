"""``webbench browser``: which browser is used here, and how to get one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .shared import RUNS, as_text

app = typer.Typer(help="Which browser is used on this machine, and why.", invoke_without_command=True)


@app.callback()
def browser(context: typer.Context) -> None:
    """Say which browser was found, where, and which places were looked at first."""
    if context.invoked_subcommand is not None:
        return
    from ..browser.find import find_browser, places
    from ..browser.install import bundled_chromium, version_of

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


@app.command()
def install(
    if_missing: Annotated[bool, typer.Option("--if-missing", help="Do nothing if a browser is there already.")] = False,
) -> None:
    """Install a headless Chromium: Playwright's own where its download works, else the system's package.

    Example: webbench browser install
    """
    from ..browser.install import install_browser

    found = install_browser(say=typer.echo, only_if_missing=if_missing)
    typer.echo(f"using {found.path} ({found.why})")


@app.command()
def reap(
    service: Annotated[
        str, typer.Option("--browser", metavar="WHERE", help="lexmount, or package.module:Class as in the run.")
    ] = "lexmount",
    runs_dir: Annotated[Path, typer.Option("--runs-dir", metavar="DIR", help="Where runs are stored.")] = RUNS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Give back the browser sessions of runs that were killed. Those of living runs are left alone.

    Example: webbench browser reap
    """
    from ..agents.config import Configuration
    from ..browser.cloud import Reaped, load_service, reap
    from ..run.sessions import BrowserSessions

    notes = BrowserSessions(runs_dir)
    noted = notes.all()
    mine = [note.session for note in noted if note.service == service]
    done = (
        reap(service, load_service(service, Configuration(root=Path()).secret), notes, all_of_them=True)
        if mine
        else Reaped()
    )
    kept = sorted(set(mine) - {*done.released, *done.failed})
    others = sorted(note.session for note in noted if note.service != service)
    if as_json:
        told = {"released": done.released, "failed": done.failed, "kept": kept, "other_services": others}
        typer.echo(as_text(told))
    else:
        for session in done.released:
            typer.echo(f"released  {session}")
        for session, why in done.failed.items():
            typer.echo(f"failed    {session}: {why}")
        for session in kept:
            typer.echo(f"kept      {session}: a living process uses it, or it is of another account")
        for session in others:
            typer.echo(f"kept      {session}: of another service, name it with --browser")
        typer.echo(f"{len(done.released)} of {len(noted)} noted sessions released")
    if done.failed:
        raise typer.Exit(1)
