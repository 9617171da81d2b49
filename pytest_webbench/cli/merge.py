"""``webbench merge``: shards put together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from .shared import RUNS, as_text, complete_run, run_dir

app = typer.Typer()


@app.command()
def merge(
    out: Annotated[str, typer.Argument(metavar="OUT", help="Tag of the new run below ./runs, or a new directory.")],
    shards: Annotated[
        list[str],
        typer.Argument(
            metavar="SHARD...",
            help="Runs made with --webbench-shard: directories, tags or addresses.",
            autocompletion=complete_run,
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print what came out as JSON.")] = False,
) -> None:
    """Put shards together to one run. Refused unless all shards are there and every planned item is there exactly
    once, made under the same conditions; says what is missing, double or different.

    Examples: webbench merge nightly nightly-1 nightly-2        webbench merge all s3://bucket/runs/shard-*
    """
    from ..report.junit import of_run
    from ..run import RunDir
    from ..run.merging import merge as put_together
    from ..run.remote import is_url, open_run

    target = RunDir(Path(out)) if os.sep in out else RunDir.for_tag(RUNS, out)
    done = put_together(
        target, [open_run(one, episodes=True) if is_url(one) else run_dir(one) for one in expanded(shards)]
    )
    target.write_report("junit.xml", of_run(target, Path(os.path.relpath(target.path)).as_posix()))
    if as_json:
        told = {"run": str(target.path), "shards": done.shards, "items": done.items, "notes": list(done.notes)}
        typer.echo(as_text(told))
        return
    for note in done.notes:
        typer.echo(f"note: {note}")
    typer.echo(f"merged {done.shards} shards with {done.items} items into {target.path}")


def expanded(shards: list[str]) -> list[str]:
    """Addresses with ``*`` stand for all that match; the shell does that for directories."""
    from ..run.remote import is_url, matching

    return [one for name in shards for one in (matching(name) if is_url(name) and "*" in name else [name])]
