"""``webbench merge``: shards as one run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from .._text import harmless
from ..report.junit import of_run
from ..run import RunDir
from ..run.merging import merge as merge_runs
from ..run.remote import is_url, matching, open_run
from .shared import RUNS, AsJson, as_text, complete_run, run_dir

app = typer.Typer(add_completion=False)


@app.command()
def merge(
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="Tag of the new run in ./runs, or a new directory.")
    ],
    shards: Annotated[
        list[str],
        typer.Argument(
            metavar="SHARD...",
            help="Runs made with --webbench-shard: directories, tags or URLs.",
            autocompletion=complete_run,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Merge shards into one run.

    This is refused unless all shards are there, and every planned item is there
    exactly once, run under the same conditions. It says what is missing,
    duplicate or different.

    Examples:
      webbench merge nightly nightly-1 nightly-2
      webbench merge all s3://bucket/runs/shard-*
    """
    target = RunDir(Path(out)) if os.sep in out else RunDir.for_tag(RUNS, out)
    done = merge_runs(target, [_opened(shard) for shard in expanded(shards)])
    target.write_report("junit.xml", of_run(target, Path(os.path.relpath(target.path)).as_posix()))
    if as_json:
        data = {
            "run": str(target.path),
            "shards": done.shards,
            "items": done.items,
            "notes": list(done.notes),
            "integrity": str(done.integrity),
        }
        typer.echo(as_text(data))
        return
    for note in done.notes:
        typer.echo(harmless(f"note: {note}"))
    for line in done.integrity.lines():
        typer.echo(line)
    typer.echo(f"merged {done.shards} shards with {done.items} items into {target.path}")


def _opened(shard: str) -> RunDir:
    return open_run(shard, episodes=True) if is_url(shard) else run_dir(shard)


def expanded(shards: list[str]) -> Iterator[str]:
    """URLs with ``*`` replaced by all that match; for directories the shell has done that."""
    for name in shards:
        if is_url(name) and "*" in name:
            yield from matching(name)
        else:
            yield name
