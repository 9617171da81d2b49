"""``webbench sites``: whether the sites of a replica are good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..browser.script_player import local_browser
from ..report.sites import SiteReport, examine, site_data, site_lines, sites_of
from ..task.folder import read_folder
from ..world.replica import Replica
from .shared import AsJson, print_either, progress

app = typer.Typer(add_completion=False)


@app.command()
def sites(
    suite: Annotated[Path, typer.Argument(help="Suite folder.", exists=True, file_okay=False)],
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="NAME", help="Only the site at this host; repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look whether the sites of a replica could be taken for real ones.

    Each site is crawled over HTTP, in three editions, from the start pages of its
    tasks and from its home; a browser looks at the start pages and at a few more.
    A site has to have 25 pages or more, no dead link, no control without a name,
    no request to hosts that are not there, no word that tells of a test, and no
    page that fails. The exit code is 1 if one is below that.

    Examples:
      webbench sites suites/suite_c
      webbench sites suites/suite_c --host pypi.org --json
    """
    folder = read_folder(suite)
    chosen = sites_of(folder, host or [])
    replica = Replica(folder.path / "replica")
    reports: list[SiteReport] = []
    try:
        with local_browser(replica) as browser, progress("sites", len(chosen)) as advance:
            for one in chosen:
                reports.append(examine(one, replica, browser))
                advance(1)
    finally:
        replica.close()
    print_either(as_json, data=lambda: site_data(reports), lines=lambda: site_lines(reports))
    raise typer.Exit(not all(report.holds for report in reports))
