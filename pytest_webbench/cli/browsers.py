"""``webbench browser``: which browser is used here, and how to get one."""

from __future__ import annotations

from typing import Annotated

import typer

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
