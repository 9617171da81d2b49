"""``webbench browser``: which browser is used here, how to get one, and sessions to release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..agents.config import Configuration
from ..browser import find, install
from ..browser.cloud import Reaped, load_service
from ..browser.cloud import reap as release_sessions
from ..run.cloud_leases import CloudLeases
from .shared import RUNS, AsJson, as_text

app = typer.Typer(add_completion=False, invoke_without_command=True)


@app.callback()
def browser(context: typer.Context) -> None:
    """Show which browser is used on this machine, and why.

    Lists the places that are searched, best first.
    """
    if context.invoked_subcommand is not None:
        return
    bundled = install.bundled_chromium()
    found = find.find_browser(bundled=bundled)
    typer.echo(f"using    {found.path}")
    typer.echo(f"because  {found.why}")
    typer.echo(f"version  {install.version_of(found.path)}")
    typer.echo("places searched, best first:")
    for place in find.places(None, bundled, headed=False):
        if place.path:
            typer.echo(f"  found    {place.label}: {place.path}")
        else:
            typer.echo(f"  missing  {place.label}")


@app.command("install")
def install_browser(
    if_missing: Annotated[
        bool, typer.Option("--if-missing", help="Do nothing if there is a browser already.")
    ] = False,
) -> None:
    """Install a headless Chromium.

    It is Playwright's own where that can be downloaded, else the system's
    package.

    Example:
      webbench browser install
    """
    found = install.install_browser(say=typer.echo, only_if_missing=if_missing)
    typer.echo(f"using {found.path} ({found.why})")


@app.command()
def reap(
    service: Annotated[
        str,
        typer.Option(
            "--browser", metavar="WHERE", help="lexmount, or package.module:Class as in the run."
        ),
    ] = "lexmount",
    runs_dir: Annotated[
        Path, typer.Option("--runs-dir", metavar="DIR", help="Folder of the runs.")
    ] = RUNS,
    as_json: AsJson = False,
) -> None:
    """Release the cloud browser sessions of runs that were killed.

    Sessions of runs that are still running are left alone.

    Example:
      webbench browser reap
    """
    leases = CloudLeases(runs_dir)
    noted = leases.all()
    ours = [lease.session for lease in noted if lease.service == service]
    others = sorted(lease.session for lease in noted if lease.service != service)
    done = _release(service, leases) if ours else Reaped()
    kept = sorted(set(ours) - {*done.released, *done.failed})
    if as_json:
        data = {
            "released": done.released,
            "failed": done.failed,
            "kept": kept,
            "other_services": others,
        }
        typer.echo(as_text(data))
    else:
        _print(done, kept=kept, others=others)
        typer.echo(f"{len(done.released)} of {len(noted)} noted sessions released")
    if done.failed:
        raise typer.Exit(1)


def _release(service: str, leases: CloudLeases) -> Reaped:
    secret = Configuration(root=Path()).secret
    return release_sessions(service, load_service(service, secret), leases, all_of_them=True)


def _print(done: Reaped, *, kept: list[str], others: list[str]) -> None:
    for session in done.released:
        typer.echo(f"released  {session}")
    for session, why in done.failed.items():
        typer.echo(f"failed    {session}: {why}")
    for session in kept:
        typer.echo(f"kept      {session}: a running process uses it, or another account owns it")
    for session in others:
        typer.echo(f"kept      {session}: it belongs to another service; name that with --browser")
